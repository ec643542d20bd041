import { ServiceError } from '../errors.ts'
import type { Logger, LogLevel } from '../ports/logger.ts'
import type { HttpResponse } from './message.ts'
import { PROBLEM_TYPES, toProblem } from './problems.ts'

/**
 * Creates an adapter's problem document for a handler that failed. A `ServiceError` is described as
 * it is; any other error becomes `internal`, without its message.
 */
export function toFailureResponse(
  error: unknown,
  requestId: string = crypto.randomUUID(),
): HttpResponse {
  const known =
    error instanceof ServiceError
      ? error
      : new ServiceError('internal', PROBLEM_TYPES.internal.title)
  return {
    status: PROBLEM_TYPES[known.code].status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
    body: JSON.stringify(toProblem(known, requestId)),
  }
}

/**
 * Returns whether a failure is this service's own and needs its operator's attention. False for
 * failures of callers and targets, and for operations that are not implemented.
 */
function isOwnFailure({ code }: ServiceError): boolean {
  if (PROBLEM_TYPES[code].status < 500 || code.startsWith('target_')) return false
  return code !== 'not_implemented' && code !== 'overloaded'
}

/**
 * Logs an error of a handler or of its response stream, without the stack. The level is `error` for
 * the service's own failures. It is `debug` for refusals, and if the client has disconnected.
 */
export function logRequestFailure(
  logger: Logger | undefined,
  failure: {
    readonly error: unknown
    readonly hasClientGone: boolean
    /** The response whose stream failed. */
    readonly response?: HttpResponse | undefined
  },
): void {
  if (!logger) return
  const { error, response } = failure
  const requestId = response?.headers['x-request-id']
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  logger.log(toFailureLogLevel(failure), 'request_failed', {
    ...(requestId === undefined ? {} : { request_id: requestId }),
    reason,
  })
}

/** Logs the cause by class and message; neither contains a key. */
export function logDispatchFailure(
  logger: Logger,
  failure: ServiceError,
  request: { readonly requestId: string; readonly path: string },
): void {
  const { cause, code } = failure
  const isOurs = isOwnFailure(failure)
  logger.log(isOurs ? 'error' : 'info', 'failure', {
    request_id: request.requestId,
    path: request.path,
    code,
    reason: cause instanceof Error ? `${cause.name}: ${cause.message}` : failure.message,
    stack: isOurs && cause instanceof Error ? cause.stack : undefined,
  })
}

function toFailureLogLevel({
  error,
  hasClientGone,
  response,
}: Parameters<typeof logRequestFailure>[1]): LogLevel {
  if (hasClientGone) return 'debug'
  if (error instanceof ServiceError) {
    if (PROBLEM_TYPES[error.code].status < 500) return 'debug'
    return isOwnFailure(error) ? 'error' : 'info'
  }
  // A forwarded stream that fails midway is the target's failure.
  return response?.fail ? 'info' : 'error'
}
