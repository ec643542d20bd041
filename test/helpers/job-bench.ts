import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createJobs, type Jobs } from '../../core/jobs/jobs.ts'
import type { JobHandler, JobRequest } from '../../core/jobs/records.ts'
import type { JobStore } from '../../core/jobs/store.ts'
import type { RunOptions } from '../../core/jobs/worker.ts'
import type { LogValue } from '../../core/ports/logger.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import type { Account } from '../../core/shared/account.ts'
import type { Timers } from '../../core/shared/timers.ts'
import { createVirtualClock } from './limiters/virtual-clock.ts'

export const ADA: Account = { id: 'acc_ada', name: 'ada' }

/** Jobs with in-memory SQLite storage and virtual time. */
export interface JobBench {
  readonly jobs: Jobs
  readonly store: JobStore
  readonly timers: Timers
  readonly clock: () => number
  /** Number of pending sleeps. */
  readonly waiting: () => number
  /** Log entries: `event` and its fields. */
  readonly logged: readonly Readonly<Record<string, LogValue>>[]
  /** Queues a job of kind `sample`. */
  add(request?: Partial<JobRequest>): Promise<number>
  /** Creates the jobs of another process with the same storage. */
  another(handlers: Readonly<Record<string, JobHandler>>, has?: readonly string[]): Jobs
  /** Runs jobs for `ms` milliseconds, then closes. */
  runFor(ms: number, options?: RunOptions): Promise<void>
}

/** Runs `work` in virtual time. `change` can wrap the storage of the service. */
export async function withJobs(
  given: {
    readonly handlers: Readonly<Record<string, JobHandler>>
    readonly keepMs?: number
    readonly change?: (store: JobStore) => JobStore
  },
  work: (bench: JobBench) => Promise<void>,
): Promise<void> {
  const { handlers, keepMs, change = (store) => store } = given
  const { timers, clock, waiting, run } = createVirtualClock()
  const storage: FullStorage = await openSqlite({ file: ':memory:', clock })
  const logged: Readonly<Record<string, LogValue>>[] = []
  const create = (
    of: Readonly<Record<string, JobHandler>>,
    store: JobStore,
    has?: readonly string[],
  ) =>
    createJobs({
      store,
      handlers: of,
      has,
      retentionMs: keepMs,
      clock,
      timers,
      random: (length) => new Uint8Array(length),
      logger: { log: (level, event, fields) => logged.push({ level, event, ...fields }) },
    })
  const jobs = create(handlers, change(storage.jobs))
  await run(() =>
    work({
      jobs,
      store: storage.jobs,
      timers,
      clock,
      waiting,
      logged,
      another: (of, has) => create(of, storage.jobs, has),
      async add(request = {}) {
        const job = await jobs.add(ADA, { kind: 'sample', subject: '', input: '{}', ...request })
        return job.id
      },
      async runFor(ms, options) {
        const closing = new AbortController()
        const running = jobs.run({ until: 'aborted', signal: closing.signal, ...options })
        await timers.sleep(ms)
        closing.abort()
        await running
      },
    }),
  )
  await storage.close()
}
