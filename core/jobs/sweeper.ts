import type { Clock, Logger } from '../ports.ts'
import type { Timers } from '../shared/timers.ts'
import { toLogReason } from './failures.ts'
import type { JobStore } from './store.ts'

/**
 * Creates a function that deletes expired jobs at most every ten minutes, and sooner while a batch
 * is full. Never throws.
 */
export function createJobSweeper(deps: {
  readonly store: Pick<JobStore, 'sweepJobs'>
  readonly clock: Clock
  readonly timers: Timers
  readonly logger: Logger
  /** How long ended jobs are retained, in milliseconds. */
  readonly keepMs: number
}): () => Promise<void> {
  const { store, clock, timers, logger, keepMs } = deps
  let dueAt = Number.NEGATIVE_INFINITY
  return async () => {
    const now = timers.now()
    if (now < dueAt) return
    dueAt = now + SWEEP_MS
    try {
      const removed = await store.sweepJobs({ before: clock() - keepMs, limit: JOBS_PER_SWEEP })
      if (removed === JOBS_PER_SWEEP) dueAt = now
    } catch (error) {
      logger.log('error', 'jobs_not_swept', { reason: toLogReason(error) })
    }
  }
}

const SWEEP_MS = 600_000
const JOBS_PER_SWEEP = 200
