import { ServiceError } from '../../core/http/problems.ts'
import { createUnavailableError, createUnexpectedError } from './kysely/errors.ts'

/** Converts an error of `pg` to a `ServiceError`. */
export function toPostgresError(error: unknown): unknown {
  if (error instanceof ServiceError || !(error instanceof Error)) return error
  const code = getErrorCode(error)
  const reason =
    code === undefined ? undefined : (REASONS.get(code) ?? REASONS.get(code.slice(0, 2)))
  if (reason !== undefined) return createUnavailableError(reason, error)
  return LOST_CONNECTION.test(error.message)
    ? createUnavailableError(NO_SERVER, error)
    : createUnexpectedError(error)
}

/**
 * Returns whether the server rolled a transaction back because of a concurrent one (class 40), so
 * that it may be retried. False if it may have been committed (40003).
 */
export function isRolledBack(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error
  const code = cause instanceof Error ? getErrorCode(cause) : undefined
  return code?.startsWith('40') === true && code !== '40003'
}

const NO_SERVER = 'the database server does not respond'

/** SQLSTATEs and their classes (PostgreSQL appendix A), and socket errors. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['08', NO_SERVER],
  ['57P01', NO_SERVER],
  ['57P02', NO_SERVER],
  ['57P03', NO_SERVER],
  ['57P05', NO_SERVER],
  ['ECONNREFUSED', NO_SERVER],
  ['ECONNRESET', NO_SERVER],
  ['ECONNABORTED', NO_SERVER],
  ['EPIPE', NO_SERVER],
  ['ETIMEDOUT', NO_SERVER],
  ['ENOTFOUND', NO_SERVER],
  ['EAI_AGAIN', NO_SERVER],
  ['EHOSTUNREACH', NO_SERVER],
  ['ENETUNREACH', NO_SERVER],
  ['ENOENT', NO_SERVER],
  ['25006', 'the database server is read-only'],
  ['28', 'the database server rejected the user or password'],
  ['3D000', 'the database does not exist'],
  ['40', 'a concurrent transaction changed the same rows'],
  ['53', 'the database server is out of disk space, memory or connections'],
  ['55P03', 'another process has locked the database'],
])

/** Messages of `pg` and its pool for lost connections without a code. */
const LOST_CONNECTION =
  /connection terminated|timeout exceeded when trying to connect|not queryable|connection error|after calling end|socket|ended/i

/**
 * Returns the error code. If all addresses of a host refuse the connection, the codes are in an
 * `AggregateError`.
 */
function getErrorCode(error: Error): string | undefined {
  const code = 'code' in error ? error.code : undefined
  if (typeof code === 'string') return code
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined
  return first instanceof Error ? getErrorCode(first) : undefined
}
