import type { Api, Endpoint } from '../../../core/catalogue/index.ts'
import type { DescribedTarget } from '../../../core/gateway/index.ts'
import { type InputIssue, ServiceError } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { ViewedRequest } from '../page.ts'
import { postForm } from '../parts/form.ts'
import { badge, copyableText, note } from '../parts/text.ts'
import { toCredentialsPath, toEndpointPath } from './links.ts'
import { renderSaveForm } from './save-response.ts'
import { type Snippet, toServiceSnippets, toTargetSnippets } from './snippets.ts'
import {
  isFailure,
  type ShownCall,
  sendCall,
  showCall,
  type TriedCall,
  type TriedFailure,
} from './try-call.ts'
import {
  computeShape,
  getInitialText,
  getInitialValues,
  readValues,
  renderCallFields,
  renderServerChoice,
  toControlName,
} from './try-fields.ts'
import { renderFailure, renderResponse } from './try-response.ts'

/** The submitted values of a form, and the result. */
export interface Tried {
  readonly call: TriedCall
  /** Submitted text of a field. */
  readonly texts: (key: string, index: number) => string
  readonly issues: readonly InputIssue[]
  /** Rendered above the form. */
  readonly outcome: Html
  readonly shown: ShownCall | TriedFailure
}

interface CallTarget {
  readonly api: Api
  readonly endpoint: Endpoint
  readonly target: DescribedTarget
}

/** The result of a submitted form, with the page's status. */
interface Outcome {
  readonly tried: Tried
  readonly status: number
}

/** Describes the call of an endpoint; a message with the reason if it cannot be called. */
export async function findTryTarget(
  { app, viewer }: ViewedRequest,
  { shortId }: Endpoint,
): Promise<DescribedTarget | string> {
  try {
    return await app.gateway.describe(viewer.caller.account, shortId)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'no_server') return error.message
    throw error
  }
}

/** Renders the call form, its result, and the call in several languages. */
export function renderTryForm(
  request: ViewedRequest,
  view: {
    readonly api: Api
    readonly endpoint: Endpoint
    readonly target: DescribedTarget
    readonly tried: Tried
  },
): Html {
  const { api, endpoint, target, tried } = view
  const isSafe = ['get', 'head', 'options'].includes(endpoint.method)
  const content = html`<input type="hidden" name="shape" value="${computeShape(target)}">
${renderCallFields(target, tried)}
${renderServerChoice(target, tried.call.server)}
<p><label><input type="checkbox" name="follow" value="yes"${tried.call.followRedirects ? html` checked` : ''}> Follow redirects</label></p>
${isSafe ? '' : html`<p class="soft">${endpoint.method.toUpperCase()} may change data at the target.</p>`}
<p class="row">${target.canSend ? html`<button name="action" value="send">Send</button>` : ''}<button class="second" name="action" value="show"${target.canSend ? html` formnovalidate` : ''}>Show call</button></p>`
  return html`<h2 id="try">Try it</h2>
${target.canSend ? '' : note('The operator of this service has disabled calls. You can show the call, but not send it.', 'warn')}
${renderCredentialNote(target, toCredentialsPath(api, endpoint))}
${tried.outcome}
${postForm({
  action: `${toEndpointPath(api, endpoint)}#answer`,
  formToken: request.formToken,
  hasFiles: true,
  content,
})}
${renderCallInCode(request, { target, tried })}`
}

function renderCredentialNote({ credentials, fields }: DescribedTarget, path: string): Html {
  if (credentials.length > 0) {
    return html`<p>Sent with the call: ${credentials.map(
      ({ kind, name, isOfApi, placement, placeName, origins }, index) =>
        html`${index > 0 ? '; ' : ''}${badge('Stored credential', 'good')} ${kind}${name ? ` “${name}”` : ''} of ${isOfApi ? 'this API' : 'the vendor'}, in ${placement} <code>${placeName}</code>, to ${origins.join(', ') || 'no address yet'}`,
    )}. <a href="${path}">Change credentials</a></p>`
  }
  return fields.some(({ isSecret }) => isSecret)
    ? html`<p class="soft">No matching credential is stored. Enter the key below for this call only, or <a href="${path}">store a credential</a>.</p>`
    : html``
}

function renderCallInCode(
  request: ViewedRequest,
  { target, tried }: { readonly target: DescribedTarget; readonly tried: Tried },
): Html {
  const { shown, call } = tried
  if (isFailure(shown)) {
    return html`<h2 id="code">Call in code</h2><p class="soft">Fill in the required values and select “Show call”.</p>`
  }
  const refusal = shown.would_be_refused
  return html`<h2 id="code">Call in code</h2>
${refusal ? note(html`The call would be rejected: ${refusal}`, 'warn') : ''}
<p>Through this service, with your key in <code>API_DISCOVERY_KEY</code> and stored credentials:</p>
${toServiceSnippets({ baseUrl: request.apiUrl, call, target }).map(renderSnippet)}
<p>Directly to the target; <code>***</code> replaces secrets:</p>
${toTargetSnippets(shown).map(renderSnippet)}`
}

function renderSnippet({ id, title, text }: Snippet): Html {
  return html`<details><summary>${title}</summary><div class="code">${copyableText({ id, text })}</div></details>`
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
