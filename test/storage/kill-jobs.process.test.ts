import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../adapters/storage/postgres.ts'
import { checkSqlite, openSqlite } from '../../adapters/storage/sqlite.ts'
import { JOB_STATES, type Job } from '../../core/jobs/records.ts'
import type { JobStore } from '../../core/jobs/store.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import { sampleJob } from '../conformance/storage/job-samples.ts'
import { makeFolder } from '../helpers/folder.ts'
import { runAndKill } from '../helpers/killed-child.ts'
import { startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import { runs, storagesOf } from '../helpers/runs.ts'

/** `API_DISCOVERY_LONG=1` kills two hundred times, otherwise a few times. */
const KILLS = process.env.API_DISCOVERY_LONG === undefined ? 2 : 200

/** Longer than a lease, so that the next process can claim jobs of a killed one. */
const STEP_MS = 20_000
const JOBS_PER_KILL = 25
/** Jobs of two processes. */
const SHARED = runs(1_000)
const CHILD = new URL('job-worker-child.ts', import.meta.url)

let server: TestPostgres

beforeAll(async () => {
  server = await startPostgres()
})

afterAll(() => server.stop())

describe('two processes over PostgreSQL', () => {
  it(`share ${SHARED} jobs, and run each once`, async () => {
    const url = await server.createDatabase()
    const { jobs, close } = await openPostgres({ url })
    const ids = await addJobs(jobs, { count: SHARED, maxAttempts: 2 })
    const parameters = [url, '0', 'idle', 'held']
    // Each process holds its first jobs until the other has some too, however slowly it starts.
    const holding = new Set<() => void>()
    const onLine = (_: string, release: () => void) => {
      if (holding.add(release).size === 2) for (const each of holding) each()
    }
    const lines = await Promise.all(
      [1, 2].map(() => runAndKill(CHILD, { parameters, delayMs: 120_000, onLine })),
    )
    const counts = lines.map((own) => pickIds(own, 'began').length)
    const left = ids.filter((id) => id % 10 !== 0)
    const began = lines.flatMap((own) => pickIds(own, 'began')).filter((id) => id % 10 !== 0)
    expect(began.toSorted((one, other) => one - other)).toEqual(left)
    expect(counts.every((count) => count > 0)).toBe(true)
    console.log(`${SHARED} jobs: two processes began ${counts.join(' and ')} attempts`)
    // Every tenth job fails at first and is retried after a delay.
    await expectNoneTwice(
      jobs,
      lines.flatMap((own) => pickIds(own, 'done')),
    )
    await close()
  }, 180_000)
})

describe.each(storagesOf(['SQLite', 'PostgreSQL']))(
  'a process that runs jobs over %s',
  (engine) => {
    it(`ends every job exactly once, killed ${KILLS} times`, async () => {
      const folder = await makeFolder()
      const file = folder.pathOf('jobs.db')
      const isSqlite = engine === 'SQLite'
      const address = isSqlite ? file : await server.createDatabase()
      const open = (): Promise<FullStorage> =>
        isSqlite ? openSqlite({ file }) : openPostgres({ url: address })
      const { jobs, close } = await open()
      const written: string[] = []
      const ids: number[] = []
      for (let kill = 0; kill < KILLS; kill += 1) {
        const ahead = kill * STEP_MS
        ids.push(...(await addJobs(jobs, { count: JOBS_PER_KILL, maxAttempts: 5 })))
        const [cancelled = 0] = ids.slice(-3)
        const dying = runAndKill(CHILD, {
          parameters: [address, String(ahead), 'aborted'],
          // Evenly spread times instead of random ones, so that every run is identical.
          delayMs: 10 + ((kill * 37) % 91),
        })
        if (kill % 4 === 0)
          await jobs.cancelJob(undefined, { id: cancelled, now: Date.now() + ahead })
        written.push(...(await dying))
        if (isSqlite && kill % 20 === 0) expect(await checkSqlite(file)).toEqual([])
      }
      const last = [address, String((KILLS + 1) * STEP_MS), 'idle']
      for (let turn = 0; turn < 6 && (await listAll(jobs)).some(isOpen); turn += 1) {
        last[1] = String((KILLS + 1 + 4 * turn) * STEP_MS)
        written.push(...(await runAndKill(CHILD, { parameters: last, delayMs: 120_000 })))
      }
      const ended = await listAll(jobs)
      expect(ended.map(({ id }) => id)).toEqual(ids)
      expect(ended.filter(isOpen)).toEqual([])
      expect(ended.filter(({ attempts }) => attempts > 5)).toEqual([])
      await expectNoneTwice(jobs, pickIds(written, 'done'))
      const again = ended.filter(({ attempts }) => attempts > 1).length
      const counts = JOB_STATES.map((state) => {
        const count = ended.filter((job) => job.state === state).length
        return `${count} ${state}`
      })
      console.log(`${engine}: ${KILLS} kills, ${counts.join(', ')}; ${again} took several attempts`)
      expect(again > 0).toBe(true)
      await close()
      if (isSqlite) expect(await checkSqlite(file)).toEqual([])
      await folder.remove()
    }, 900_000)
  },
)

async function addJobs(
  jobs: JobStore,
  { count, maxAttempts }: { readonly count: number; readonly maxAttempts: number },
): Promise<readonly number[]> {
  const ids: number[] = []
  for (let number = 0; number < count; number += 1) {
    const now = Date.now()
    ids.push((await jobs.addJob(sampleJob({ maxAttempts, createdAt: now, dueAt: now }))).id)
  }
  return ids
}

/** Checks that no end was stored twice, and that every reported end is the stored one. */
async function expectNoneTwice(jobs: JobStore, told: readonly number[]): Promise<void> {
  expect(new Set(told).size).toBe(told.length)
  const ended = await listAll(jobs)
  const done = new Set(ended.filter(({ state }) => state === 'done').map(({ id }) => id))
  expect(told.filter((id) => !done.has(id))).toEqual([])
  const wrong = ended.filter(
    ({ state, result, checkpoint, attempts, endedAt }) =>
      (state === 'done' && !result.startsWith(`${attempts} `)) ||
      (endedAt !== undefined && checkpoint !== ''),
  )
  expect(wrong).toEqual([])
}

/** In the order of their IDs. */
async function listAll(jobs: JobStore): Promise<readonly Job[]> {
  const all: Job[] = []
  for (let page = 1; ; page += 1) {
    const { items, total } = await jobs.listJobs(undefined, { page, size: 100 })
    const whole = await Promise.all(items.map(({ id }) => jobs.findJob(undefined, { id })))
    all.push(...whole.flatMap((job) => job ?? []))
    if (page * 100 >= total) return all.toReversed()
  }
}

function isOpen({ state }: Job): boolean {
  return state === 'queued' || state === 'running'
}

/** Returns the IDs that follow a word. */
function pickIds(lines: readonly string[], word: string): readonly number[] {
  return lines.flatMap((line) => {
    const [first, id] = line.split(' ')
    return first === word ? [Number(id)] : []
  })
}
