import type { Timers } from '../shared/timers.ts'
import { createAlarm } from './alarm.ts'
import {
  type Attempt,
  type AttemptDeps,
  type AttemptRequest,
  type SettledJob,
  startAttempt,
} from './attempt.ts'
import { toLogReason } from './failures.ts'
import { LEASE_MS } from './lease.ts'
import type { Job, JobHandler } from './records.ts'
import type { JobStore } from './store.ts'

/** How a worker runs jobs. */
export interface RunOptions {
  /** Aborting it ends the run and releases the jobs in progress. */
  readonly signal?: AbortSignal | undefined
  /**
   * - `idle` (default): until no job is due or in progress.
   * - `aborted`: until the signal is aborted.
   */
  readonly until?: 'idle' | 'aborted' | undefined
  /** Maximum number of concurrent jobs; default: 4. */
  readonly concurrency?: number | undefined
  /** ID of the only job to run; default: all jobs. */
  readonly only?: number | undefined
  /** Receives the result of each job that this run attempted or ended. Must not throw. */
  readonly onSettled?: ((left: SettledJob) => void) | undefined
}

/** Claims jobs and runs them. */
export interface Worker {
  /** Resolves when the run is over and every job is settled or released. */
  run(): Promise<void>
  /** Looks for due jobs immediately. */
  wake(): void
  /** Checks immediately which of its jobs were cancelled. */
  beat(): void
  close(): void
}

export interface WorkerDeps extends Omit<AttemptDeps, 'onSettled'> {
  readonly store: JobStore
  readonly timers: Timers
  /** By job kind. */
  readonly handlers: Readonly<Record<string, JobHandler>>
  /** Capabilities of this process. Jobs that need others are left to other workers. */
  readonly has: readonly string[]
  /** Deletes expired jobs if it is time. */
  readonly sweep: () => Promise<void>
}

/**
 * Creates a worker. If the storage fails, a run until idle rejects; a run until aborted continues
 * polling.
 */
export function createWorker(deps: WorkerDeps, options: RunOptions): Worker {
  const { store, clock, timers, handlers, has, logger } = deps
  const { until = 'idle', concurrency = CONCURRENCY, only: id, onSettled } = options
  const alarm = createAlarm(timers)
  const attempts = new Set<Attempt>()
  let isClosed = false
  let isFailing = false

  function startJob(request: AttemptRequest): void {
    const attempt = startAttempt({ ...deps, onSettled }, request)
    attempts.add(attempt)
    void attempt.ended.then(() => {
      attempts.delete(attempt)
      alarm.ring()
    })
  }

  function reportEndedJob(job: Job): void {
    const { id, number, kind, accountId, subject, attempts, failure: why } = job
    const as = job.state === 'aborted' ? 'aborted' : 'failed'
    logger.log('info', 'job_left', { id, kind, attempt: attempts, as })
    onSettled?.({
      id,
      number,
      kind,
      accountId,
      subject,
      attempts,
      outcome: as,
      reason: why,
      durationMs: undefined,
    })
  }

  /**
   * Starts jobs up to the concurrency limit; returns true if none is in progress and none is due.
   */
  async function startDueJobs(): Promise<boolean> {
    const kinds = Object.keys(handlers)
    while (!isClosed && attempts.size < concurrency) {
      const isFree = attempts.size === 0
      const claimedAt = timers.now()
      const job = await store.claimJob({
        ...{ kinds, has, id, now: clock(), leaseMs: LEASE_MS },
        onEnded: reportEndedJob,
      })
      const handler = job && handlers[job.kind]
      if (!handler) return isFree
      if (isClosed) await store.releaseJob(job, { now: clock(), dueAt: clock() })
      else startJob({ job, handler, claimedAt })
    }
    return false
  }

  async function startDueJobsOrLog(): Promise<boolean> {
    try {
      const isIdle = await startDueJobs()
      isFailing = false
      return isIdle
    } catch (error) {
      if (until === 'idle') throw error
      if (!isFailing) logger.log('error', 'jobs_not_claimed', { reason: toLogReason(error) })
      isFailing = true
      return false
    }
  }

  function close(): void {
    isClosed = true
    for (const attempt of attempts) attempt.close()
    alarm.ring()
  }

  return {
    async run() {
      options.signal?.addEventListener('abort', close, { once: true })
      if (options.signal?.aborted) close()
      try {
        while (!isClosed) {
          const isIdle = await startDueJobsOrLog()
          await deps.sweep()
          if (isIdle && until === 'idle') return
          await alarm.wait(POLL_MS)
        }
      } finally {
        options.signal?.removeEventListener('abort', close)
        close()
        await Promise.all([...attempts].map(({ ended }) => ended))
      }
    },
    wake: alarm.ring,
    beat() {
      for (const attempt of attempts) attempt.beat()
    },
    close,
  }
}

/** How often to poll for jobs that other processes have queued. */
const POLL_MS = 800
const CONCURRENCY = 4
