import type { ServiceError } from '../errors.ts'
import { writeDocument } from '../shared/json-document.ts'
import { stringifyJson } from '../shared/json-text.ts'
import { writeRows } from './json-stream.ts'
import type { HttpRequest, HttpResponse } from './message.ts'
import type { Operation, RawResult, RowsResult, VariantResult } from './operation.ts'
import { PROBLEM_TYPES, toProblem } from './problems.ts'

/** Headers of every response: browsers must not run or store any of them. */
const COMMON_HEADERS = {
  'cache-control': 'private, no-cache',
  vary: 'api-key, Authorization, Accept',
  'x-content-type-options': 'nosniff',
} as const

const JSON_HEADERS = { 'content-type': 'application/json', ...COMMON_HEADERS } as const

/** A response with headers of its own, to which more may be added. */
export interface FreshResponse extends HttpResponse {
  readonly headers: Record<string, string>
}

/** Converts a handler's result into a response. `etag` is undefined for responses without one. */
export function toResponse(
  operation: Operation,
  result: unknown,
  etag: string | undefined,
): FreshResponse {
  const { output } = operation
  const headers = etag === undefined ? { ...JSON_HEADERS } : { ...JSON_HEADERS, etag }
  switch (output.kind) {
    case 'json':
      return { status: 200, headers, body: stringifyJson(result) }
    case 'rows': {
      const rows = result as RowsResult<unknown, unknown, unknown>
      return { status: 200, headers, body: writeRows(rows, output) }
    }
    case 'document':
      return { status: 200, headers, body: writeDocument(result) }
    case 'variants': {
      const { mediaType, body } = result as VariantResult
      return { status: 200, headers: { ...headers, 'content-type': mediaType }, body }
    }
    case 'raw': {
      const raw = result as RawResult
      return { status: raw.status, headers: { ...COMMON_HEADERS, ...raw.headers }, body: raw.body }
    }
    case 'empty':
      return { status: 204, headers: { ...COMMON_HEADERS }, body: undefined }
  }
}

/** Creates the response to a request whose `If-None-Match` matches the current tag. */
export function createNotModifiedResponse(etag: string): FreshResponse {
  return { status: 304, headers: { ...COMMON_HEADERS, etag }, body: undefined }
}

/**
 * Returns whether an `If-None-Match` header contains the tag, by weak comparison (RFC 9110 13.1.2).
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

/**
 * Returns whether responses are forwarded from a target, so that callers must distinguish our
 * failures from its own.
 */
export function isForwarded(operation: Operation | undefined): boolean {
  return operation?.output.kind === 'raw' && operation.output.isPassedOn === true
}

/** Creates a response with a problem document. */
export function toProblemResponse(
  error: ServiceError,
  more: { readonly requestId: string; readonly operation?: Operation | undefined },
): FreshResponse {
  const { status } = PROBLEM_TYPES[error.code]
  const document = {
    ...toProblem(error, more.requestId),
    ...more.operation?.problemMembers?.({ status, detail: error.message }),
  }
  return {
    status,
    headers: {
      ...JSON_HEADERS,
      'content-type': 'application/problem+json',
      ...(error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) }),
      ...(isForwarded(more.operation) ? { 'gateway-error': error.code } : {}),
      ...error.headers,
    },
    body: JSON.stringify(document),
  }
}

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
