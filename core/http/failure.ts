import type { Logger, LogLevel } from '../ports.ts'
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
 * Whether a failure is this service's own, for its operator to look at; false for those of callers
 * and targets, and for what is not built yet.
 */
export function isOwnFailure({ code }: ServiceError): boolean {
  if (PROBLEMS[code].status < 500 || code.startsWith('target_')) return false
  return code !== 'not_implemented' && code !== 'overloaded'
}

/**
 * Logs what a handler, or the stream of its answer, threw, without its stack: as an error when it is
 * this service's own failure, for debugging when it is a refusal or nobody waits for the answer any
 * more.
 */
export function logFailure(
  logger: Logger | undefined,
  failure: {
    readonly error: unknown
    readonly hasClientGone: boolean
    /** Whose stream failed. */
    readonly response?: HttpResponse | undefined
  },
): void {
  if (!logger) return
  const { error, response } = failure
  const requestId = response?.headers['x-request-id']
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  logger.log(toLevel(failure), 'request_failed', {
    ...(requestId === undefined ? {} : { request_id: requestId }),
    reason,
  })
}

function toLevel({ error, hasClientGone, response }: Parameters<typeof logFailure>[1]): LogLevel {
  if (hasClientGone) return 'debug'
  if (error instanceof ServiceError) {
    if (PROBLEMS[error.code].status < 500) return 'debug'
    return isOwnFailure(error) ? 'error' : 'info'
  }
  // What is passed on and fails in the middle is somebody else's failure.
  return response?.fail ? 'info' : 'error'
}
