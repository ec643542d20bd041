import { writeDocument } from '../shared/json-document.ts'
import { toJson } from '../shared/json-text.ts'
import { writeRows } from './json-stream.ts'
import type { HttpResponse } from './message.ts'
import type { Operation, RawResult, RowsResult, VariantResult } from './operation.ts'
import { PROBLEMS, type ServiceError, toProblem } from './problems.ts'

/** Headers of every answer; nothing here is meant for a browser to run, and nothing to be kept. */
const COMMON = {
  'cache-control': 'private, no-cache',
  vary: 'api-key, Authorization, Accept',
  'x-content-type-options': 'nosniff',
} as const

const JSON_HEADERS = { 'content-type': 'application/json', ...COMMON } as const

/** A response whose headers are its own, so that more may be added. */
export interface FreshResponse extends HttpResponse {
  readonly headers: Record<string, string>
}

/** Turns what a handler returned into a response. `etag` is undefined for answers that have none. */
export function toResponse(
  operation: Operation,
  result: unknown,
  etag: string | undefined,
): FreshResponse {
  const { output } = operation
  const headers = etag === undefined ? { ...JSON_HEADERS } : { ...JSON_HEADERS, etag }
  switch (output.kind) {
    case 'json':
      return { status: 200, headers, body: toJson(result) }
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
      return { status: raw.status, headers: { ...COMMON, ...raw.headers }, body: raw.body }
    }
    case 'empty':
      return { status: 204, headers: { ...COMMON }, body: undefined }
  }
}

/** The answer to a request whose `If-None-Match` names what we would send. */
export function toNotModified(etag: string): FreshResponse {
  return { status: 304, headers: { ...COMMON, etag }, body: undefined }
}

/** True when an `If-None-Match` header holds the tag, weakly compared (RFC 9110 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

/** True where callers have to tell our failures from those of somebody else. */
export function isPassedOn(operation: Operation | undefined): boolean {
  return operation?.output.kind === 'raw' && operation.output.isPassedOn === true
}

/** A problem document as a response. */
export function toProblemResponse(
  error: ServiceError,
  more: { readonly requestId: string; readonly operation?: Operation | undefined },
): FreshResponse {
  const document = {
    ...toProblem(error, more.requestId),
    ...more.operation?.problemMembers?.(error.message),
  }
  return {
    status: PROBLEMS[error.code].status,
    headers: {
      ...JSON_HEADERS,
      'content-type': 'application/problem+json',
      ...(error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) }),
      ...(isPassedOn(more.operation) ? { 'gateway-error': error.code } : {}),
      ...error.headers,
    },
    body: JSON.stringify(document),
  }
}
