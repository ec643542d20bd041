import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { backupSqlite, checkSqlite, openSqlite } from '../../adapters/storage/sqlite.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import { collectPages, importSampleApi, saveSampleVendor } from '../conformance/storage/samples.ts'
import { type TestFolder, withFolder } from '../helpers/folder.ts'
import { RUNTIME, runScript } from '../helpers/script.ts'

describe('an SQLite file', () => {
  it('uses a write-ahead log, synchronous writes and foreign keys', () =>
    withFile(async ({ file, storage }) => {
      await storage.ping()
      const database = new DatabaseSync(file)
      expect({ ...database.prepare('pragma journal_mode').get() }).toEqual({ journal_mode: 'wal' })
      expect(await checkSqlite(file)).toEqual([])
      database.exec(
        `pragma foreign_keys = off; insert into endpoint_detail values (99, '[]', '{}')`,
      )
      database.close()
      expect(await checkSqlite(file)).toEqual([
        'a row of endpoint_detail refers to a missing row of endpoint',
      ])
    }))

  it.each(['', '-wal', '-shm'])('(%s) is readable only by its owner', (end) =>
    withFile(async ({ file, storage }) => {
      await storage.ping()
      const { mode } = await stat(`${file}${end}`)
      expect((mode & 0o777).toString(8)).toBe('600')
    }),
  )

  it('is rejected with both versions if its schema is newer', () =>
    withFile(async ({ file, storage }) => {
      await storage.close()
      const database = new DatabaseSync(file)
      database.exec('insert into schema_version values (9999, 1)')
      database.close()
      await expect(openSqlite({ file })).rejects.toMatchObject({
        code: 'storage_unavailable',
        message: expect.stringMatching(
          /schema version 9999 is newer than version \d+ of this release/,
        ),
      })
    }))

  it('is rejected without its path if it is missing or invalid', () =>
    withFolder(async (folder) => {
      const file = folder.pathOf('missing/catalogue.db')
      await expect(openSqlite({ file })).rejects.toMatchObject({
        code: 'storage_unavailable',
        message: 'Cannot use the storage: the database file cannot be opened',
      })
    }))

  it.skipIf(RUNTIME !== 'node')(
    'is rejected with the required release if Node has no node:sqlite (an option of Node removes it)',
    async () => {
      const source = fileURLToPath(new URL('../../adapters/storage/sqlite.ts', import.meta.url))
      const script = `const { openSqlite } = await import(${JSON.stringify(source)})
await openSqlite({ file: ':memory:' }).catch(({ code, message }) => console.log(code, message))`
      const words = ['--no-experimental-sqlite', '--input-type=module', '--eval', script]
      expect(await runScript(words, { cwd: '.' })).toMatchObject({
        code: 0,
        output: `storage_unavailable Cannot use the storage: node:sqlite needs Node 22.13 or newer, but this is Node ${process.versions.node}\n`,
      })
    },
  )

  it('changes its revision after a restore and another change', () =>
    withFolder(async (folder) => {
      const [file, copy] = [folder.pathOf('used.db'), folder.pathOf('copy.db')]
      const used = await openSqlite({ file, clock: () => 1_000 })
      await backupSqlite({ source: file, target: copy })
      await saveSampleVendor(used, 1)
      const restored = await openSqlite({ file: copy, clock: () => 2_000 })
      await saveSampleVendor(restored, 2)
      expect(await restored.catalogue.generation()).toBe(await used.catalogue.generation())
      expect(await restored.catalogue.revision()).not.toBe(await used.catalogue.revision())
      await used.close()
      await restored.close()
    }))

  it('is copied while it is in use, and the copy is valid', () =>
    withFile(async ({ file, folder, storage }) => {
      const vendor = await saveSampleVendor(storage, 1)
      await importSampleApi(storage, { vendor, api: 1, endpoints: 50 })
      const target = folder.pathOf('copy.db')
      const writing = Promise.all(
        [2, 3, 4, 5].map((api) => importSampleApi(storage, { vendor, api, endpoints: 20 })),
      )
      await backupSqlite({ source: file, target })
      await writing
      expect(await checkSqlite(target)).toEqual([])
      const copy = await openSqlite({ file: target })
      const { total } = await copy.catalogue.listApis({}, { size: 10, page: 1 })
      const endpoints = await collectPages(copy.catalogue.listEndpoints())
      expect(endpoints.length).toBe(50 + 20 * (total - 1))
      await copy.close()
      await expect(backupSqlite({ source: file, target })).rejects.toMatchObject({
        code: 'conflict',
        message:
          'Cannot back up the database: the target file already exists. Choose another name or remove it',
      })
      const missing = { source: folder.pathOf('none.db'), target: folder.pathOf('other.db') }
      await expect(backupSqlite(missing)).rejects.toMatchObject({ code: 'not_found' })
    }))

  it('is waited for, without blocking, while another process has locked it', () =>
    withFile(async ({ file, storage }) => {
      const holder = await holdLock(file)
      let isSaved = false
      const saving = storage.accounts
        .saveAccount({ id: 'a', name: 'A', createdAt: 1 })
        .finally(() => {
          isSaved = true
        })
      for (let turn = 0; turn < 10; turn += 1) {
        expect(await storage.accounts.listAccounts()).toEqual([])
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      expect(isSaved).toBe(false)
      await holder.release()
      expect(await saving).toEqual({ id: 'a', name: 'A' })
    }))
})

describe('versions of endpoints', () => {
  it('are removed ten minutes after their end, and a list that needs them fails', () =>
    withFolder(async (folder) => {
      let now = 1_000_000
      const file = folder.pathOf('catalogue.db')
      const storage = await openSqlite({ file, clock: () => now })
      const vendor = await saveSampleVendor(storage, 1)
      await importSampleApi(storage, { vendor, api: 1, endpoints: 1_500 })
      const late = storage.catalogue.listEndpoints()[Symbol.asyncIterator]()
      await late.next()
      await storage.catalogue.removeApi('1')
      now += 599_000
      await saveSampleVendor(storage, 2)
      expect(countRows(file)).toEqual([1_500, 1_500, 1])
      now += 2_000
      await saveSampleVendor(storage, 3)
      expect(countRows(file)).toEqual([0, 0, 0])
      await expect(late.next()).rejects.toMatchObject({ name: 'ServiceError', code: 'conflict' })
      await storage.close()
    }))
})

function countRows(file: string): readonly unknown[] {
  const database = new DatabaseSync(file)
  const counts = ['endpoint', 'endpoint_detail', 'api'].map(
    (table) => database.prepare(`select count(*) as rows from ${table}`).get()?.rows,
  )
  database.close()
  return counts
}

/** Starts a process that holds the write lock until it is released. */
async function holdLock(file: string): Promise<{ release(): Promise<void> }> {
  const script = new URL('lock-child.ts', import.meta.url).pathname
  const run = process.versions.deno === undefined ? [] : ['run', '-A']
  const child = spawn(process.execPath, [...run, script, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()))
  return {
    release() {
      child.stdin.end()
      return ended
    },
  }
}

async function withFile(
  run: (opened: { file: string; folder: TestFolder; storage: FullStorage }) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const file = folder.pathOf('catalogue.db')
    const storage = await openSqlite({ file })
    try {
      await run({ file, folder, storage })
    } finally {
      await storage.close()
    }
  })
}

describe('a new SQLite file', () => {
  it('may be opened concurrently', () =>
    withFolder(async (folder) => {
      const file = folder.pathOf('catalogue.db')
      const storages = await Promise.all(Array.from({ length: 4 }, () => openSqlite({ file })))
      const vendors = await Promise.all(
        storages.map((storage, number) => saveSampleVendor(storage, number)),
      )
      expect(new Set(vendors.map(({ id }) => id)).size).toBe(4)
      for (const storage of storages) {
        expect(await storage.catalogue.generation()).toBe(4)
        await storage.close()
      }
      expect(await checkSqlite(file)).toEqual([])
    }))
})
