import { PROBLEM_TYPES } from '../../../core/http/problems.ts'
import { type DescribedTarget, ServiceError, type TestTarget } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { canStore, computeShape, getInitialValues, readValues } from '../catalogue/try-fields.ts'
import { findTryTarget } from '../catalogue/try-section.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { emptyState, note } from '../parts/text.ts'
import { endpointLink, findTested, type Tested } from './list-page.ts'
import { RATE_LIMITS_PATH, toRunPath } from './paths.ts'
import { renderStartConditions } from './start-conditions.ts'
import { renderStartForm } from './start-form.ts'
import { renderEndpointSearch } from './start-search.ts'

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
