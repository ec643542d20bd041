import { ServiceError } from '../../../core/http/problems.ts'

/** Seconds after which a client may try again when the database does not answer. */
const RETRY_AFTER = 2

/** The error that stands for a database out of reach, busy or full; `reason` ends the sentence. */
export function toUnavailable(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('storage_unavailable', `Cannot use the storage: ${reason}`, {
    retryAfter: RETRY_AFTER,
    cause,
  })
}

/** The error that stands for a failure nobody foresaw; what happened is in its cause. */
export function toUnexpected(cause: unknown): ServiceError {
  return new ServiceError('internal', 'Cannot use the storage: the database refused a statement', {
    cause,
  })
}
