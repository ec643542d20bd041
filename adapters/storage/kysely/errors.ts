import { ServiceError } from '../../../core/errors.ts'

/** Seconds after which a client may retry if the database does not respond. */
const RETRY_AFTER = 2

/** Creates the error for an unavailable, busy or full database; `reason` ends the sentence. */
export function createUnavailableError(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('storage_unavailable', `Cannot use the storage: ${reason}`, {
    retryAfter: RETRY_AFTER,
    cause,
  })
}

/** Creates the error for an unexpected failure, described by its cause. */
export function createUnexpectedError(cause: unknown): ServiceError {
  return new ServiceError('internal', 'Cannot use the storage: unexpected database error', {
    cause,
  })
}
