import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { toApiValues } from '../../adapters/storage/kysely/api-rows.ts'
import { listStatements, migrate } from '../../adapters/storage/kysely/migrate.ts'
import { FIRST_VERSION, migrations } from '../../adapters/storage/kysely/migrations/index.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import {
  identityOf,
  NO_CHANGE,
  sampleApiRow,
  saveSampleVendor,
} from '../conformance/storage/samples.ts'
import { makeFolder } from '../helpers/folder.ts'
import { openNoting } from '../helpers/noting-sqlite.ts'

/** SHA-256 of the statements on each engine. Add a line for a new migration; change none. */
const DIGESTS = [
  ['baseline', 'sqlite', '7d396970afbb90b369bcde0baa19b86a5b0a465a3f0578ec9a0bae6e29409c7f'],
  ['baseline', 'postgres', 'ec29f157e92029198c0b1a04edd2a45df07a4aedc47710ec963c51842b732a81'],
  [
    'clients of gateway calls',
    'sqlite',
    '00cac1c223e3ae456643306f86d62fd78aa7641c5e5d761cd89ec1e68852d7a6',
  ],
  [
    'clients of gateway calls',
    'postgres',
    'dbc003ea9b7d58163b17a9d61e32f6b426c0135c64926fa74abdadfb76221dcc',
  ],
  ['kinds of APIs', 'sqlite', 'b0630d5a27ae1a34d37813ec88fee8cbcd292b70480277f6979e029a26e6f998'],
  ['kinds of APIs', 'postgres', '4a5258a7c462952c8d80fe29c9c29ff33a57695e3fa17476416f2948c7fd3ff5'],
]

describe('migrations', () => {
  it('are not changed after a release', () => {
    const digests = migrations.flatMap((migration) =>
      (['sqlite', 'postgres'] as const).map((kind) => [
        migration.name,
        kind,
        createHash('sha256').update(listStatements(migration, kind).join(';')).digest('hex'),
      ]),
    )
    expect(digests).toEqual(DIGESTS)
  })

  it('run once each, on the data that is there', async () => {
    const { storage, engine } = await openNoting(() => 1)
    const vendor = await saveSampleVendor(storage, 1)
    const next = { name: 'next', statements: 'alter table vendor add column note text;\n' }
    const all = [...migrations, next]
    const current = FIRST_VERSION + migrations.length - 1
    const migrated = []
    for (const now of [2, 3]) migrated.push(await migrate(engine, { migrations: all, now }))
    expect(migrated).toEqual([
      { from: current, to: current + 1 },
      { from: current + 1, to: current + 1 },
    ])
    expect(await engine.db.selectFrom('schema_version').selectAll().execute()).toEqual([
      ...migrations.map((_, index) => ({ version: FIRST_VERSION + index, applied_at: 1 })),
      { version: current + 1, applied_at: 2 },
    ])
    expect(await storage.catalogue.findVendors([vendor.id])).toEqual([vendor])
    await storage.close()
  })

  it.each([
    [1, 'it was created before the first release (schema version 1)'],
    [16, 'it was created before the first release (schema version 16)'],
  ])('reject a database of an unreleased version: %i', async (version, reason) => {
    const folder = await makeFolder()
    const file = folder.pathOf('other.db')
    const database = new DatabaseSync(file)
    database.exec(`create table schema_version (version integer primary key, applied_at integer);
      insert into schema_version values (${version}, 0)`)
    database.close()
    await expect(openSqlite({ file })).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringContaining(reason),
    })
    await folder.remove()
  })

  it('make an HTTP API of every earlier API, which imports then update', async () => {
    const folder = await makeFolder()
    const file = folder.pathOf('earlier.db')
    const database = new DatabaseSync(file)
    database.exec('create table schema_version (version integer primary key, applied_at integer)')
    for (const [index, migration] of migrations.slice(0, 2).entries()) {
      for (const statement of listStatements(migration, 'sqlite')) database.exec(statement)
      database.prepare('insert into schema_version values (?, 0)').run(FIRST_VERSION + index)
    }
    const { detail } = toApiValues(sampleApiRow(1))
    database.exec(
      "insert into vendor values (1, 'v1', 'Sky', 'sky', '', '', '', '', 1, '', '[]', 0)",
    )
    database
      .prepare(
        "insert into api values (900, 900, 0, null, 'a1', 1, 'Sky', 'sky', '1', '1.0.0', 1, 1, 1, 0, 0, 0, 1, '', 0, 0, ?)",
      )
      .run(detail)
    database.close()
    const storage = await openSqlite({ file })
    const api = await storage.catalogue.findApi('a1')
    expect(api).toMatchObject({ kind: 'http', name: 'Sky' })
    if (api) {
      const identity = identityOf({ vendor: api.vendor, name: 'Sky' })
      const changed = await storage.imports.replaceApi(identity, (existing) => ({
        ...NO_CHANGE,
        api: { ...sampleApiRow(1), encryptedId: existing?.api.encryptedId ?? 'other' },
      }))
      expect(changed).toMatchObject({ apiId: 900, encryptedId: 'a1' })
    }
    await storage.close()
    await folder.remove()
  })
})
