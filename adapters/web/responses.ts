import type { HttpResponse } from '../../core/index.ts'

/**
 * What every answer of the console carries. Pages run scripts and styles of this server alone, and
 * stand in nobody's frame. `same-origin`: with less, browsers would not say where a form comes from.
 */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** An answer that no cache keeps. */
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
