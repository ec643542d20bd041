import { ServiceError } from '../errors.ts'
import type { ClaimedJob } from './records.ts'

/** Describes an error for the log: its code, or its name and message. */
export function toLogReason(error: unknown): string {
  if (error instanceof ServiceError) return error.code
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

/** Describes an error for the job's owner. Hides the message of an unexpected error. */
export function describeFailure(error: unknown, { attempts }: ClaimedJob): string {
  const what = error instanceof ServiceError ? error.message : 'Internal error'
  return attempts === 1 ? what : `${what} (attempt ${attempts})`
}

/**
 * Returns the delay before the next attempt: exponential from one second to one minute, with jitter
 * of up to half.
 */
export function toBackoffMs({ attempts }: ClaimedJob, random: (length: number) => Uint8Array) {
  const longest = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempts - 1))
  const [byte = 0] = random(1)
  return Math.round((longest * (256 + byte)) / 512)
}

const FIRST_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 60_000
