import {
  type Api,
  type DescribedTarget,
  type Endpoint,
  type InputIssue,
  ServiceError,
} from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { ViewedRequest } from '../page.ts'
import { postForm } from '../parts/form.ts'
import { badge, copyable, note } from '../parts/text.ts'
import { toCredentialsPath, toEndpointPath } from './links.ts'
import { type Snippet, toServiceSnippets, toTargetSnippets } from './snippets.ts'
import { isFailure, type ShownCall, type TriedCall, type TriedFailure } from './try-call.ts'
import { callFields, serverChoice, toShape } from './try-fields.ts'

/** What the form was filled in with, and what came of it. */
export interface Tried {
  readonly call: TriedCall
  /** Text of a field as it was sent. */
  readonly texts: (key: string, index: number) => string
  readonly issues: readonly InputIssue[]
  /** Drawn above the form. */
  readonly outcome: Html
  readonly shown: ShownCall | TriedFailure
}

/** Describes what calls of an endpoint take; why it cannot be called, where it cannot. */
export async function describe(
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

/** The form that makes calls, its outcome, and the same call in several languages. */
export function trySection(
  request: ViewedRequest,
  given: {
    readonly api: Api
    readonly endpoint: Endpoint
    readonly target: DescribedTarget
    readonly tried: Tried
  },
): Html {
  const { api, endpoint, target, tried } = given
  const isSafe = ['get', 'head', 'options'].includes(endpoint.method)
  const content = html`<input type="hidden" name="shape" value="${toShape(target)}">
${callFields(target, tried)}
${serverChoice(target, tried.call.server)}
<p><label><input type="checkbox" name="follow" value="yes"${tried.call.followRedirects ? html` checked` : ''}> Follow redirects</label></p>
${isSafe ? '' : html`<p class="soft">${endpoint.method.toUpperCase()} may change something at the target.</p>`}
<p class="row">${target.canSend ? html`<button name="action" value="send">Send</button>` : ''}<button class="second" name="action" value="show"${target.canSend ? html` formnovalidate` : ''}>Show the call</button></p>`
  return html`<h2 id="try">Try it</h2>
${target.canSend ? '' : note('Whoever runs this service lets no calls out: the call can be shown, not sent.', 'warn')}
${credentialNote(target, toCredentialsPath(api, endpoint))}
${tried.outcome}
${postForm({
  action: `${toEndpointPath(api, endpoint)}#answer`,
  formToken: request.formToken,
  hasFiles: true,
  content,
})}
${sameCall(request, { target, tried })}`
}

function credentialNote({ credentials, fields }: DescribedTarget, path: string): Html {
  if (credentials.length > 0) {
    return html`<p>Goes along: ${credentials.map(
      ({ kind, name, isOfApi, placement, placeName, origins }, index) =>
        html`${index > 0 ? '; ' : ''}${badge('Stored credential', 'good')} ${kind}${name ? ` “${name}”` : ''} of ${isOfApi ? 'this API' : 'the vendor'}, in ${placement} <code>${placeName}</code>, to ${origins.join(', ') || 'no address yet'}`,
    )}. <a href="${path}">Change credentials</a></p>`
  }
  return fields.some(({ isSecret }) => isSecret)
    ? html`<p class="soft">No stored credential fits. Enter the key below for this call only, or <a href="${path}">store a credential</a>.</p>`
    : html``
}

function sameCall(
  request: ViewedRequest,
  { target, tried }: { readonly target: DescribedTarget; readonly tried: Tried },
): Html {
  const { shown, call } = tried
  if (isFailure(shown)) {
    return html`<h2 id="code">The same call in code</h2><p class="soft">Fill in what is needed and choose “Show the call”.</p>`
  }
  const refusal = shown.would_be_refused
  return html`<h2 id="code">The same call in code</h2>
${refusal ? note(html`It would not be sent: ${refusal}`, 'warn') : ''}
<p>Through this service, with your key in <code>API_DISCOVERY_KEY</code> and the stored credentials:</p>
${toServiceSnippets({ baseUrl: request.apiUrl, call, target }).map(drawSnippet)}
<p>Straight to the target, as it would be sent; <code>***</code> stands for what is secret:</p>
${toTargetSnippets(shown).map(drawSnippet)}`
}

function drawSnippet({ id, title, text }: Snippet): Html {
  return html`<details><summary>${title}</summary><div class="code">${copyable({ id, text })}</div></details>`
}
