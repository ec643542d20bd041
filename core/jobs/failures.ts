import { ServiceError } from '../http/problems.ts'
import type { ClaimedJob } from './records.ts'

/** What went wrong, for the log. */
export function toReason(error: unknown): string {
  if (error instanceof ServiceError) return error.code
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

/** Why a job failed, for whoever asked for it: the text of an unforeseen error stays here. */
export function toFailureText(error: unknown, { attempts }: ClaimedJob): string {
  const what = error instanceof ServiceError ? error.message : 'Internal error'
  return attempts === 1 ? what : `${what} (attempt ${attempts})`
}

/** How long a job waits after an attempt failed: a second, then twice as long each time. */
export function toBackoffMs({ attempts }: ClaimedJob, random: (length: number) => Uint8Array) {
  const longest = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempts - 1))
  const [byte = 0] = random(1)
  return Math.round((longest * (256 + byte)) / 512)
}

const FIRST_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 60_000
