import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../../adapters/storage/sqlite.ts'
import { ServiceError } from '../../../../core/errors.ts'
import { createJobs, type Jobs } from '../../../../core/jobs/jobs.ts'
import type { LogValue } from '../../../../core/ports/logger.ts'
import type { FullStorage } from '../../../../core/ports/storage.ts'
import type { SyncSourceResult } from '../../../../core/vulnerabilities/schedule/options.ts'
import {
  createScheduledSyncs,
  type ScheduledSyncs,
} from '../../../../core/vulnerabilities/schedule/scheduled-syncs.ts'
import { createVirtualClock } from '../../../helpers/limiters/virtual-clock.ts'

const MINUTE_MS = 60_000
/** Longer than any retry. */
const PERIOD_MS = 20 * MINUTE_MS
/** 2027-01-15T08:00:00Z. */
const START = 1_800_000_000_000

const LOADED: readonly SyncSourceResult[] = [
  { source: 'nvd', state: 'loaded', message: '' },
  { source: 'kev', state: 'loaded', message: '' },
]
const FAILED: readonly SyncSourceResult[] = [
  { source: 'nvd', state: 'failed', message: 'Cannot read NVD: it responded with 503' },
  { source: 'kev', state: 'loaded', message: '' },
]

/** At each full period. */
function nextRun(from: number): number {
  return (Math.floor(from / PERIOD_MS) + 1) * PERIOD_MS
}

type Sync = (signal: AbortSignal) => Promise<readonly SyncSourceResult[]>

interface Server {
  readonly syncs: ScheduledSyncs
  readonly jobs: Jobs
  /** Runs the schedule and the jobs for `ms` milliseconds, as a server does. */
  serve(ms: number): Promise<void>
}

interface Bench {
  readonly clock: () => number
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly storage: FullStorage
  readonly logged: readonly Readonly<Record<string, LogValue>>[]
  /** A server of the same database; without `sync`, it has no schedule. */
  open(sync?: Sync): Server
}

async function withServers(work: (bench: Bench) => Promise<void>): Promise<void> {
  const { timers, clock, run } = createVirtualClock(START)
  const storage = await openSqlite({ file: ':memory:', clock })
  const logged: Readonly<Record<string, LogValue>>[] = []
  const deps = {
    store: storage.jobs,
    clock,
    timers,
    random: (length: number) => new Uint8Array(length),
    logger: {
      log: (level: string, event: string, fields = {}) => logged.push({ level, event, ...fields }),
    },
  }
  const open = (sync?: Sync): Server => {
    const options = sync && { sources: ['nvd', 'kev'], nextRun, sync }
    const syncs = createScheduledSyncs({ ...deps, options })
    const jobs = createJobs({ ...deps, handlers: syncs.handlers, retentionMs: undefined })
    return {
      syncs,
      jobs,
      async serve(ms) {
        const stop = new AbortController()
        const running = [
          jobs.run({ until: 'aborted', signal: stop.signal }),
          syncs.run(stop.signal),
        ]
        await timers.sleep(ms)
        stop.abort()
        await Promise.all(running)
      },
    }
  }
  await run(() => work({ clock, sleep: timers.sleep, storage, logged, open }))
  await storage.close()
}

describe('Scheduled syncs', () => {
  it('run at the start, and then at each regular time', () =>
    withServers(async ({ open, clock }) => {
      const starts: number[] = []
      const server = open(async () => {
        starts.push(clock())
        return LOADED
      })
      await server.serve(2 * PERIOD_MS + MINUTE_MS)
      expect(starts.map((at) => Math.floor((at - START) / MINUTE_MS))).toEqual([0, 20, 40])
      expect(await server.syncs.status()).toEqual({
        isRunning: false,
        nextAt: START + 3 * PERIOD_MS,
        sources: ['nvd', 'kev'].map((source) => {
          return { source, attemptedAt: expect.any(Number), message: '' }
        }),
      })
    }))

  it('report a failure, and recover by a retry', () =>
    withServers(async ({ open, logged, clock }) => {
      let count = 0
      const server = open(async () => {
        count += 1
        return count === 1 ? FAILED : LOADED
      })
      await server.serve(MINUTE_MS)
      const failed = await server.syncs.status()
      expect(failed?.sources).toEqual([
        { source: 'nvd', attemptedAt: expect.any(Number), message: FAILED[0]?.message },
        { source: 'kev', attemptedAt: expect.any(Number), message: '' },
      ])
      expect(Number(failed?.nextAt) - clock()).toBeLessThan(5 * MINUTE_MS)
      expect(logged.filter(({ level }) => level === 'error')).toEqual([
        {
          level: 'error',
          event: 'vulnerability_source_synced',
          source: 'nvd',
          state: 'failed',
          reason: FAILED[0]?.message,
        },
      ])
      await server.serve(6 * MINUTE_MS)
      const recovered = await server.syncs.status()
      expect([count, recovered?.sources.map(({ message }) => message)]).toEqual([2, ['', '']])
      expect([...server.syncs.failures]).toEqual([
        ['nvd', 1],
        ['kev', 0],
      ])
    }))

  it('hide the message of an unexpected error, but log it', () =>
    withServers(async ({ open, logged }) => {
      const server = open(async () => {
        throw new TypeError('secret detail')
      })
      await server.serve(MINUTE_MS)
      const status = await server.syncs.status()
      expect(status?.sources.map(({ message }) => message)).toEqual([
        'Internal error',
        'Internal error',
      ])
      expect(logged).toContainEqual({
        level: 'error',
        event: 'vulnerability_sync_failed',
        reason: 'TypeError: secret detail',
      })
    }))

  it('run once for several servers of a database', () =>
    withServers(async ({ open, sleep, storage }) => {
      const runs: string[] = []
      const openNamed = (name: string) =>
        open(async () => {
          runs.push(name)
          await sleep(5 * MINUTE_MS)
          return LOADED
        })
      const servers = [openNamed('a'), openNamed('b'), openNamed('c')]
      await Promise.all(servers.map((server) => server.serve(PERIOD_MS + MINUTE_MS)))
      const { total } = await storage.jobs.listJobs(undefined, { page: 1, size: 10 })
      expect([runs.length, total]).toEqual([2, 2])
    }))

  it('resume after a restart during a run, with the same job', () =>
    withServers(async ({ open, sleep, storage }) => {
      const signals: boolean[] = []
      const stalled = open(async (signal) => {
        await sleep(PERIOD_MS, signal)
        signals.push(signal.aborted)
        throw signal.reason
      })
      await stalled.serve(MINUTE_MS)
      expect(signals).toEqual([true])
      expect(await stalled.syncs.status()).toMatchObject({ isRunning: false, nextAt: undefined })
      const server = open(async () => LOADED)
      await server.serve(MINUTE_MS)
      const { items } = await storage.jobs.listJobs(undefined, { page: 1, size: 10 })
      expect(items).toMatchObject([{ state: 'done', attempts: 2, kind: 'vulnerability-sync' }])
    }))

  it('do not run again after a restart before the next regular time', () =>
    withServers(async ({ open }) => {
      await open(async () => LOADED).serve(MINUTE_MS)
      let count = 0
      const countRuns = async () => {
        count += 1
        return LOADED
      }
      await open(countRuns).serve(10 * MINUTE_MS)
      expect(count).toBe(0)
      await open(countRuns).serve(PERIOD_MS)
      expect(count).toBe(1)
    }))

  it('are visible to servers without a schedule, which run none', () =>
    withServers(async ({ open }) => {
      const other = open()
      expect(await other.syncs.status()).toBeUndefined()
      await open(async () => FAILED).serve(MINUTE_MS)
      await other.serve(PERIOD_MS)
      expect(await other.syncs.status()).toEqual({
        isRunning: false,
        nextAt: undefined,
        sources: [
          { source: 'nvd', attemptedAt: expect.any(Number), message: FAILED[0]?.message },
          { source: 'kev', attemptedAt: expect.any(Number), message: '' },
        ],
      })
    }))

  it('treat a load of another process as no failure, and try again soon', () =>
    withServers(async ({ open, logged, clock }) => {
      const starts: number[] = []
      const server = open(async () => {
        starts.push(clock())
        if (starts.length > 1) return LOADED
        return [{ source: 'nvd', state: 'busy', message: 'Another load is running' }]
      })
      await server.serve(MINUTE_MS)
      expect((await server.syncs.status())?.sources[0]).toEqual({
        source: 'nvd',
        attemptedAt: undefined,
        message: '',
      })
      await server.serve(12 * MINUTE_MS)
      expect(starts).toHaveLength(2)
      expect(logged.filter(({ level }) => level === 'error')).toEqual([])
    }))

  it('continue when the storage fails for a while', () =>
    withServers(async ({ storage, logged, sleep, clock }) => {
      let isFailing = true
      const options = { sources: ['nvd'], nextRun, sync: async () => LOADED }
      const syncs = createScheduledSyncs({
        options,
        clock,
        timers: { now: clock, sleep },
        logger: { log: (level, event, fields) => void logged.concat({ level, event, ...fields }) },
        store: {
          addJob: storage.jobs.addJob,
          async listJobs(account, filter) {
            if (isFailing) throw new ServiceError('storage_unavailable', 'The disk is full')
            return storage.jobs.listJobs(account, filter)
          },
        },
      })
      const stop = new AbortController()
      const running = syncs.run(stop.signal)
      await sleep(5 * MINUTE_MS)
      isFailing = false
      await sleep(2 * MINUTE_MS)
      stop.abort()
      await running
      const { total } = await storage.jobs.listJobs(undefined, { page: 1, size: 10 })
      expect(total).toBe(1)
    }))
})
