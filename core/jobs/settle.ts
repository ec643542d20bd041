import type { Clock, Logger, Random } from '../ports.ts'
import type { Timers } from '../shared/timers.ts'
import { describeFailure, toBackoffMs, toLogReason } from './failures.ts'
import type { Lease } from './lease.ts'
import type { ClaimedJob, JobEnd } from './records.ts'
import type { JobStore } from './store.ts'

/** What a handler returned (`end`) or threw (`error`). */
export interface HandlerOutcome {
  readonly end?: JobEnd
  readonly error?: unknown
}

/** How an attempt was settled. */
export type AttemptOutcome = JobEnd['state'] | 'released' | 'lost'

export interface SettleDeps {
  readonly store: Pick<JobStore, 'endJob' | 'releaseJob'>
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
  readonly logger: Logger
}

/** Stores the outcome of an attempt, retrying while the lease is valid. Never rejects. */
export async function settleAttempt(
  deps: SettleDeps,
  finished: { readonly job: ClaimedJob; readonly lease: Lease; readonly outcome: HandlerOutcome },
): Promise<AttemptOutcome> {
  const { store, clock, timers, logger } = deps
  const { job, lease, outcome } = finished
  if (lease.stopReason() === 'lost') return 'lost'
  const end = toJobEnd(finished)
  if (!outcome.end) {
    const { id, kind, attempts: attempt } = job
    const level = lease.stopReason() === undefined ? 'warn' : 'info'
    logger.log(level, 'job_attempt_failed', {
      id,
      kind,
      attempt,
      reason: toLogReason(outcome.error),
    })
  }
  const waitMs = lease.stopReason() === 'closed' ? 0 : toBackoffMs(job, deps.random)
  for (let tries = 0; tries < toMaxTries(lease); tries += 1) {
    try {
      const now = clock()
      const isStored = end
        ? await store.endJob(job, { ...end, now })
        : await store.releaseJob(job, { now, dueAt: now + waitMs })
      if (!isStored) return 'lost'
      return end?.state ?? 'released'
    } catch (error) {
      logger.log('error', 'job_not_stored', { id: job.id, reason: toLogReason(error) })
      await timers.sleep(RETRY_MS)
    }
  }
  return 'lost'
}

/** Together longer than a lease is valid without the storage. A closing process has less time. */
const MAX_TRIES = 30
const CLOSING_TRIES = 4
const RETRY_MS = 500

function toMaxTries(lease: Lease): number {
  const reason = lease.stopReason()
  if (reason === 'lost') return 0
  return reason === 'closed' ? CLOSING_TRIES : MAX_TRIES
}

/** Determines the end of an attempt's job; undefined if the job is to be retried. */
function toJobEnd({
  job,
  lease,
  outcome,
}: Parameters<typeof settleAttempt>[1]): JobEnd | undefined {
  const { end, error } = outcome
  // A handler aborted by the shutdown has not finished its work.
  if (lease.stopReason() === 'closed') return end?.state === 'aborted' ? undefined : end
  if (end) return end
  if (lease.stopReason() === 'cancelled') {
    return { state: 'aborted', result: '', failure: 'Cancelled' }
  }
  if (job.attempts < job.maxAttempts) return undefined
  return { state: 'failed', result: '', failure: describeFailure(error, job) }
}
