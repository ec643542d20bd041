import type { Timers } from '../shared/timers.ts'
import { createAlarm } from './alarm.ts'
import {
  type Attempt,
  type AttemptDeps,
  type AttemptGiven,
  type LeftJob,
  startAttempt,
} from './attempt.ts'
import { toReason } from './failures.ts'
import { LEASE_MS } from './lease.ts'
import type { Job, JobHandler } from './records.ts'
import type { JobStore } from './store.ts'

/** How jobs are done. */
export interface RunOptions {
  /** Ends the run: jobs that are being done are given back. */
  readonly signal?: AbortSignal | undefined
  /**
   * `idle`, when absent: until no job is due and none is being done. `aborted`: until the signal
   * says so.
   */
  readonly until?: 'idle' | 'aborted' | undefined
  /** Jobs at the same time; 4 when absent. */
  readonly concurrency?: number | undefined
  /** Id of the one job that is done; all when absent. */
  readonly only?: number | undefined
  /** Is told what became of each job that this run was doing, or has ended; must not throw. */
  readonly onLeft?: ((left: LeftJob) => void) | undefined
}

/** One who claims jobs and has them done. */
export interface Worker {
  /** Resolves when it is over and all is given back. */
  run(): Promise<void>
  /** Looks for jobs at once. */
  wake(): void
  /** Looks at once which of its jobs were cancelled. */
  beat(): void
  close(): void
}

/** What a worker is made with. */
export interface WorkerDeps extends Omit<AttemptDeps, 'onLeft'> {
  readonly store: JobStore
  readonly timers: Timers
  /** By kind of job. */
  readonly handlers: Readonly<Record<string, JobHandler>>
  /** What jobs may need and this process has: it leaves others to other workers. */
  readonly has: readonly string[]
  /** Removes old jobs when it is time. */
  readonly sweep: () => Promise<void>
}

/** Creates a worker. When the storage fails, it throws in a run until idle, else it goes on. */
export function createWorker(deps: WorkerDeps, options: RunOptions): Worker {
  const { store, clock, timers, handlers, has, logger } = deps
  const { until = 'idle', concurrency = CONCURRENCY, only: id, onLeft } = options
  const alarm = createAlarm(timers)
  const attempts = new Set<Attempt>()
  let isClosed = false
  let isFailing = false

  function start(given: AttemptGiven): void {
    const attempt = startAttempt({ ...deps, onLeft }, given)
    attempts.add(attempt)
    void attempt.ended.then(() => {
      attempts.delete(attempt)
      alarm.ring()
    })
  }

  function tellEnded(job: Job): void {
    const { id, number, kind, accountId, subject, attempts, failure: why } = job
    const as = job.state === 'aborted' ? 'aborted' : 'failed'
    logger.log('info', 'job_left', { id, kind, attempt: attempts, as })
    onLeft?.({ id, number, kind, accountId, subject, attempts, as, why, ms: undefined })
  }

  /** Starts as many jobs as may be; true when none was being done and none is due. */
  async function fill(): Promise<boolean> {
    const kinds = Object.keys(handlers)
    while (!isClosed && attempts.size < concurrency) {
      const isFree = attempts.size === 0
      const claimedAt = timers.now()
      const job = await store.claimJob({
        ...{ kinds, has, id, now: clock(), leaseMs: LEASE_MS },
        onEnded: tellEnded,
      })
      const handler = job && handlers[job.kind]
      if (!handler) return isFree
      if (isClosed) await store.releaseJob(job, { now: clock(), dueAt: clock() })
      else start({ job, handler, claimedAt })
    }
    return false
  }

  async function fillOrTell(): Promise<boolean> {
    try {
      const isIdle = await fill()
      isFailing = false
      return isIdle
    } catch (error) {
      if (until === 'idle') throw error
      if (!isFailing) logger.log('error', 'jobs_not_claimed', { reason: toReason(error) })
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
          const isIdle = await fillOrTell()
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

/** How often it is looked for jobs that other processes have queued. */
const POLL_MS = 800
const CONCURRENCY = 4
