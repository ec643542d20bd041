import { type Kysely, sql } from 'kysely'
import { ServiceError } from '../../../core/http/problems.ts'
import type { Engine, EngineKind } from './engine.ts'
import type { ColumnTypes, Migration } from './migrations/migration.ts'
import type { Tables } from './tables.ts'

/**
 * Migrates the schema to the newest version in one transaction; several processes may do so
 * concurrently. Throws a `ServiceError` if the schema is newer than `migrations`.
 */
export async function migrate(
  engine: Engine,
  plan: { readonly migrations: readonly Migration[]; readonly now: number },
): Promise<void> {
  await engine.write(async (db) => {
    if (engine.kind === 'postgres') await sql`select pg_advisory_xact_lock(731946205)`.execute(db)
    const types = columnTypes(engine.kind)
    await db.schema
      .createTable('schema_version')
      .ifNotExists()
      .addColumn('version', types.integer, (column) => column.primaryKey())
      .addColumn('applied_at', types.integer, (column) => column.notNull())
      .execute()
    const version = await readVersion(db)
    rejectNewerSchema(version, plan.migrations.length)
    for (const [index, migration] of plan.migrations.entries()) {
      if (index < version) continue
      // A migration creates the tables that the types describe, so it cannot use these types.
      await migration.up(db as unknown as Kysely<unknown>, types)
      await db
        .insertInto('schema_version')
        .values({ version: index + 1, applied_at: plan.now })
        .execute()
    }
  })
}

async function readVersion(db: Kysely<Tables>): Promise<number> {
  const newest = await db
    .selectFrom('schema_version')
    .select((select) => select.fn.max('version').as('version'))
    .executeTakeFirst()
  return Number(newest?.version ?? 0)
}

function rejectNewerSchema(version: number, known: number): void {
  if (version <= known) return
  throw new ServiceError(
    'storage_unavailable',
    `Cannot open the storage: its schema version ${version} is newer than version ${known} of this release. Use a newer release`,
  )
}

function columnTypes(kind: EngineKind): ColumnTypes {
  if (kind === 'sqlite') {
    return {
      kind,
      integer: 'integer',
      small: 'integer',
      real: 'real',
      text: sql`text`,
      bytes: 'blob',
      addPosition: (table) =>
        table.addColumn('position', 'integer', (column) => column.primaryKey().autoIncrement()),
      keyed: sql`without rowid`,
    }
  }
  return {
    kind,
    integer: 'bigint',
    small: 'smallint',
    real: 'double precision',
    text: sql`text collate "C"`,
    bytes: 'bytea',
    addPosition: (table) =>
      table.addColumn('position', 'bigint', (column) =>
        column.generatedAlwaysAsIdentity().primaryKey(),
      ),
    keyed: sql``,
  }
}
