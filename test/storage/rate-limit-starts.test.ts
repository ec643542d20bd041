import { describe, expect, it } from 'vitest'
import { openPostgres } from '../../adapters/storage/postgres.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/app.ts'
import { ServiceError } from '../../core/errors.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import { sampleJob } from '../conformance/storage/job-samples.ts'
import { makeFolder } from '../helpers/folder.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { importThings, ORIGIN } from '../helpers/rate-limit-bench.ts'
import { runs, storagesOf } from '../helpers/runs.ts'

/** Fewer do not reach the daily budget. */
const STARTS = Math.max(200, runs(1000))
const ACCOUNTS = 5
const LANES = 100
const TURNS = 20

/** Opens a new database, passes a function that opens it, and removes it. */
type WithDatabase = (run: (open: () => Promise<FullStorage>) => Promise<void>) => Promise<void>

const DATABASES: readonly (readonly [string, WithDatabase])[] = [
  [
    'SQLite',
    async (run) => {
      const folder = await makeFolder()
      const file = folder.pathOf('tests.db')
      await run(() => openSqlite({ file }))
      await folder.remove()
    },
  ],
  [
    'PostgreSQL',
    async (run) => {
      const server = await startPostgres()
      const url = await server.createDatabase()
      await run(() => openPostgres({ url }))
      await server.stop()
    },
  ],
]

describe.each(storagesOf(DATABASES))('tests started over %s', (_, withDatabase) => {
  it(`are one run for ${STARTS} concurrent starts on one host`, async () => {
    await withDatabase(startMany)
  }, 300_000)

  it(`reserve at most the daily budget for ${STARTS} hosts, ${LANES} at once`, async () => {
    await withDatabase(reserveMany)
  }, 300_000)
})

/** Two accounts, each with its own opening of one database. A day has room for 33 full runs. */
async function reserveMany(open: () => Promise<FullStorage>): Promise<void> {
  const storages = [await open(), await open()]
  const [storage] = storages
  if (!storage) throw new Error('There is no storage')
  const budgets = { accountBudget: 2000, hostBudget: 2000, day: '2026-03-14', requests: 60 }
  const accounts = ['ada', 'bob']
  const add = async (n: number) => {
    const { rateLimits } = storages[n % 3 === 0 ? 1 : 0] ?? storage
    const accountId = accounts[n % 2] ?? ''
    const job = sampleJob({ accountId, lock: `host-${n}:443` })
    return { accountId, ...(await retryUnavailable(() => rateLimits.addRun(job, budgets))) }
  }
  const added: Awaited<ReturnType<typeof add>>[] = []
  // More than there are connections.
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let n = lane; n < STARTS; n += LANES) added.push(await add(n))
  })
  await Promise.all(lanes)
  for (const id of accounts) {
    const own = added.filter(({ accountId }) => accountId === id)
    expect(own.filter((each) => 'job' in each).length).toBe(33)
    const refused = own.filter((each) => !('job' in each))
    expect(new Set(refused.map((each) => JSON.stringify(each)))).toEqual(
      new Set([JSON.stringify({ accountId: id, short: 'account', left: 20, reserved: 1980 })]),
    )
    const listed = await storage.jobs.listJobs({ id, name: '' }, { page: 1, size: 100 })
    expect([listed.total, listed.items[0]?.number]).toEqual([33, 33])
  }
  for (const each of storages) await each.close()
}

/** Starts them in two services over one database, of several accounts and two endpoints. */
async function startMany(open: () => Promise<FullStorage>): Promise<void> {
  const storages = [await open(), await open()]
  const egress = { send: () => Promise.reject(new Error('Nothing is to be sent')) }
  const rateLimitTests = { hosts: ['api.acme.example'] }
  const apps = storages.map((storage) => createApiDiscovery({ storage, egress, rateLimitTests }))
  const [app] = apps
  const [storage] = storages
  if (!app || !storage) throw new Error('There is no service')
  const ids = await importThings(app, storage, ORIGIN)
  const accounts = await Promise.all(
    Array.from({ length: ACCOUNTS }, (_, n) => app.accounts.createAccount(`account ${n}`)),
  )
  const endpoints = [ids.listThings ?? '', ids.addThing ?? '']
  const outcomes = await Promise.all(
    Array.from({ length: STARTS }, async (_, n) => {
      const account = accounts[n % ACCOUNTS] ?? { id: '', name: '' }
      const endpointId = endpoints[n % 2] ?? ''
      const { rateLimits } = apps[n % 3 === 0 ? 1 : 0] ?? app
      const asked = { endpointId, confirmsUnsafe: true }
      try {
        const { run, isNew } = await retryUnavailable(() => rateLimits.start(asked, { account }))
        return { account, endpointId, run: run.id, isNew }
      } catch (error) {
        const code = error instanceof ServiceError ? error.code : error
        return { account, endpointId, code }
      }
    }),
  )
  const started = outcomes.filter(({ isNew }) => isNew)
  expect(started.length).toBe(1)
  const [winner] = started
  const wrong = outcomes.filter(({ account, endpointId, run, code }) =>
    account.id === winner?.account.id && endpointId === winner.endpointId
      ? run !== winner.run
      : code !== 'conflict',
  )
  expect(wrong).toEqual([])
  expect(await storage.jobs.countJobs()).toEqual([
    { kind: 'rate-limit-test', state: 'queued', count: 1 },
  ])
  for (const each of apps) await each.close()
}

/** Repeats work that waited too long for a connection, which happens on a busy machine. */
async function retryUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await work()
    } catch (error) {
      const isUnavailable = error instanceof ServiceError && error.code === 'storage_unavailable'
      if (!isUnavailable || turn === TURNS) throw error
    }
  }
}
