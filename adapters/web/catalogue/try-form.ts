import type { Api, DescribedTarget, Endpoint } from '../../../core/index.ts'
import { html } from '../../../core/shared/html.ts'
import type { ViewedRequest } from '../page.ts'
import { note } from '../parts/text.ts'
import { toEndpointPath } from './links.ts'
import { saveForm } from './save-answer.ts'
import { drawAnswer, drawFailure } from './try-answer.ts'
import { isFailure, sendCall, showCall, type TriedCall, type TriedFailure } from './try-call.ts'
import { readValues, toFirstText, toFirstValues, toName, toShape } from './try-fields.ts'
import type { Tried } from './try-section.ts'

interface Called {
  readonly api: Api
  readonly endpoint: Endpoint
  readonly target: DescribedTarget
}

/** The result of a submitted form, with the page's status. */
export interface Outcome {
  readonly tried: Tried
  readonly status: number
}

/** The initial form, with values from the description. */
export async function showFirst(
  request: ViewedRequest,
  { endpoint, target }: Omit<Called, 'api'>,
): Promise<Tried> {
  const values = toFirstValues(target)
  const call = { ...NOTHING, endpointId: endpoint.shortId, values }
  return {
    call,
    texts: (key) => toFirstText(values, key),
    issues: [],
    outcome: html``,
    shown: await showCall(request, call),
  }
}

/** Sends or previews the submitted call. */
export async function readTried(request: ViewedRequest, called: Called): Promise<Outcome> {
  const call = readCall(request, called)
  const shown = await showCall(request, call)
  if (isStale(request, called)) {
    const outcome = note(
      'The description has changed since the page was loaded. Check the values and send again.',
      'warn',
    )
    return toOutcome(request, { call, shown, outcome, status: 409 })
  }
  if (request.form.text('action') !== 'send') {
    if (isFailure(shown)) return toFailed(request, { call, failure: shown })
    const outcome = html`<div id="answer">${note(html`Nothing was sent. See <a href="#code">the call in code</a>.`)}</div>`
    return toOutcome(request, { call, shown, outcome, status: 200 })
  }
  const answer = await sendCall(request, call)
  if (isFailure(answer)) return toFailed(request, { call, failure: answer, shown })
  const path = toEndpointPath(called.api, called.endpoint)
  const outcome = drawAnswer(answer, saveForm(request, { answer, path }))
  return toOutcome(request, { call, shown, outcome, status: 200 })
}

const NOTHING = { server: undefined, followRedirects: false }

function readCall({ form }: ViewedRequest, { endpoint, target }: Called): TriedCall {
  return {
    endpointId: endpoint.shortId,
    values: readValues(target, form),
    server: form.text('server') || undefined,
    followRedirects: form.text('follow') === 'yes',
  }
}

function isStale({ form }: ViewedRequest, { target }: Called): boolean {
  return form.text('shape') !== toShape(target)
}

function toOutcome(
  { form }: ViewedRequest,
  made: Omit<Tried, 'texts' | 'issues'> & {
    readonly status: number
    readonly issues?: Tried['issues']
  },
): Outcome {
  const { status, issues = [], ...rest } = made
  return { status, tried: { ...rest, issues, texts: (_, index) => form.text(toName(index)) } }
}

/**
 * Sets an error status for failures that the user can fix; a target's failure is not a failure of
 * the page.
 */
function toFailed(
  request: ViewedRequest,
  given: {
    readonly call: TriedCall
    readonly failure: TriedFailure
    readonly shown?: Tried['shown']
  },
): Outcome {
  const { call, failure, shown = failure } = given
  return toOutcome(request, {
    call,
    shown,
    issues: failure.issues,
    outcome: drawFailure(failure),
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
