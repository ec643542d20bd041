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

/** What may be logged of anything thrown: its name and message, never its stack. */
export function describeFailure(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
