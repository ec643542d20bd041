import type { Api, Endpoint } from '../../../core/catalogue/index.ts'
import type { DescribedTarget } from '../../../core/gateway/index.ts'
import { html } from '../../../core/shared/html.ts'
import type { ViewedRequest } from '../page.ts'
import { note } from '../parts/text.ts'
import { toEndpointPath } from './links.ts'
import { renderSaveForm } from './save-response.ts'
import { isFailure, sendCall, showCall, type TriedCall, type TriedFailure } from './try-call.ts'
import {
  computeShape,
  getInitialText,
  getInitialValues,
  readValues,
  toControlName,
} from './try-fields.ts'
import { renderFailure, renderResponse } from './try-response.ts'
import type { Tried } from './try-section.ts'

interface CallTarget {
  readonly api: Api
  readonly endpoint: Endpoint
  readonly target: DescribedTarget
}

/** The result of a submitted form, with the page's status. */
export interface Outcome {
  readonly tried: Tried
  readonly status: number
}

/** Creates the initial form, with values from the description. */
export async function createInitialForm(
  request: ViewedRequest,
  { endpoint, target }: Omit<CallTarget, 'api'>,
): Promise<Tried> {
  const values = getInitialValues(target)
  const call = { ...NO_OPTIONS, endpointId: endpoint.shortId, values }
  return {
    call,
    texts: (key) => getInitialText(values, key),
    issues: [],
    outcome: html``,
    shown: await showCall(request, call),
  }
}

/** Sends or previews the submitted call. */
export async function handleTry(request: ViewedRequest, called: CallTarget): Promise<Outcome> {
  const call = readCall(request, called)
  const shown = await showCall(request, call)
  if (isStale(request, called)) {
    const outcome = note(
      'The description has changed since the page was loaded. Check the values and send again.',
      'warn',
    )
    return createOutcome(request, { call, shown, outcome, status: 409 })
  }
  if (request.form.text('action') !== 'send') {
    if (isFailure(shown)) return createFailedOutcome(request, { call, failure: shown })
    const outcome = html`<div id="answer">${note(html`Nothing was sent. See <a href="#code">the call in code</a>.`)}</div>`
    return createOutcome(request, { call, shown, outcome, status: 200 })
  }
  const answer = await sendCall(request, call)
  if (isFailure(answer)) return createFailedOutcome(request, { call, failure: answer, shown })
  const path = toEndpointPath(called.api, called.endpoint)
  const outcome = renderResponse(answer, renderSaveForm(request, { answer, path }))
  return createOutcome(request, { call, shown, outcome, status: 200 })
}

const NO_OPTIONS = { server: undefined, followRedirects: false }

function readCall({ form }: ViewedRequest, { endpoint, target }: CallTarget): TriedCall {
  return {
    endpointId: endpoint.shortId,
    values: readValues(target, form),
    server: form.text('server') || undefined,
    followRedirects: form.text('follow') === 'yes',
  }
}

function isStale({ form }: ViewedRequest, { target }: CallTarget): boolean {
  return form.text('shape') !== computeShape(target)
}

function createOutcome(
  { form }: ViewedRequest,
  made: Omit<Tried, 'texts' | 'issues'> & {
    readonly status: number
    readonly issues?: Tried['issues']
  },
): Outcome {
  const { status, issues = [], ...rest } = made
  return {
    status,
    tried: { ...rest, issues, texts: (_, index) => form.text(toControlName(index)) },
  }
}

/**
 * Sets an error status for failures that the user can fix; a target's failure is not a failure of
 * the page.
 */
function createFailedOutcome(
  request: ViewedRequest,
  failed: {
    readonly call: TriedCall
    readonly failure: TriedFailure
    readonly shown?: Tried['shown']
  },
): Outcome {
  const { call, failure, shown = failure } = failed
  return createOutcome(request, {
    call,
    shown,
    issues: failure.issues,
    outcome: renderFailure(failure),
    status: STATUSES[failure.code] ?? 200,
  })
}

const STATUSES: Readonly<Record<string, number>> = {
  invalid_input: 400,
  not_found: 404,
  call_not_permitted: 403,
  address_refused: 403,
  consent_missing: 403,
  origin_changed: 409,
  no_server: 422,
  budget_exhausted: 429,
}
