import {
  type Api,
  type BrowsedApi,
  type Endpoint,
  formatApiKind,
} from '../../../core/catalogue/index.ts'
import type { DescribedTarget } from '../../../core/gateway/index.ts'
import { PROBLEM_TYPES } from '../../../core/http/problems.ts'
import { ServiceError } from '../../../core/index.ts'
import {
  DEFAULT_BUDGET,
  type HostConsent,
  type LeftToday,
  MAX_BUDGET,
  type TestTarget,
} from '../../../core/rate-limits/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { createExcerpt } from '../catalogue/labels.ts'
import { canStore, computeShape, getInitialValues, readValues } from '../catalogue/try-fields.ts'
import { findTryTarget } from '../catalogue/try-section.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { liveSearchAttributes } from '../parts/live.ts'
import { pager, parsePageNumber } from '../parts/pager.ts'
import {
  badge,
  copyableText,
  emptyState,
  factList,
  formatNumber,
  note,
  timeElement,
} from '../parts/text.ts'
import { endpointLink, findTested, type Tested } from './list-page.ts'
import { RATE_LIMITS_PATH, START_PATH, toRunPath, toStartPath } from './paths.ts'
import { renderStartForm } from './start-form.ts'

/** Renders the start form of the endpoint in the query, or else an endpoint search. */
export async function renderNewTestPage(request: ViewedRequest): Promise<PageResult> {
  const id = (request.query.get('endpoint') ?? '').trim()
  if (id === '') return wrapStartPage(await renderEndpointSearch(request))
  const tested = await findTested(request, id)
  if (!tested) return renderUnknownEndpoint(request)
  const target = await findTryTarget(request, tested.endpoint)
  if (typeof target === 'string') return renderUncallableEndpoint(tested, target)
  const asked = { endpointId: tested.endpoint.shortId, values: getInitialValues(target) }
  const conditions = await renderStartConditions(request, asked)
  return wrapStartPage(renderStartForm(request, { tested, target, conditions, isSent: false }))
}

/** Starts a test, or opens the endpoint's open run. */
export async function handleStart(request: ViewedRequest): Promise<PageResult> {
  const { form } = request
  const tested = await findTested(request, form.text('endpoint'))
  if (!tested) return renderUnknownEndpoint(request)
  const target = await findTryTarget(request, tested.endpoint)
  if (typeof target === 'string') return renderUncallableEndpoint(tested, target)
  const asked = {
    endpointId: tested.endpoint.shortId,
    values: readStorableValues(request, target),
    server: form.text('server') || undefined,
  }
  const again = async (error?: ServiceError) => {
    const conditions = await renderStartConditions(request, asked)
    const status = error ? PROBLEM_TYPES[error.code].status : 200
    return wrapStartPage(
      renderStartForm(request, { tested, target, conditions, error, isSent: true }),
      status,
    )
  }
  try {
    if (form.text('shape') !== computeShape(target)) {
      throw new ServiceError(
        'conflict',
        'Cannot start the test: the API description changed after the page was loaded',
        {
          extra: { is_stale: true },
        },
      )
    }
    if (form.text('action') === 'check') return await again()
    return await startRequestedTest(request, asked)
  } catch (error) {
    if (!(error instanceof ServiceError) || PROBLEM_TYPES[error.code].status >= 500) throw error
    return again(error)
  }
}

async function startRequestedTest(
  { app, form, viewer }: ViewedRequest,
  target: TestTarget,
): Promise<PageResult> {
  const { account, keyId } = viewer.caller
  const isTicked = (name: string) => form.all('options').includes(name)
  const number = (name: string) => readNumber(name, form.text(name))
  const [requests, rate, payloadBytes] = [
    number('requests'),
    number('rate'),
    number('payload_bytes'),
  ]
  const asked = {
    ...target,
    ...(requests === undefined ? {} : { requests }),
    ...(rate === undefined ? {} : { rate }),
    ...(payloadBytes === undefined ? {} : { payloadBytes }),
    usesCredentials: isTicked('credentials'),
    confirmsUnsafe: isTicked('unsafe'),
  }
  const { run, isNew } = await app.rateLimits.start(asked, { account, keyId })
  return { kind: 'redirect', to: `${toRunPath(run)}?done=${isNew ? 'started' : 'already'}` }
}

/** Reads the submitted values, without those that must not be stored. */
function readStorableValues({ form }: ViewedRequest, target: DescribedTarget) {
  const kept = new Set(target.fields.filter(canStore).map(({ key }) => key))
  const values = Object.entries(readValues(target, form))
  return Object.fromEntries(values.filter(([key]) => kept.has(key)))
}

function readNumber(name: string, text: string): number | undefined {
  if (text.trim() === '') return undefined
  if (/^[0-9]{1,9}$/.test(text.trim())) return Number(text)
  const message = 'must be a whole number'
  const issues = [{ in: 'form' as const, name, message }]
  throw new ServiceError('invalid_input', `Cannot start the test: ${name} ${message}`, { issues })
}

function wrapStartPage(content: Html, status = 200): PageResult {
  const body = html`<p class="crumbs"><a href="${RATE_LIMITS_PATH}">Rate limits</a></p>
<h1>Start a test</h1>
${content}`
  return { kind: 'page', title: 'Start a test', body, status }
}

async function renderUnknownEndpoint(request: ViewedRequest): Promise<PageResult> {
  const words = 'Endpoint not found. Search for an endpoint.'
  return wrapStartPage(html`${note(words, 'bad')}${await renderEndpointSearch(request)}`, 404)
}

function renderUncallableEndpoint(tested: Tested, why: string): PageResult {
  return wrapStartPage(
    html`<p class="lead">${endpointLink(tested)}</p>${emptyState('This endpoint cannot be tested', html`<p>${why}.</p>`)}`,
  )
}

/** Renders the requirements of a test: consent of the host and remaining budgets. */
async function renderStartConditions(request: ViewedRequest, target: TestTarget): Promise<Html> {
  const { rateLimits } = request.app
  const { account, keyId } = request.viewer.caller
  const [left, consent] = await Promise.all([
    orErrorMessage(() => rateLimits.leftToday({ account, keyId }, target)),
    orErrorMessage(() => rateLimits.consent(account, target)),
  ])
  return html`<h2>Limits of a test</h2>
<p>${formatNumber(DEFAULT_BUDGET.requests)} requests, ${DEFAULT_BUDGET.rate} per second, with bodies of at most ${formatNumber(DEFAULT_BUDGET.payloadBytes)} bytes. The form below accepts up to ${formatNumber(MAX_BUDGET.requests)} requests, ${MAX_BUDGET.rate} per second and ${formatNumber(MAX_BUDGET.payloadBytes)} bytes.</p>
${typeof left === 'string' ? '' : renderRemainingBudgets(left)}
<h2>Consent</h2>
${renderConsent(consent)}`
}

async function orErrorMessage<T>(ask: () => Promise<T>): Promise<T | string> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ServiceError && error.code !== 'internal') return error.message
    throw error
  }
}

function renderRemainingBudgets({
  host,
  ofAccount,
  ofHost,
  ofKey,
  reserved,
  until,
}: LeftToday): Html {
  const words = ({ left, budget }: LeftToday['ofHost']) =>
    html`${left === 0 ? badge('None', 'bad') : ''} ${formatNumber(left)} of ${formatNumber(budget)}`
  return html`<h3>Remaining today</h3>
${factList([
  [
    'Your account',
    html`${words(ofAccount)}${reserved > 0 ? html` <span class="soft">(${formatNumber(reserved)} reserved for open tests)</span>` : ''}`,
  ],
  [host, html`${words(ofHost)} <span class="soft">shared by all accounts</span>`],
  ['Your key', ofKey ? words(ofKey) : html`<span class="soft">no budget</span>`],
  ['Reset', html`${timeElement(until)} UTC`],
])}`
}

function renderConsent(consent: HostConsent | string): Html {
  if (typeof consent === 'string') return note(html`Cannot check the consent: ${consent}`, 'warn')
  if (consent.isGiven) {
    const by = consent.by === 'operator' ? 'operator' : 'account’s token'
    return html`<p>${badge('Granted', 'good')} ${consent.host} may be tested (consent: ${by}).</p>`
  }
  return html`<p>${badge('Missing', 'bad')} ${consent.host} cannot be tested: ${consent.missing}.</p>
${factList([['File on the host', html`<code>${consent.tokenUrl}</code>`]])}
<p>Content of the file: the account’s token. Treat it as a secret.</p>
${copyableText({ id: 'token', text: consent.token })}`
}

const APIS = 10
const ENDPOINTS = 50

/** Renders a search for the endpoint to test: across all APIs, or within one API. */
async function renderEndpointSearch(request: ViewedRequest): Promise<Html> {
  const q = (request.query.get('q') ?? '').slice(0, 1000).trim()
  const apiId = request.query.get('api') ?? ''
  const found =
    apiId !== ''
      ? await renderEndpointResults(request, { apiId, q })
      : await renderApiResults(request, q)
  return html`<p class="lead">Select the endpoint to test. The next page shows the limits before anything is sent.${apiId === '' ? '' : html` <a href="${START_PATH}">Search all APIs</a>`}</p>
<form class="search" role="search" aria-label="Endpoints" action="${START_PATH}"${liveSearchAttributes({ path: START_PATH, results: 'found' })}>
${apiId === '' ? '' : html`<input type="hidden" name="api" value="${apiId}">`}<input type="search" name="q" value="${q}" aria-label="Search endpoints by purpose, path or ID" placeholder="${apiId === '' ? 'list invoices' : '/invoices'}" autocomplete="off">
<button>Search</button>
</form>
<div id="found">${found}</div>`
}

async function renderApiResults(request: ViewedRequest, q: string): Promise<Html> {
  if (q === '') return html``
  const { catalogue } = request.app
  const named = await findById(request, q)
  const page = { size: APIS, page: parsePageNumber(request.query) }
  const { items, total } = await catalogue.browse({ q, chosen: {}, page })
  const query = new URLSearchParams({ q })
  return html`${named ? html`<ul class="hits"><li>${renderStartLink(named)}</li></ul>` : ''}
<p role="status">${total === 0 ? 'No matching APIs' : `${formatNumber(total)} matching ${total === 1 ? 'API' : 'APIs'}`}</p>
<ul class="hits">${items.map(({ api, facts, matched }) => renderApiHit({ api, endpoints: facts.endpoints, matched }))}</ul>
${pager({ path: START_PATH, query, page: page.page, pageSize: APIS, total })}`
}

function renderApiHit(found: {
  readonly api: Api
  readonly endpoints: number
  readonly matched: BrowsedApi['matched']
}): Html {
  const { api, endpoints, matched } = found
  const query = new URLSearchParams({ api: api.encryptedId })
  return html`<li><h2>${api.name}</h2><p class="soft">${api.vendor.name}</p>
${matched.length > 0 ? html`<ul class="matched">${matched.map((each) => html`<li>${renderStartLink(each)}</li>`)}</ul>` : ''}
<p><a href="${START_PATH}?${query}">${endpoints === 1 ? 'The endpoint' : `All ${formatNumber(endpoints)} endpoints`} of ${api.name}</a></p></li>`
}

async function renderEndpointResults(
  request: ViewedRequest,
  { apiId, q }: { readonly apiId: string; readonly q: string },
): Promise<Html> {
  const { catalogue } = request.app
  const api = await catalogue.getApi(apiId)
  const page = { size: ENDPOINTS, page: parsePageNumber(request.query) }
  const text = q.slice(0, 200)
  const { items, total } = await catalogue.listEndpoints({ apiId: api.id, text }, page)
  const query = new URLSearchParams({ api: apiId, ...(q === '' ? {} : { q }) })
  return html`<h2>Endpoints of ${api.name}</h2>
${items.length === 0 ? emptyState('No matching endpoints', html`<p><a href="${START_PATH}?${new URLSearchParams({ api: apiId })}">All endpoints of the API</a></p>`) : html`<ul class="hits">${items.map((each) => html`<li>${each.isInbound || api.kind !== 'http' ? html`${methodAndPath(each)} <span class="soft">${each.isInbound ? 'called by the vendor' : `of an ${formatApiKind(api.kind)}`}, cannot be tested</span>` : renderStartLink(each)}</li>`)}</ul>`}
${pager({ path: START_PATH, query, page: page.page, pageSize: ENDPOINTS, total })}`
}

async function findById({ app }: ViewedRequest, id: string): Promise<Endpoint | undefined> {
  if (!/^[\w-]{1,40}$/.test(id)) return undefined
  try {
    return await app.catalogue.getEndpoint(id)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined
    throw error
  }
}

function renderStartLink(
  endpoint: Pick<Endpoint, 'shortId' | 'method' | 'url' | 'description'>,
): Html {
  return html`<a href="${toStartPath(endpoint)}">${methodAndPath(endpoint)}</a> <span class="soft">${createExcerpt(endpoint.description, 120)}</span>`
}

function methodAndPath({ method, url }: Pick<Endpoint, 'method' | 'url'>): Html {
  return html`<span class="method">${method}</span> <span class="mono">${url}</span>`
}
