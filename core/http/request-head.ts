import { ServiceError } from '../errors.ts'
import { isHost } from './client-address.ts'

/** The parts of a request's head that determine its routing and the end of its body. */
export interface RequestHead {
  readonly method: string
  /** Repeated headers are joined with `, `; undefined when absent. */
  readonly host: string | undefined
  readonly contentLength: string | undefined
  readonly transferEncoding: string | undefined
}

/**
 * Returns the error of a request that is rejected before routing: an ambiguous length or an invalid
 * host. A runtime that builds the request's URL from `Host` would route by arbitrary client input.
 */
export function findHeadError(head: RequestHead): ServiceError | undefined {
  const { method, host, contentLength, transferEncoding } = head
  if (host === undefined || !isHost(host)) return BAD_HOST
  if (contentLength !== undefined && !/^[0-9]{1,15}$/.test(contentLength)) return BAD_LENGTH
  if (transferEncoding !== undefined && transferEncoding.toLowerCase() !== 'chunked') {
    return BAD_CODING
  }
  return METHOD.test(method) && method !== 'CONNECT' ? undefined : BAD_METHOD
}

/**
 * Checks for a target in origin form, or an http(s) URL with a host (RFC 9112 3.2); `*` for
 * OPTIONS.
 */
export function isRequestTarget(target: string, method: string): boolean {
  if (target.startsWith('/')) return !target.includes('#')
  return ABSOLUTE.test(target) || (target === '*' && method === 'OPTIONS')
}

/** Returns path and query of a target in absolute form; `/` if it has no path. */
export function toOriginForm(url: string): string {
  const rest = url.slice(url.indexOf('://') + 3)
  const start = rest.search(/[/?#]/)
  const target = start < 0 ? '' : rest.slice(start)
  const fragment = target.indexOf('#')
  const path = fragment < 0 ? target : target.slice(0, fragment)
  return path.startsWith('/') ? path : `/${path}`
}

/** The error for a target that is neither a path nor an http(s) URL. */
export const BAD_TARGET = new ServiceError(
  'invalid_input',
  'Invalid request target: must be a path or an http(s) URL with a host',
)

const ABSOLUTE = /^https?:\/\/[^/?#]+[^#]*$/i
/** Same as node:http, which accepts only registered methods. */
const METHOD = /^[A-Z][A-Z-]{0,31}$/

const BAD_HOST = new ServiceError('invalid_input', 'Invalid Host header: must be one host', {
  issues: [{ in: 'header', name: 'host', message: 'must be one host with an optional port' }],
})
const BAD_LENGTH = new ServiceError(
  'invalid_body',
  'Cannot read the body: Content-Length must be one number',
)
const BAD_CODING = new ServiceError(
  'invalid_body',
  'Cannot read the body: Transfer-Encoding must be chunked',
)
const BAD_METHOD = new ServiceError(
  'invalid_input',
  'Invalid method: must be a method in capital letters, other than CONNECT',
)
