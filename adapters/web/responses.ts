import type { HttpResponse } from '../../core/index.ts'
import type { PageResult } from './page.ts'

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
