import { describe, expect, it } from 'vitest'
import { openPostgres } from '../../adapters/storage/postgres.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/app.ts'
import { ServiceError } from '../../core/http/problems.ts'
import type { Storage } from '../../core/ports.ts'
import { makeFolder } from '../helpers/folder.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { importThings, ORIGIN } from '../helpers/rate-limit-bench.ts'

const STARTS = 1000
const ACCOUNTS = 5

describe('a thousand starts of tests of one host at once', () => {
  it('are one run over SQLite', async () => {
    const folder = await makeFolder()
    const file = folder.pathOf('tests.db')
    await startMany(() => openSqlite({ file }))
    await folder.remove()
  }, 120_000)

  it('are one run over PostgreSQL', async () => {
    const server = await startPostgres()
    const url = await server.createDatabase()
    await startMany(() => openPostgres({ url }))
    await server.stop()
  }, 120_000)
})

/** Starts them in two services over one database, of several accounts and two endpoints. */
async function startMany(open: () => Promise<Storage>): Promise<void> {
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
      try {
        const { rateLimits } = apps[n % 3 === 0 ? 1 : 0] ?? app
        const asked = { endpointId, confirmsUnsafe: true }
        const { run, isNew } = await rateLimits.start(asked, { account })
        return { account, endpointId, run: run.id, isNew }
      } catch (error) {
        return { account, endpointId, code: error instanceof ServiceError ? error.code : error }
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
