/** Stable codes for clients (contract section 2). */
export type ErrorCode =
  | 'invalid_input'
  | 'invalid_body'
  | 'unauthenticated'
  | 'forbidden'
  | 'call_not_permitted'
  | 'consent_missing'
  | 'address_refused'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'conflict'
  | 'options_differ'
  | 'origin_changed'
  | 'ambiguous_selection'
  | 'too_large'
  | 'unsupported_media_type'
  | 'invalid_description'
  | 'too_expensive'
  | 'no_server'
  | 'too_many_requests'
  | 'budget_exhausted'
  | 'target_throttled'
  | 'internal'
  | 'not_implemented'
  | 'source_failed'
  | 'target_unreachable'
  | 'target_failed'
  | 'storage_unavailable'
  | 'overloaded'
  | 'target_unavailable'
  | 'target_timeout'

/** One problem of an input. */
export interface InputIssue {
  /** Location in the request. */
  readonly in: 'path' | 'query' | 'header' | 'body' | 'form'
  readonly name: string
  readonly message: string
}

/**
 * The only error class: a stable code, and a message without secrets, SQL or paths.
 *
 * @example
 * ```ts
 * import { ServiceError } from 'api-discovery'
 * import { readBom } from 'api-discovery/boms'
 *
 * try {
 *   readBom('{}')
 * } catch (error) {
 *   if (!(error instanceof ServiceError)) throw error
 *   error.code // 'invalid_description'
 * }
 * ```
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly issues: readonly InputIssue[]
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined
  /** Additional members of the problem document. */
  readonly extra: Readonly<Record<string, unknown>>
  /** Additional response headers, with lower-case names; `retryAfter` sets `retry-after`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    detail: string,
    more: {
      readonly issues?: readonly InputIssue[]
      readonly retryAfter?: number
      readonly extra?: Readonly<Record<string, unknown>>
      readonly headers?: Readonly<Record<string, string>>
      readonly cause?: unknown
    } = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause })
    this.code = code
    this.issues = more.issues ?? []
    this.retryAfter = more.retryAfter
    this.extra = more.extra ?? {}
    this.headers = more.headers ?? {}
  }
}

/** Creates the error for a missing resource: `Job 7 not found`, `API "x" not found`. */
export function createNotFoundError(resource: string, id?: string | number): ServiceError {
  const shownId = typeof id === 'string' ? ` "${id}"` : id === undefined ? '' : ` ${id}`
  return new ServiceError('not_found', `${resource}${shownId} not found`)
}

/** Returns the code of an error, for logs; `unknown` for other errors than a `ServiceError`. */
export function getErrorCode(error: unknown): string {
  return error instanceof ServiceError ? error.code : 'unknown'
}
