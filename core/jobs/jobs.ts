import { createNotFoundError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import type { Gauge } from '../shared/gauges.ts'
import type { Timers } from '../shared/timers.ts'
import { toLogReason } from './failures.ts'
import type { JobHandler, JobQueue } from './records.ts'
import type { JobStore } from './store.ts'
import { createWorker, type RunOptions, type Worker } from './worker.ts'

/** The job queue and its workers. */
export interface Jobs extends JobQueue {
  /**
   * Runs jobs of all accounts until none is due or, with `until: 'aborted'`, until the signal is
   * aborted. Any number of processes may run jobs from one database; each job has one worker at a
   * time. Rejects if the storage fails while running until idle.
   */
  run(options?: RunOptions): Promise<void>
  readGauges(): Promise<readonly Gauge[]>
  /**
   * Ends every run and releases the jobs in progress, so that another process can run them at once.
   */
  close(): Promise<void>
}

export interface JobDeps {
  readonly store: JobStore
  /** By job kind. Read when jobs are run. */
  readonly handlers: Readonly<Record<string, JobHandler>>
  /** Capabilities of this process that jobs may require; default: none. */
  readonly has?: readonly string[] | undefined
  /** How long ended jobs are retained, in milliseconds; default: 90 days. */
  readonly retentionMs: number | undefined
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
  readonly logger: Logger
}

/** Creates the queue without starting a worker. */
export function createJobs(deps: JobDeps): Jobs {
  const { store, clock } = deps
  const sweep = createJobSweeper({ ...deps, keepMs: deps.retentionMs ?? KEEP_MS })
  const runs = new Map<Worker, Promise<void>>()

  return {
    async add(account, request) {
      const { kind, subject, input, maxAttempts = MAX_ATTEMPTS, save = store.addJob } = request
      const createdAt = clock()
      const job = await save({
        kind,
        accountId: account.id,
        subject,
        lock: request.lock ?? '',
        needs: request.needs ?? '',
        input,
        summary: request.summary ?? '',
        maxAttempts,
        createdAt,
        dueAt: request.dueAt ?? createdAt,
      })
      for (const worker of runs.keys()) worker.wake()
      return job
    },

    find: (account, id) => store.findJob(account, { id }),
    findByNumber: (account, { kind, number }) => store.findJob(account, { kind, number }),
    // Callers may pass a whole request.
    findNewest: (account, { kind, subject }) => store.findJob(account, { kind, subject }),
    list: (account, filter) => store.listJobs(account, filter),

    async cancel(account, id) {
      const job = await store.cancelJob(account, { id, now: clock() })
      if (!job) throw createNotFoundError('Job', id)
      for (const worker of runs.keys()) worker.beat()
      return job
    },

    async cancelAll(kind) {
      const count = await store.cancelJobs({ kind, now: clock() })
      for (const worker of runs.keys()) worker.beat()
      return count
    },

    async run(options = {}) {
      const worker = createWorker({ ...deps, has: deps.has ?? [], sweep }, options)
      const running = worker.run()
      runs.set(worker, running)
      await running.finally(() => runs.delete(worker))
    },

    async readGauges() {
      const counts = await store.countJobs()
      return [
        {
          name: 'jobs',
          help: 'Jobs of the queue, by kind and state.',
          samples: counts.map(({ kind, state, count }) => ({
            labels: { kind, state },
            value: count,
          })),
        },
      ]
    },

    async close() {
      for (const worker of runs.keys()) worker.close()
      await Promise.allSettled(runs.values())
    },
  }
}

const MAX_ATTEMPTS = 5
const KEEP_MS = 90 * 86_400_000

/**
 * Creates a function that deletes expired jobs at most every ten minutes, and sooner while a batch
 * is full. Never throws.
 */
function createJobSweeper(deps: {
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
