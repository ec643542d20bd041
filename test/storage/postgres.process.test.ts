import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../adapters/storage/postgres.ts'
import { ServiceError } from '../../core/errors.ts'
import { KIND, NOW, sampleJob } from '../conformance/storage/job-samples.ts'
import { ADA, sampleRows, sampleScan, submitSample } from '../conformance/storage/scan-samples.ts'
import { describeStorage } from '../conformance/storage.ts'
import { startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import {
  createResettableDatabase,
  type ResettableDatabase,
} from '../helpers/resettable-database.ts'
import { someOf } from '../helpers/runs.ts'
import { readNaughtyStrings } from '../helpers/shared-data.ts'
import { createTestClock } from '../helpers/test-clock.ts'

let server: TestPostgres
/** An empty database with our schema. */
let ready: string

beforeAll(async () => {
  server = await startPostgres()
  ready = await server.createDatabase()
  const storage = await openPostgres({ url: ready })
  await storage.close()
})

afterAll(() => server.stop())

// One database that is emptied for each test: creating one takes about eight times as long.
let resettable: ResettableDatabase | undefined

afterAll(() => resettable?.close())

describeStorage('PostgreSQL', {
  texts: someOf(readNaughtyStrings(), 1),
  async open() {
    resettable ??= await createResettableDatabase(await server.createDatabase(ready))
    await resettable.reset()
    const { url } = resettable
    const { now: clock, advance } = createTestClock()
    const storage = await openPostgres({ url, clock })
    return {
      storage,
      reopen: () => openPostgres({ url, clock }),
      advance,
      close: () => storage.close(),
    }
  },
})

describe('a new PostgreSQL database', () => {
  it('may be opened concurrently, and is rejected if its schema is newer', async () => {
    const url = await server.createDatabase()
    const storages = await Promise.all([1, 2, 3].map(() => openPostgres({ url })))
    for (const storage of storages) expect(await storage.catalogue.generation()).toBe(0)
    for (const storage of storages) await storage.close()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('insert into schema_version values (9999, 1)')
    await client.end()
    await expect(openPostgres({ url })).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringMatching(
        /schema version 9999 is newer than version \d+ of this release/,
      ),
    })
  })
})

describe('tables of scans and of the gateway', () => {
  it('begin every key with the account, so that accounts can be spread over servers', async () => {
    const client = new pg.Client({ connectionString: await server.createDatabase(ready) })
    await client.connect()
    const { rows } = await client.query<{ table: string; columns: string }>(
      `select tablename as table, substring(indexdef from '\\((.*)\\)') as columns from pg_indexes
        where schemaname = 'public' and indexdef like 'CREATE UNIQUE%'
          and (tablename like 'scan%' or tablename like 'gateway%')`,
    )
    await client.end()
    expect(new Set(rows.map(({ table }) => table)).size).toBe(16)
    expect(rows.filter(({ columns }) => !columns.startsWith('account_id'))).toEqual([])
  })
})

describe('the scans that use an API', () => {
  it('are found without reading the APIs of all scans', async () => {
    const url = await server.createDatabase(ready)
    const storage = await openPostgres({ url })
    for (let number = 0; number < 30; number += 1) {
      const scan = sampleScan(number)
      await submitSample(storage.scans, { account: ADA, scan, rows: sampleRows(4) })
    }
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const filter = { kind: 'project' as const, apiIds: [10] }
    const request = { filter, after: undefined, limit: 30 }
    // The statistics of a connection are complete only after it has ended.
    await storage.close()
    const before = await readEntries(client)
    const other = await openPostgres({ url })
    expect(await other.scans.list(ADA, request)).toHaveLength(30)
    await other.close()
    const read = (await readEntries(client)) - before
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(100)
    await client.end()
  })
})

/** Returns the number of entries read from the index of APIs in scans. */
async function readEntries(client: pg.Client): Promise<number> {
  const others =
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  const countOthers = async () => (await client.query(others)).rowCount
  await expect.poll(countOthers, { timeout: 20_000 }).toBe(0)
  const { rows } = await client.query(
    "select idx_tup_read from pg_stat_user_indexes where indexrelname = 'scan_api_pkey'",
  )
  return Number(rows[0]?.idx_tup_read)
}

describe('a long scan after its upload', () => {
  it('is known to the planner, including its decisions', async () => {
    const url = await server.createDatabase(ready)
    const storage = await openPostgres({ url })
    const rows = sampleRows(600)
    const frequent = async (table: string) => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      const asked = `select most_common_vals::text as scans from pg_stats where tablename = $1 and attname = 'scan'`
      const { rows: found } = await client.query(asked, [table])
      await client.end()
      return found[0]?.scans
    }
    const scan = sampleScan(1, { group: 'one' })
    const first = await submitSample(storage.scans, { account: ADA, scan, rows })
    const known = `{${first.scan}}`
    expect([await frequent('scan_row'), await frequent('scan_use')]).toEqual([known, known])
    const decided = rows.map(({ subject }) => ({
      subject,
      method: undefined,
      approval: 'yes' as const,
      reason: '',
    }))
    const review = { by: '', at: NOW, reviewStatus: undefined, isApproved: undefined }
    await storage.scans.review(ADA, { scan, review: { ...review, rows: decided } })
    expect(await frequent('scan_decision')).toBe(known)
    const next = sampleScan(2, { group: 'one' })
    const second = await submitSample(storage.scans, { account: ADA, scan: next, rows })
    const both = `{${first.scan},${second.scan}}`
    for (const table of ['scan_row', 'scan_use', 'scan_decision']) {
      expect([table, await frequent(table)]).toEqual([table, both])
    }
    await storage.close()
  })
})

describe('scans without statistics', () => {
  it('are compared without reading one of them for each usage of the other', async () => {
    const url = await server.createDatabase(ready)
    const storage = await openPostgres({ url })
    const { scans } = storage
    // Too few rows to start the automatic ANALYZE of the server.
    const count = 450
    const submitted = (number: number, unmatched: number) =>
      submitSample(scans, {
        account: ADA,
        scan: sampleScan(number, { group: 'one' }),
        rows: sampleRows(count, number).map((row, index) =>
          index < unmatched ? { ...row, match: undefined } : row,
        ),
      })
    const before = await submitted(0, 0)
    const after = await submitted(1, 4)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const countRead = async () => {
      const read =
        'select sum(idx_tup_read)::int as read from pg_stat_user_indexes where relname = $1'
      await client.query('select pg_stat_clear_snapshot()')
      return (await client.query(read, ['scan_use'])).rows[0].read as number
    }
    await storage.close()
    const reader = await openPostgres({ url })
    const start = await countRead()
    const asked = { before: before.scan, after: after.scan, limit: 200, page: 1, pageUses: 30_000 }
    const { added, removed, changed } = await reader.scans.compareUsages(ADA, asked)
    // The server counts the reads of a connection when it ends.
    await reader.close()
    await expect.poll(countRead, { timeout: 20_000 }).toBeGreaterThan(start)
    const read = (await countRead()) - start
    await client.end()
    // One of the first four rows has no match.
    expect([added.length, removed.length, changed.length]).toEqual([1, 1, 3])
    expect(read).toBeLessThan(20 * count)
  })
})

describe('a transaction in a deadlock', () => {
  it("is retried after the server's rollback", async () => {
    const url = await server.createDatabase(ready)
    const storage = await openPostgres({ url })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    // Delays the deadlock check of this client: the server rolls back the other transaction.
    await client.query(`set deadlock_timeout = '1min'`)
    await storage.jobs.addJob(sampleJob())
    const { id } = await storage.jobs.addJob(sampleJob())
    const lock = (positions: string) =>
      client.query(`select 1 from job where position ${positions} for update`)
    await client.query('begin')
    await lock(`= ${id}`)
    const cancelled = storage.jobs.cancelJobs({ kind: KIND, now: NOW })
    await waitForLock(url)
    await lock(`< ${id}`)
    await client.query('commit')
    expect(await cancelled).toBe(2)
    expect(await storage.jobs.countJobs()).toEqual([{ kind: KIND, state: 'aborted', count: 2 }])
    await client.end()
    await storage.close()
  })

  it('fails after five attempts', async () => {
    const url = await server.createDatabase(ready)
    const storage = await openPostgres({ url })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`
      create sequence tries;
      create function refuse() returns trigger language plpgsql as $$
        begin
          perform nextval('tries');
          raise exception 'No' using errcode = '40001';
        end $$;
      create trigger refuse before insert on account execute function refuse()`)
    const saved = storage.accounts.saveAccount({ id: 'ada', name: 'Ada', createdAt: 1 })
    await expect(saved).rejects.toMatchObject({ code: 'storage_unavailable', retryAfter: 2 })
    // Sequences are not rolled back.
    const { rows } = await client.query('select last_value from tries')
    expect(rows).toEqual([{ last_value: '5' }])
    await client.end()
    await storage.close()
  })
})

/** Resolves when a session of the database waits for a lock of another one. */
async function waitForLock(url: string): Promise<void> {
  const database = new URL(url).pathname.slice(1)
  const find = `select 1 from pg_stat_activity where datname = '${database}' and wait_event_type = 'Lock'`
  for (let tries = 0; tries < 1000; tries += 1) {
    if ((await server.query(find)).length > 0) return
  }
  throw new Error('Nobody waits for a lock')
}

describe('a lost connection to PostgreSQL', () => {
  it('is reported as unavailable storage, loses no acknowledged write, and recovers', async () => {
    const url = await server.createDatabase()
    const database = new URL(url).pathname.slice(1)
    const storage = await openPostgres({ url })
    const acknowledged: string[] = []
    const failures: unknown[] = []
    let isOver = false
    const write = async (writer: number) => {
      for (let number = 0; !isOver; number += 1) {
        const id = `${writer}-${number}`
        try {
          await storage.accounts.saveAccount({ id, name: id, createdAt: 1 })
          acknowledged.push(id)
        } catch (error) {
          failures.push(error)
          await new Promise((resolve) => setTimeout(resolve, 1))
        }
      }
    }
    const writing = Promise.all([1, 2, 3].map(write))
    for (let round = 0; round < 30; round += 1) {
      // On a busy machine, no write may succeed within a fixed time.
      const before = acknowledged.length
      while (acknowledged.length === before) await new Promise((resolve) => setTimeout(resolve, 10))
      await server.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
      )
    }
    isOver = true
    await writing
    expect(failures.length > 0).toBe(true)
    const unforeseen = failures.filter(
      (error) =>
        !(error instanceof ServiceError) ||
        error.code !== 'storage_unavailable' ||
        error.retryAfter === undefined,
    )
    expect(unforeseen).toEqual([])
    await expectHealed(() => storage.ping())
    const stored = new Set((await storage.accounts.listAccounts()).map(({ id }) => id))
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
    expect(acknowledged.length > 0).toBe(true)
    await storage.close()
  })

  it('is reported at once without a server, without address or password', async () => {
    const opening = openPostgres({ url: 'postgres://somebody:secret@127.0.0.1:1/nothing' })
    await expect(opening).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: 'Cannot use the storage: the database server does not respond',
      retryAfter: 2,
    })
  })
})

/** The pool may return closed connections before it detects them, so a few attempts may fail. */
async function expectHealed(attempt: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    try {
      return await attempt()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  await attempt()
}
