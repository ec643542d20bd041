import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { Kysely, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { checkSqlite, openSqlite } from '../../adapters/storage/sqlite.ts'
import { openThreadConnection } from '../../adapters/storage/sqlite-thread.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import { importSampleApi, saveSampleVendor } from '../conformance/storage/samples.ts'
import { withFolder } from '../helpers/folder.ts'
import { runScript } from '../helpers/script.ts'

describe('an SQLite file that is written in a thread', () => {
  it('lets the event loop run while it is written', () =>
    withFile(async ({ storage }) => {
      const events: string[] = []
      setTimeout(() => events.push('timer'), 0)
      const saving = []
      for (let number = 1; number <= 20; number += 1) saving.push(saveSampleVendor(storage, number))
      await Promise.all(saving)
      events.push('saved')
      expect(events).toEqual(['timer', 'saved'])
    }))

  it('has a log of bounded size while it is read all the time', () =>
    withFile(async ({ file, storage }) => {
      const vendor = await saveSampleVendor(storage, 1)
      let isWriting = true
      const read = async () => {
        while (isWriting) {
          await storage.catalogue.listApis({}, { size: 10, page: 1 })
          await new Promise((resolve) => setTimeout(resolve, 0))
        }
      }
      const reading = read()
      let largest = 0
      const postings = [{ term: 'a', weight: 1, endpoints: new Uint8Array(4_000_000) }]
      for (let api = 1; api <= 25; api += 1) {
        await importSampleApi(storage, { vendor, api, endpoints: 1, postings })
        largest = Math.max(largest, (await stat(`${file}-wal`)).size)
      }
      isWriting = false
      await reading
      expect((await stat(file)).size).toBeGreaterThan(90_000_000)
      expect(largest).toBeLessThan(30_000_000)
      await storage.close()
      expect(existsSync(`${file}-wal`)).toBe(false)
      expect(await checkSqlite(file)).toEqual([])
    }))

  it('is not waited for at the end of the process', () =>
    withFolder(async (folder) => {
      const script = fileURLToPath(new URL('thread-child.ts', import.meta.url))
      const file = folder.pathOf('catalogue.db')
      const ended = await runScript([script, file], { cwd: '.' })
      expect(ended).toMatchObject({ code: 0, output: 'saved\n' })
      expect(await checkSqlite(file)).toEqual([])
      const storage = await openSqlite({ file })
      expect(await storage.catalogue.generation()).toBe(1)
      await storage.close()
    }))

  it('is rejected without its path if its folder is missing', () =>
    withFolder(async (folder) => {
      const file = folder.pathOf('missing/catalogue.db')
      await expect(openSqlite({ file, writeInThread: true })).rejects.toMatchObject({
        code: 'storage_unavailable',
        message: 'Cannot use the storage: the database file cannot be opened',
      })
    }))

  it('is waited for while another connection has locked it', () =>
    withFile(async ({ file, storage }) => {
      const other = new DatabaseSync(file)
      other.exec('begin immediate')
      const saving = saveSampleVendor(storage, 1)
      expect(await storage.accounts.listAccounts()).toEqual([])
      other.exec('rollback')
      other.close()
      expect((await saving).id).toBe(1)
    }))

  it('keeps its results in order after a parameter that cannot be sent', () =>
    withFolder(async (folder) => {
      const writer = await openThreadConnection(folder.pathOf('catalogue.db'))
      const db = new Kysely<never>({ dialect: writer.dialect })
      const select = async (value: unknown) => {
        const { rows } = await sql<{ value: unknown }>`select ${value} as value`.execute(db)
        return rows[0]?.value
      }
      await expect(select(() => 1)).rejects.toThrow()
      expect(await Promise.all([select('a'), select('b')])).toEqual(['a', 'b'])
      await writer.close()
      await writer.close()
    }))

  it('rejects writes after it is closed', () =>
    withFile(async ({ storage }) => {
      await storage.close()
      await storage.close()
      await expect(saveSampleVendor(storage, 1)).rejects.toMatchObject({
        code: 'storage_unavailable',
      })
    }))
})

async function withFile(
  run: (opened: { file: string; storage: FullStorage }) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const file = folder.pathOf('catalogue.db')
    const storage = await openSqlite({ file, writeInThread: true })
    try {
      await run({ file, storage })
    } finally {
      await storage.close()
    }
  })
}
