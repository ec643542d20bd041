import { type Html, html } from '../../../core/shared/html.ts'
import { badge, formatNumber, note, type Tone } from '../parts/text.ts'
import type { TriedFailure, TriedResponse } from './try-call.ts'

/** Renders the response of a target as plain text. `save` is added only if the body is complete. */
export function renderResponse(answer: TriedResponse, save: Html): Html {
  const { status, headers, ms, bytes, isWhole } = answer
  const size = `${isWhole ? '' : 'more than '}${formatNumber(bytes.length)} bytes`
  const text = decodeContent(answer)
  return html`<section class="panel" id="answer" aria-labelledby="answer-title"><h2 id="answer-title">Response</h2>
<p class="row" role="status">${badge(`Status ${status}`, chooseStatusTone(status))} <span>${Math.round(ms)} ms</span> <span>${size}</span> <span class="soft">${headers['content-type'] ?? 'no content type'}</span></p>
<details><summary>Headers</summary><dl class="facts">${Object.entries(headers)
    .filter(([name]) => !GATEWAY_HEADERS.has(name))
    .map(([name, value]) => html`<dt>${name}</dt><dd class="mono">${value}</dd>`)}</dl></details>
${
  bytes.length === 0
    ? html`<p class="soft">No content.</p>`
    : text === undefined
      ? html`<p>The content is not text.</p>`
      : html`<pre tabindex="0" aria-label="Content">${text}</pre>`
}${isWhole ? '' : html`<p class="soft">The response is cut off here. To receive all of it, make <a href="#code">the call in code</a>.</p>`}${isWhole && bytes.length > 0 ? save : ''}</section>`
}

/** Renders the reason for a missing response, with advice. */
export function renderFailure({ code, message, issues }: TriedFailure): Html {
  const help = ADVICE[code]
  return html`<section id="answer" aria-labelledby="answer-title"><h2 id="answer-title">No response</h2>
${note(
  html`<p>${message}</p>${issues.length > 0 ? html`<ul>${issues.slice(0, 20).map(({ name, message: what }) => html`<li><strong>${name}</strong> ${what}</li>`)}</ul>` : ''}${help ? html`<p>${help}</p>` : ''}`,
  'bad',
)}</section>`
}

/** Headers added by the gateway. */
const GATEWAY_HEADERS = new Set([
  'content-security-policy',
  'x-content-type-options',
  'content-disposition',
])

const ADVICE: Readonly<Record<string, string>> = {
  no_server:
    'The description contains no absolute address. Import it again with a base URL (--base-url).',
  call_not_permitted:
    'An administrator can change the policy on the page of the key, or with “gateway policies set” on the command line.',
  origin_changed:
    'Check that the new address belongs to the vendor, then store the credential again to confirm it.',
  address_refused:
    'Addresses in this network are blocked unless the operator of the service allows them.',
  budget_exhausted: 'The budget of your key is reset at midnight UTC.',
  not_implemented: 'The operator of this service has disabled calls.',
  target_throttled: 'The target limits the rate of calls. Wait before you try again.',
  target_unavailable: 'The target failed too often and is blocked for a while. Try again later.',
}

function chooseStatusTone(status: number): Tone {
  if (status < 300) return 'good'
  return status < 400 ? 'plain' : status < 500 ? 'warn' : 'bad'
}

const TEXTUAL =
  /^(?:text\/|image\/svg\+xml|application\/(?:[\w.+-]*(?:json|xml|yaml|javascript)|x-www-form-urlencoded|graphql))/i

/** Decodes the content as text, with JSON indented; undefined for anything else. */
function decodeContent({ headers, bytes, isWhole }: TriedResponse): string | undefined {
  const type = headers['content-type'] ?? ''
  const isEncoded = !['', 'identity'].includes(headers['content-encoding'] ?? '')
  if (isEncoded || (type !== '' && !TEXTUAL.test(type))) return undefined
  const text = decodeUtf8(bytes, isWhole)
  if (text === undefined || !isWhole || !/json/i.test(type)) return text
  return indentJson(text)
}

function decodeUtf8(bytes: Uint8Array, isWhole: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: isWhole }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Indents JSON, unless that would change a number. */
export function indentJson(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return JSON.stringify(value) === text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
      ? JSON.stringify(value, undefined, 2)
      : text
  } catch {
    return text
  }
}
