import { ServiceError } from '../../core/errors.ts'
import { PROBLEM_TYPES } from '../../core/http/problems.ts'
import type { HttpResponse, Logger } from '../../core/index.ts'
import { type Html, html } from '../../core/shared/html.ts'
import { CONSOLE, type PageResult } from './page.ts'

/** An error page of the console. */
export interface Failure {
  readonly status: number
  readonly title: string
  readonly body: Html
  /** Lower-case names, for example `retry-after`. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Headers of every response of the console. Pages load scripts and styles only from this server,
 * and cannot be framed. With a stricter policy than `same-origin`, browsers would omit the origin
 * of a form.
 */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** Creates a response that must not be cached. */
export function toHttpResponse(answer: {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookie?: string | undefined
  readonly body: HttpResponse['body']
}): HttpResponse {
  const { status, headers, cookie, body } = answer
  return {
    status,
    headers: {
      ...HEADERS,
      'cache-control': 'no-store',
      ...headers,
      ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
    },
    body,
  }
}

/** Creates the response of a file or a picture. */
export function toFileResponse(
  answer: Extract<PageResult, { kind: 'file' | 'resource' }>,
): HttpResponse {
  const headers: Record<string, string> = { 'content-type': answer.mediaType }
  if (answer.kind === 'file') {
    headers['content-disposition'] =
      `attachment; filename*=UTF-8''${encodeURIComponent(answer.name)}`
  }
  return toHttpResponse({ status: 200, headers, body: answer.body })
}

/** Creates a redirect that a browser follows with GET. */
export function toRedirect(to: string, cookie?: string): HttpResponse {
  return toHttpResponse({ status: 303, headers: { location: to }, cookie, body: undefined })
}

/**
 * Renders an error page. It contains the message of a `ServiceError`; other errors only get a
 * generic title.
 */
export function renderFailure(error: unknown): Failure {
  const known =
    error instanceof ServiceError
      ? error
      : new ServiceError('internal', PROBLEM_TYPES.internal.title)
  const { status, title } = PROBLEM_TYPES[known.code]
  const words = USER_TITLES[known.code] ?? title
  const body = html`<h1>${words}</h1>
${known.message === words ? '' : html`<p class="lead">${known.message}</p>`}
${toAdvice(known)}
<p><a href="${CONSOLE}/">Go to the overview</a></p>`
  const { headers, retryAfter } = known
  const wait = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return { status, title: words, body, headers: { ...headers, ...wait } }
}

/** Logs the cause of a failure, which the page does not show. */
export function logPageFailure(
  logger: Logger | undefined,
  failure: { readonly error: unknown; readonly path: string },
): void {
  const { error, path } = failure
  const cause = error instanceof ServiceError ? error.cause : error
  const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(error)
  logger?.log('error', 'page_failed', {
    path,
    reason,
    stack: cause instanceof Error ? cause.stack : undefined,
    code: error instanceof ServiceError ? error.code : 'internal',
  })
}

/** Returns advice for the user. */
function toAdvice({ code, retryAfter }: ServiceError): Html {
  if (retryAfter !== undefined) return html`<p>Reload the page in ${retryAfter} s.</p>`
  const isOurs = PROBLEM_TYPES[code].status >= 500
  const advice = ADVICE[code] ?? (isOurs ? ADVICE.internal : undefined)
  return advice ?? html``
}

const ADVICE: Readonly<Record<string, Html>> = {
  forbidden: html`<p>Ask an administrator of the account for the permission. If the page was open for a long time, reload it and submit the form again.</p>`,
  not_found: html`<p>Search the <a href="${CONSOLE}/apis">catalogue</a> or the <a href="${CONSOLE}/scans">scans</a>.</p>`,
  too_large: html`<p>Send less data at a time.</p>`,
  method_not_allowed: html`<p>Start from a page of the navigation: the result of a form cannot be reloaded or bookmarked.</p>`,
  internal: html`<p>Reload the page. If the error persists, report your last action and its time to the operator of this service: the log contains the reason.</p>`,
}

/** Titles for users in place of those for API clients. */
const USER_TITLES: Readonly<Record<string, string>> = {
  forbidden: 'You do not have permission',
  not_found: 'Page not found',
  unauthenticated: 'You are not logged in',
  method_not_allowed: 'This page does not support the request',
  invalid_body: 'Invalid form',
}
