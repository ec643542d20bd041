import { PROBLEMS } from '../../../core/http/problems.ts'
import { DEFAULT_BUDGET, type HostConsent, MAX_BUDGET, ServiceError } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { APIS_PATH } from '../catalogue/links.ts'
import type { PageAnswer, ViewedRequest } from '../page.ts'
import { checkboxes, field, postForm } from '../parts/form.ts'
import { badge, copyable, facts, note } from '../parts/text.ts'
import { endpointLink, findTested, type Tested } from './list-page.ts'
import { RATE_LIMITS_PATH, toRunPath } from './paths.ts'

/** A form for a test of the endpoint that the query names. */
export async function answerNew(request: ViewedRequest): Promise<PageAnswer> {
  const id = (request.query.get('endpoint') ?? '').trim()
  if (id === '') return show(choose('', false))
  const tested = await findTested(request, id)
  if (!tested) return show(choose(id, true), 404)
  return show(await draw(request, tested))
}

/** Starts a test, or shows the one of the endpoint that has not ended. */
export async function answerStart(request: ViewedRequest): Promise<PageAnswer> {
  const { app, form, viewer } = request
  const { account, keyId } = viewer.caller
  const tested = await findTested(request, form.text('endpoint'))
  if (!tested) return show(choose(form.text('endpoint'), true), 404)
  const isTicked = (name: string) => form.all('options').includes(name)
  try {
    const [requests, rate, payloadBytes] = ['requests', 'rate', 'payload_bytes'].map((name) =>
      readNumber(name, form.text(name)),
    )
    const asked = {
      endpointId: tested.endpoint.shortId,
      ...(requests === undefined ? {} : { requests }),
      ...(rate === undefined ? {} : { rate }),
      ...(payloadBytes === undefined ? {} : { payloadBytes }),
      values: readValues(form.text('values')),
      usesCredentials: isTicked('credentials'),
      confirmsUnsafe: isTicked('unsafe'),
    }
    const { run, isNew } = await app.rateLimits.start(asked, { account, keyId })
    const done = isNew ? 'started' : 'already'
    return { kind: 'redirect', to: `${toRunPath(run)}?done=${done}` }
  } catch (error) {
    if (!(error instanceof ServiceError) || PROBLEMS[error.code].status >= 500) throw error
    return show(await draw(request, tested, error), PROBLEMS[error.code].status)
  }
}

function readNumber(name: string, text: string): number | undefined {
  if (text.trim() === '') return undefined
  if (/^[0-9]{1,9}$/.test(text.trim())) return Number(text)
  throw refuse(name, 'must be a whole number')
}

function readValues(text: string): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // Told below.
  }
  throw refuse('values', 'must be a JSON object')
}

function refuse(name: string, message: string): ServiceError {
  const issues = [{ in: 'form' as const, name, message }]
  return new ServiceError('invalid_input', `${name} ${message}`, { issues })
}

function show(content: Html, status = 200): PageAnswer {
  const body = html`<p class="crumbs"><a href="${RATE_LIMITS_PATH}">Rate limits</a></p>
<h1>Start a test</h1>
${content}`
  return { kind: 'page', title: 'Start a test', body, status }
}

function choose(id: string, isUnknown: boolean): Html {
  return html`<p class="lead">A test is of one endpoint. <a href="${APIS_PATH}">Search the catalogue</a>: the page of each endpoint leads here.</p>
<form action="${RATE_LIMITS_PATH}/new">${field({
    name: 'endpoint',
    label: 'Endpoint',
    value: id,
    isRequired: true,
    hint: 'Its short or numeric id.',
    error: isUnknown ? 'There is no such endpoint in the catalogue' : undefined,
  })}<button>Go on</button></form>`
}

async function draw(request: ViewedRequest, tested: Tested, error?: ServiceError): Promise<Html> {
  const { endpoint } = tested
  const { form } = request
  const consent = await findConsent(request, tested)
  const wrong = (...names: readonly string[]) =>
    error?.issues
      .filter(
        (issue) => names.includes(issue.name) || (names[0] === 'values' && !FIELDS.has(issue.name)),
      )
      .map(({ name, message }) => (FIELDS.has(name) ? message : `${name} ${message}`))
      .join('; ') || undefined
  const number = (name: 'requests' | 'rate' | 'payload_bytes', label: string, hint: string) =>
    field({
      name,
      label,
      type: 'number',
      value: form.text(name),
      hint,
      error: wrong(name, name === 'payload_bytes' ? 'payloadBytes' : name),
      more: html`min="0"`,
    })
  const isUnsafe = !['GET', 'HEAD', 'OPTIONS'].includes(endpoint.method.toUpperCase())
  return html`<p class="lead">${endpointLink(tested)}</p>
${error ? note(error.message, 'bad') : ''}
${toConsent(consent)}
<h2>Options</h2>
${postForm({
  action: `${RATE_LIMITS_PATH}/new`,
  formToken: request.formToken,
  content: html`<input type="hidden" name="endpoint" value="${endpoint.shortId}">
${number('requests', 'Requests', `Of all stages together; ${DEFAULT_BUDGET.requests} when empty, at most ${MAX_BUDGET.requests}. Accounts and hosts have a budget for each day (UTC) as well.`)}
${number('rate', 'Requests a second', `${DEFAULT_BUDGET.rate} when empty, at most ${MAX_BUDGET.rate}.`)}
${number('payload_bytes', 'Bytes of the largest body', `${DEFAULT_BUDGET.payloadBytes} when empty, at most ${MAX_BUDGET.payloadBytes}.`)}
${field({ name: 'values', label: 'Parameters', isLong: true, value: form.text('values'), error: wrong('values'), hint: html`A JSON object by their names, such as <code>{"city": "Bern"}</code>; no secrets.`, more: html`rows="4" spellcheck="false"` })}
${checkboxes({
  name: 'options',
  legend: 'More',
  options: [
    { value: 'credentials', label: 'Send the credentials that the account has stored' },
    ...(isUnsafe
      ? [
          {
            value: 'unsafe',
            label: `I know that each ${endpoint.method.toUpperCase()} may change something`,
          },
        ]
      : []),
  ],
  chosen: new Set(form.all('options')),
})}
<button>Start the test</button>`,
})}`
}

const FIELDS = new Set(['requests', 'rate', 'payload_bytes', 'payloadBytes', 'values'])

/** Whether the host is open to tests, or why that cannot be told. */
async function findConsent(
  { app, viewer }: ViewedRequest,
  { endpoint }: Tested,
): Promise<HostConsent | string> {
  try {
    return await app.rateLimits.consent(viewer.caller.account, { endpointId: endpoint.shortId })
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}

function toConsent(consent: HostConsent | string): Html {
  if (typeof consent === 'string') {
    return html`<h2>Consent</h2>${note(html`Cannot be told yet: ${consent}`, 'warn')}`
  }
  if (consent.isGiven) {
    const by = consent.by === 'operator' ? 'the operator' : 'the account’s token'
    return html`<h2>Consent</h2><p>${badge('Given', 'good')} ${consent.host} may be tested, by ${by}.</p>`
  }
  return html`<h2>Consent</h2><p>${badge('Missing', 'bad')} ${consent.host} may not be tested: ${consent.missing}.</p>
${facts([['File at the host', html`<code>${consent.tokenUrl}</code>`]])}
<p>The account’s token, a secret, as its one line:</p>
${copyable({ id: 'token', text: consent.token })}`
}
