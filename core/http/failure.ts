import type { Logger } from '../ports.ts'
import type { HttpResponse } from './message.ts'
import { PROBLEMS, ServiceError, toProblem } from './problems.ts'

/**
 * The answer of an adapter when the handler gave none: a problem document. A `ServiceError` speaks
 * for itself; anything else is `internal`, without its text.
 */
export function toFailure(error: unknown): HttpResponse {
  const known =
    error instanceof ServiceError ? error : new ServiceError('internal', PROBLEMS.internal.title)
  return {
    status: PROBLEMS[known.code].status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
    body: JSON.stringify(toProblem(known, crypto.randomUUID())),
  }
}

/**
 * Logs what a handler threw, without its stack: as an error, unless it is a refusal of the service
 * or nobody waits for the answer any more.
 */
export function logFailure(
  logger: Logger | undefined,
  failure: { readonly error: unknown; readonly hasClientGone: boolean },
): void {
  const { error, hasClientGone } = failure
  const isExpected =
    hasClientGone || (error instanceof ServiceError && PROBLEMS[error.code].status < 500)
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  logger?.log(isExpected ? 'debug' : 'error', 'request_failed', { reason })
}
