import type { ErrorCode, ServiceError } from '../errors.ts'

/** Status and title of each error code. */
export const PROBLEM_TYPES = {
  invalid_input: { status: 400, title: 'Invalid request' },
  invalid_body: { status: 400, title: 'Invalid request body' },
  unauthenticated: { status: 401, title: 'Authentication required' },
  forbidden: { status: 403, title: 'Permission denied' },
  call_not_permitted: { status: 403, title: "Call not permitted by the key's policy" },
  consent_missing: { status: 403, title: 'The host has not consented to the test' },
  address_refused: { status: 403, title: 'Address not allowed' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  not_acceptable: { status: 406, title: 'No accepted media type available' },
  conflict: { status: 409, title: 'Conflict with the current state' },
  options_differ: { status: 409, title: 'A test of the endpoint with different options is active' },
  origin_changed: { status: 409, title: 'The API has moved to an unconfirmed origin' },
  ambiguous_selection: { status: 409, title: 'Ambiguous selection' },
  too_large: { status: 413, title: 'Request body too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  invalid_description: { status: 422, title: 'Cannot import the description' },
  too_expensive: { status: 422, title: 'The file takes too much time or memory to parse' },
  no_server: { status: 422, title: 'The endpoint has no callable server' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  budget_exhausted: { status: 429, title: 'Budget exhausted' },
  target_throttled: { status: 429, title: 'Rate limited by the target' },
  internal: { status: 500, title: 'Internal error' },
  not_implemented: { status: 501, title: 'Not implemented' },
  source_failed: { status: 502, title: 'A data source failed' },
  target_unreachable: { status: 502, title: 'Cannot reach the target' },
  target_failed: { status: 502, title: 'Invalid response from the target' },
  storage_unavailable: { status: 503, title: 'Storage unavailable' },
  overloaded: { status: 503, title: 'Service overloaded' },
  target_unavailable: {
    status: 503,
    title: 'Target temporarily unavailable after repeated failures',
  },
  target_timeout: { status: 504, title: 'Target timed out' },
} as const satisfies Readonly<Record<ErrorCode, ProblemType>>

interface ProblemType {
  readonly status: number
  readonly title: string
}

/** Builds an RFC 9457 problem document as plain data. */
export function toProblem(error: ServiceError, requestId: string): Record<string, unknown> {
  const { status, title } = PROBLEM_TYPES[error.code]
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

/** JSON schema of a problem document. */
export const PROBLEM_SCHEMA = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(PROBLEM_TYPES) },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['in', 'name', 'message'],
        properties: {
          in: { type: 'string', enum: ['path', 'query', 'header', 'body', 'form'] },
          name: { type: 'string' },
          message: { type: 'string' },
        },
      },
    },
  },
} as const
