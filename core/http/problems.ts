/** Codes that clients branch on, with the status each is answered with (contract section 2). */
export const PROBLEMS = {
  invalid_input: { status: 400, title: 'The request is not valid' },
  invalid_body: { status: 400, title: 'The body cannot be read' },
  unauthenticated: { status: 401, title: 'Authentication is required' },
  forbidden: { status: 403, title: 'Permission denied' },
  call_not_permitted: { status: 403, title: 'The policy of the key does not permit this call' },
  consent_missing: { status: 403, title: 'The host has not consented to be tested' },
  address_refused: { status: 403, title: 'The service does not connect to this address' },
  not_found: { status: 404, title: 'There is no such thing' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  not_acceptable: { status: 406, title: 'None of the accepted media types is available' },
  conflict: { status: 409, title: 'The request conflicts with what exists' },
  options_differ: { status: 409, title: 'A test of the endpoint with other options has not ended' },
  origin_changed: { status: 409, title: 'The API has moved to an origin that was not confirmed' },
  ambiguous_selection: { status: 409, title: 'The request selects several where one is meant' },
  too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The media type is not supported' },
  invalid_description: { status: 422, title: 'The description cannot be imported' },
  too_expensive: { status: 422, title: 'The file takes too much time or memory to read' },
  no_server: { status: 422, title: 'The endpoint has no server that can be called' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  budget_exhausted: { status: 429, title: 'The budget is used up' },
  target_throttled: { status: 429, title: 'The target has asked for fewer calls' },
  internal: { status: 500, title: 'Something went wrong here' },
  not_implemented: { status: 501, title: 'Not built yet' },
  source_failed: { status: 502, title: 'A source of data did not answer as it should' },
  target_unreachable: { status: 502, title: 'The target cannot be reached' },
  target_failed: { status: 502, title: 'The target did not answer as it should' },
  storage_unavailable: { status: 503, title: 'The storage does not answer' },
  overloaded: { status: 503, title: 'The service is busy' },
  target_unavailable: { status: 503, title: 'The target has failed too often to be called now' },
  target_timeout: { status: 504, title: 'The target took too long' },
} as const

export type ProblemCode = keyof typeof PROBLEMS

/** One thing that is wrong with an input. */
export interface InputIssue {
  /** Where it was looked for. */
  readonly in: 'path' | 'query' | 'header' | 'body' | 'form'
  readonly name: string
  readonly message: string
}

/** The one error class: a stable code, and a text without secrets, SQL or paths. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ProblemCode
  readonly issues: readonly InputIssue[]
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined
  /** More members of the problem document. */
  readonly extra: Readonly<Record<string, unknown>>
  /** More headers of the answer, with lower-case names; `retry-after` comes from `retryAfter`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ProblemCode,
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

/** An RFC 9457 problem document as plain data. */
export function toProblem(error: ServiceError, requestId: string): Record<string, unknown> {
  const { status, title } = PROBLEMS[error.code]
  return {
    type: 'about:blank',
    title,
    status,
    detail: error.message,
    code: error.code,
    request_id: requestId,
    ...(error.issues.length > 0 ? { errors: error.issues } : {}),
    ...error.extra,
  }
}
