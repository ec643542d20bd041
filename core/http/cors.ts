import type { HttpRequest } from './message.ts'

/**
 * Adds the headers with which pages of the allowed origins may read a response. For `OPTIONS` they
 * also list the methods and headers that a page may send.
 */
export function addCorsHeaders(
  headers: Record<string, string>,
  options: { readonly request: HttpRequest; readonly allowedOrigins: readonly string[] },
): void {
  const { request, allowedOrigins } = options
  const origin = request.header('origin')
  headers.vary = headers.vary ? `${headers.vary}, Origin` : 'Origin'
  if (origin === undefined || !allowedOrigins.includes(origin)) return
  headers['access-control-allow-origin'] = origin
  headers['access-control-expose-headers'] =
    'ETag, Gateway-Error, Gateway-Recording, Ignored-Input, Retry-After, X-Request-Id'
  if (request.method !== 'OPTIONS') return
  headers['access-control-allow-methods'] = headers.allow ?? ''
  headers['access-control-allow-headers'] =
    'api-key, authorization, content-type, vendor, category, base_url, private, if-none-match'
  headers['access-control-max-age'] = '600'
}
