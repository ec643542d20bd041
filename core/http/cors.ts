import type { HttpRequest } from './message.ts'

/** Lets pages of the allowed origins read an answer; `OPTIONS` answers tell what they may send. */
export function addCorsHeaders(
  headers: Record<string, string>,
  asked: { readonly request: HttpRequest; readonly allowedOrigins: readonly string[] },
): void {
  const { request, allowedOrigins } = asked
  const origin = request.header('origin')
  headers.vary = headers.vary ? `${headers.vary}, Origin` : 'Origin'
  if (origin === undefined || !allowedOrigins.includes(origin)) return
  headers['access-control-allow-origin'] = origin
  headers['access-control-expose-headers'] =
    'ETag, Gateway-Error, Gateway-Recording, Retry-After, X-Request-Id'
  if (request.method !== 'OPTIONS') return
  headers['access-control-allow-methods'] = headers.allow ?? ''
  headers['access-control-allow-headers'] =
    'api-key, authorization, content-type, vendor, category, base_url, private, if-none-match'
  headers['access-control-max-age'] = '600'
}
