import { ServiceError } from '../../errors.ts'
import type { JobEnd, JobHandler } from '../../jobs/records.ts'
import type { JobStore } from '../../jobs/store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import { hash53 } from '../../shared/ids.ts'
import type { Timers } from '../../shared/timers.ts'
import type { SyncSourceResult, VulnerabilitySyncOptions } from './options.ts'
import { formatResults, readSyncRuns, SYNC_KIND, SYNC_OWNER, type SyncRun } from './sync-history.ts'

/** The scheduled syncs of this process, and the state of those of all processes. */
export interface ScheduledSyncs {
  /** The handler of their jobs; empty without a schedule. */
  readonly handlers: Readonly<Record<string, JobHandler>>
  /** Queues a run if one is due and none is open. */
  queueDueRun(): Promise<void>
  /** Queues each run when it is due, until the signal is aborted. Never rejects. */
  run(signal: AbortSignal): Promise<void>
  /** Undefined if there is neither a schedule nor a run. */
  status(): Promise<SyncStatus | undefined>
  /** Failed loads since the start of this process, by source. */
  readonly failures: ReadonlyMap<string, number>
}

/** State of the syncs; times are milliseconds since the epoch. */
export interface SyncStatus {
  readonly isRunning: boolean
  /** Undefined without a schedule in this process, or if it has no further start. */
  readonly nextAt: number | undefined
  readonly sources: readonly SyncSourceStatus[]
}

/** The last attempt to load a source. */
export interface SyncSourceStatus {
  readonly source: string
  /** Undefined before the first. */
  readonly attemptedAt: number | undefined
  /** Why it failed or was partial; empty otherwise. */
  readonly message: string
}

export interface ScheduledSyncDeps {
  readonly store: Pick<JobStore, 'addJob' | 'listJobs'>
  readonly options: VulnerabilitySyncOptions | undefined
  readonly clock: Clock
  readonly timers: Timers
  readonly logger: Logger
}

/** Options of a run of jobs that concern the schedule. */
interface JobRunOptions {
  readonly signal?: AbortSignal | undefined
  readonly until?: 'idle' | 'aborted' | undefined
  readonly only?: number | undefined
}

/** How often the runs of other processes are looked up, in milliseconds. */
const POLL_MS = 60_000
/** A run survives this many restarts of the server. */
const MAX_ATTEMPTS = 100
const MAX_MESSAGE = 500

/** Creates the schedule without starting it. */
export function createScheduledSyncs(deps: ScheduledSyncDeps): ScheduledSyncs {
  const { store, options, clock, timers, logger } = deps
  const failures = new Map(options?.sources.map((source) => [source, 0]))

  function findNextStart(runs: readonly SyncRun[]): number | undefined {
    if (!options || isOpen(runs[0])) return undefined
    return planRun(runs, { now: clock(), nextRun: options.nextRun })
  }

  /** Returns the time until the next check, in milliseconds. */
  async function queueDueRun(): Promise<number> {
    const at = findNextStart(await readSyncRuns(store))
    const waitMs = at === undefined ? POLL_MS : at - clock()
    if (waitMs > 0) return Math.min(waitMs, POLL_MS)
    await addRun()
    return POLL_MS
  }

  async function addRun(): Promise<void> {
    const now = clock()
    try {
      await store.addJob({
        kind: SYNC_KIND,
        accountId: SYNC_OWNER.id,
        subject: 'all',
        lock: SYNC_KIND,
        needs: '',
        input: '{}',
        summary: '',
        maxAttempts: MAX_ATTEMPTS,
        createdAt: now,
        dueAt: now,
      })
    } catch (error) {
      // Another server has queued it.
      if (!(error instanceof ServiceError) || error.code !== 'conflict') throw error
    }
  }

  return {
    failures,
    handlers: options ? { [SYNC_KIND]: createSyncHandler({ options, logger, failures }) } : {},

    async queueDueRun() {
      if (options) await queueDueRun()
    },

    async run(signal) {
      while (options && !signal.aborted) {
        const waitMs = await queueDueRun().catch((error: unknown) => {
          logger.log('error', 'vulnerability_sync_not_queued', { reason: toReason(error) })
          return POLL_MS
        })
        await timers.sleep(waitMs, signal)
      }
    },

    async status() {
      const runs = await readSyncRuns(store)
      if (!options && runs.length === 0) return undefined
      const names = [...(options?.sources ?? []), ...listNames(runs)]
      return {
        isRunning: runs[0]?.state === 'running',
        nextAt: findNextStart(runs),
        sources: [...new Set(names)].map((source) => toSourceStatus(runs, source)),
      }
    },
  }
}

/** Creates the handler of a run. It fails if a source failed, and otherwise never throws. */
function createSyncHandler(deps: {
  readonly options: VulnerabilitySyncOptions
  readonly logger: Logger
  readonly failures: Map<string, number>
}): JobHandler {
  const { options, logger, failures } = deps

  async function load(signal: AbortSignal): Promise<readonly SyncSourceResult[]> {
    try {
      return await options.sync(signal)
    } catch (error) {
      signal.throwIfAborted()
      logger.log('error', 'vulnerability_sync_failed', { reason: toReason(error) })
      const message = error instanceof ServiceError ? error.message : 'Internal error'
      return options.sources.map((source) => ({ source, state: 'failed', message }))
    }
  }

  return async (_, { signal }) => {
    const results = (await load(signal)).map(({ source, state, message }) => {
      return { source, state, message: message.slice(0, MAX_MESSAGE) }
    })
    signal.throwIfAborted()
    for (const { source, state, message: reason } of results) {
      if (state === 'failed') failures.set(source, (failures.get(source) ?? 0) + 1)
      const level = state === 'failed' ? 'error' : state === 'partial' ? 'warn' : 'info'
      logger.log(level, 'vulnerability_source_synced', { source, state, ...(reason && { reason }) })
    }
    return toEnd(results)
  }
}

function toEnd(results: readonly SyncSourceResult[]): JobEnd {
  const failed = results.filter(({ state }) => state === 'failed')
  return {
    state: failed.length > 0 ? 'failed' : 'done',
    result: '',
    failure: failed.map(({ source, message }) => `${source}: ${message}`).join('; '),
    summary: formatResults(results),
  }
}

function isOpen(run: SyncRun | undefined): boolean {
  return run !== undefined && run.endedAt === undefined
}

function listNames(runs: readonly SyncRun[]): readonly string[] {
  return runs.flatMap(({ results }) => results.map(({ source }) => source))
}

/** Returns the newest attempt. A load that another process prevented is none. */
function toSourceStatus(runs: readonly SyncRun[], source: string): SyncSourceStatus {
  for (const { endedAt, results } of runs) {
    const found = results.find((result) => result.source === source && result.state !== 'busy')
    if (found) return { source, attemptedAt: endedAt, message: found.message }
  }
  return { source, attemptedAt: undefined, message: '' }
}

function toReason(error: unknown): string {
  if (error instanceof ServiceError) return `${error.code}: ${error.message}`
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

/**
 * Adds the schedule to a function that runs jobs: for as long as it runs or, if it runs until no job
 * is due, before it starts.
 */
export function withScheduledSyncs<Options extends JobRunOptions>(
  syncs: Pick<ScheduledSyncs, 'queueDueRun' | 'run'>,
  runJobs: (options?: Options) => Promise<void>,
): (options?: Options) => Promise<void> {
  return async (options) => {
    const { until, signal, only }: JobRunOptions = options ?? {}
    if (until !== 'aborted') {
      if (only === undefined) await syncs.queueDueRun()
      return runJobs(options)
    }
    const over = new AbortController()
    const scheduling = syncs.run(signal ? AbortSignal.any([signal, over.signal]) : over.signal)
    try {
      await runJobs(options)
    } finally {
      over.abort()
      await scheduling
    }
  }
}

/** Delay before the first retry, in milliseconds; each further one doubles it. */
const FIRST_DELAY_MS = 5 * 60_000
/** Retries after a failed regular run: about five hours. The next regular run follows. */
const MAX_RETRIES = 6
/** Delay in milliseconds while another process is loading. */
const BUSY_DELAY_MS = 10 * 60_000

/**
 * Plans the next run from the ended runs, newest first; undefined if there is none. The result may
 * be in the past: the run is due then, also after a restart.
 *
 * - After a success: the first regular start after the start of that run.
 * - After a failure: a delay that doubles from 5 to 160 minutes, with jitter of up to half, but not
 *   later than the next regular start. After six retries, the next regular start.
 * - Without any success: now.
 */
export function planRun(
  runs: readonly SyncRun[],
  { now, nextRun }: { readonly now: number } & Pick<VulnerabilitySyncOptions, 'nextRun'>,
): number | undefined {
  const [newest] = runs
  if (newest?.endedAt === undefined) return now
  // A run in the future started before the clock was set back.
  const startedAt = Math.min(newest.startedAt, now)
  const endedAt = Math.min(newest.endedAt, now)
  if (newest.state !== 'failed') {
    const isBusy = newest.results.some(({ state }) => state === 'busy')
    if (!isBusy) return nextRun(startedAt)
    return findEarlier(endedAt + addJitter(BUSY_DELAY_MS, newest), nextRun(endedAt))
  }
  const failures = countFailures(runs, nextRun)
  const regularAt = nextRun(endedAt)
  if (failures > MAX_RETRIES) return regularAt
  return findEarlier(endedAt + addJitter(FIRST_DELAY_MS * 2 ** (failures - 1), newest), regularAt)
}

/** Counts the failed runs since the last other one, at most from the last regular start on. */
function countFailures(
  runs: readonly SyncRun[],
  nextRun: VulnerabilitySyncOptions['nextRun'],
): number {
  let count = 0
  for (const [index, { state, startedAt }] of runs.entries()) {
    if (state !== 'failed') break
    count += 1
    const endedBefore = runs[index + 1]?.endedAt
    const regularAt = endedBefore === undefined ? undefined : nextRun(endedBefore)
    if (regularAt !== undefined && regularAt <= startedAt) break
  }
  return count
}

/** Varies a delay by the run, so that servers of one database agree and others differ. */
function addJitter(ms: number, { id, endedAt }: SyncRun): number {
  return Math.round(ms * (0.5 + (hash53(`${id} ${endedAt}`) % 1000) / 2000))
}

function findEarlier(at: number, other: number | undefined): number {
  return other === undefined ? at : Math.min(at, other)
}
