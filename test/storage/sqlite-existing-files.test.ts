import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { backupSqlite, checkSqlite, openSqlite } from '../../adapters/storage/sqlite.ts'
import { publishSample, sampleBytes } from '../conformance/storage/vulnerability-samples.ts'
import { makeFolder } from '../helpers/folder.ts'

describe('an SQLite file with smaller pages', () => {
  it('stores vulnerabilities', async () => {
    const folder = await makeFolder()
    const file = folder.pathOf('catalogue.db')
    const database = new DatabaseSync(file)
    database.exec('pragma page_size = 4096; pragma journal_mode = wal; create table first (id)')
    database.close()
    const storage = await openSqlite({ file })
    const { set } = await publishSample(storage, { count: 3 })
    expect(await storage.vulnerabilities.readParts(set, [0])).toEqual([sampleBytes(set.id)])
    await storage.close()
    expect(await checkSqlite(file)).toEqual([])
    await folder.remove()
  })
})

describe('an SQLite file with vulnerabilities', () => {
  it('changes their revision after a restore and another load', async () => {
    const folder = await makeFolder()
    const [file, copy] = [folder.pathOf('used.db'), folder.pathOf('copy.db')]
    const used = await openSqlite({ file, clock: () => 1_000 })
    await publishSample(used, { count: 1 })
    await backupSqlite({ source: file, target: copy })
    await publishSample(used, { count: 1 })
    const restored = await openSqlite({ file: copy, clock: () => 2_000 })
    await publishSample(restored, { count: 1 })
    const [one, other] = [used.vulnerabilities, restored.vulnerabilities]
    expect(await other.generation()).toBe(await one.generation())
    expect(await other.revision()).not.toBe(await one.revision())
    await used.close()
    await restored.close()
    await folder.remove()
  })
})
