import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../adapters/storage/postgres.ts'
import { createApiDiscovery } from '../../core/app.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import { openFaultySqlite } from '../helpers/faulty-sqlite.ts'
import { makeFolder } from '../helpers/folder.ts'
import { startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import { createManualClock } from '../helpers/random.ts'

const READY = [200, { status: 'ready', missing: [] }]
const WITHOUT_WRITES = [503, { status: 'not ready', missing: ['storage writes'] }]

describe('readiness if SQLite rejects writes', () => {
  it('reports them, while reads and health keep working, and recovers within ten seconds', async () => {
    const folder = await makeFolder()
    const { storage, failAt } = await openFaultySqlite(folder.pathOf('catalogue.db'))
    const clock = createManualClock()
    const app = createApiDiscovery({ storage, clock })
    const read = async (path: string) => {
      const response = await app.fetch(new Request(`http://service.test${path}`))
      return [response.status, await response.json()]
    }
    expect(await read('/readyz')).toEqual(READY)
    failAt(1)
    expect(await read('/readyz')).toEqual(READY)
    clock.advance(10_000)
    expect(await read('/readyz')).toEqual(WITHOUT_WRITES)
    expect(await read('/healthz')).toEqual([200, { status: 'ok' }])
    failAt(undefined)
    expect(await read('/readyz')).toEqual(WITHOUT_WRITES)
    clock.advance(10_000)
    expect(await read('/readyz')).toEqual(READY)
    await app.close()
    await folder.remove()
  })

  it('writes once for any number of concurrent checks', async () => {
    const folder = await makeFolder()
    const { storage } = await openFaultySqlite(folder.pathOf('catalogue.db'))
    let writes = 0
    const counting: FullStorage = {
      ...storage,
      checkWrite() {
        writes += 1
        return storage.checkWrite()
      },
    }
    const app = createApiDiscovery({ storage: counting, clock: createManualClock() })
    const request = () => app.fetch(new Request('http://service.test/readyz'))
    const answers = await Promise.all(Array.from({ length: 50 }, request))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(writes).toBe(1)
    await app.close()
    await folder.remove()
  })
})

describe('readiness if PostgreSQL rejects writes', () => {
  let postgres: TestPostgres

  beforeAll(async () => {
    postgres = await startPostgres()
  }, 180_000)

  afterAll(() => postgres.stop())

  it('reports them for a server that became read-only', async () => {
    const url = await postgres.createDatabase()
    const storage = await openPostgres({ url })
    const clock = createManualClock()
    const app = createApiDiscovery({ storage, clock })
    const read = async (path: string) => {
      const response = await app.fetch(new Request(`http://service.test${path}`))
      return [response.status, await response.json()]
    }
    expect(await read('/readyz')).toEqual(READY)
    const name = new URL(url).pathname.slice(1)
    await postgres.query(`alter database ${name} set default_transaction_read_only = on`)
    // Open connections keep their old settings.
    await postgres.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    )
    clock.advance(10_000)
    // The first query finds that its connection was closed.
    await read('/readyz')
    clock.advance(10_000)
    expect(await read('/readyz')).toEqual(WITHOUT_WRITES)
    expect(await read('/healthz')).toEqual([200, { status: 'ok' }])
    await storage.close()
  })
})
