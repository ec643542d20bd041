import { PROBLEMS, ServiceError } from '../../core/http/problems.ts'
import { type Html, html } from '../../core/shared/html.ts'
import { CONSOLE } from './page.ts'

/** What went wrong as the console tells it. */
export interface Failure {
  readonly status: number
  readonly title: string
  readonly body: Html
  /** Lower case; such as `retry-after`. */
  readonly headers: Readonly<Record<string, string>>
}

/** Tells of a failure: its own words where they are meant for callers, else no more than that it was. */
export function renderFailure(error: unknown): Failure {
  const known =
    error instanceof ServiceError ? error : new ServiceError('internal', PROBLEMS.internal.title)
  const { status, title } = PROBLEMS[known.code]
  const words = HELP[known.code] ?? title
  const body = html`<h1>${words}</h1>
${known.message === words ? '' : html`<p class="lead">${known.message}</p>`}
${toAdvice(known)}
<p><a href="${CONSOLE}/">To the overview</a></p>`
  const { headers, retryAfter } = known
  const wait = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return { status, title: words, body, headers: { ...headers, ...wait } }
}

/** What to do about it. */
function toAdvice({ code, retryAfter }: ServiceError): Html {
  if (retryAfter !== undefined) return html`<p>Load the page again in ${retryAfter} s.</p>`
  const isOurs = PROBLEMS[code].status >= 500
  const advice = ADVICE[code] ?? (isOurs ? ADVICE.internal : undefined)
  return advice ?? html``
}

const ADVICE: Readonly<Record<string, Html>> = {
  forbidden: html`<p>An administrator of the account changes what you may do. A form whose page was too old works when the page is loaded again.</p>`,
  not_found: html`<p>Look for it in the <a href="${CONSOLE}/apis">catalogue</a> or among the <a href="${CONSOLE}/scans">scans</a>.</p>`,
  too_large: html`<p>Send less at a time.</p>`,
  method_not_allowed: html`<p>Begin from a page of the navigation: reloading or bookmarking the answer to a form leads here.</p>`,
  internal: html`<p>Load the page again. If that does not help, tell whoever runs this service what you did and when: its log holds the reason.</p>`,
}

/** What a person reads where the title for clients speaks of keys and bodies. */
const HELP: Readonly<Record<string, string>> = {
  forbidden: 'You may not do this',
  not_found: 'Page not found',
  unauthenticated: 'You are not logged in',
  method_not_allowed: 'This page cannot be used that way',
  invalid_body: 'The form cannot be read',
}
