import { type Kysely, sql } from 'kysely'
import { ServiceError } from '../../../core/errors.ts'
import type { Engine, EngineKind } from './engine.ts'
import { FIRST_VERSION, type Migration } from './migrations/index.ts'
import type { Tables } from './tables.ts'

/** Versions of the schema before and after a migration; `from` is 0 for a new database. */
export interface MigratedVersions {
  readonly from: number
  readonly to: number
}

/**
 * Migrates the schema to the newest version in one transaction; several processes may do so
 * concurrently. Resolves with the versions before and after. Throws a `ServiceError` if the schema
 * is newer than `migrations`, or older than the first of them.
 */
export async function migrate(
  engine: Engine,
  plan: { readonly migrations: readonly Migration[]; readonly now: number },
): Promise<MigratedVersions> {
  return engine.write(async (db) => {
    if (engine.kind === 'postgres') await sql`select pg_advisory_xact_lock(731946205)`.execute(db)
    const versions = `create table if not exists schema_version
      (version bigint primary key, applied_at bigint not null);`
    await runStatements(db, toStatements(versions, engine.kind))
    const version = await readVersion(db)
    const newest = FIRST_VERSION + plan.migrations.length - 1
    rejectOtherSchemas(version, newest)
    for (const [index, migration] of plan.migrations.entries()) {
      if (FIRST_VERSION + index <= version) continue
      await runStatements(db, listStatements(migration, engine.kind))
      await db
        .insertInto('schema_version')
        .values({ version: FIRST_VERSION + index, applied_at: plan.now })
        .execute()
    }
    return { from: version, to: newest }
  })
}

async function runStatements(db: Kysely<Tables>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

async function readVersion(db: Kysely<Tables>): Promise<number> {
  const newest = await db
    .selectFrom('schema_version')
    .select((select) => select.fn.max('version').as('version'))
    .executeTakeFirst()
  return Number(newest?.version ?? 0)
}

function rejectOtherSchemas(version: number, known: number): void {
  if (version > known) {
    throw new ServiceError(
      'storage_unavailable',
      `Cannot open the storage: its schema version ${version} is newer than version ${known} of this release. Use a newer release`,
    )
  }
  if (version > 0 && version < FIRST_VERSION) {
    throw new ServiceError(
      'storage_unavailable',
      `Cannot open the storage: it was created before the first release (schema version ${version}). Create a new database, and import and sync again`,
    )
  }
}

/** Returns the statements of a migration in the SQL of an engine. */
export function listStatements(migration: Migration, kind: EngineKind): readonly string[] {
  const { statements, onPostgres = '' } = migration
  return toStatements(kind === 'postgres' ? statements + onPostgres : statements, kind)
}

function toStatements(text: string, kind: EngineKind): readonly string[] {
  let translated = text
  for (const [from, to] of TRANSLATIONS[kind]) translated = translated.replace(from, to)
  return translated.split(/;\n?$/m).filter((statement) => statement.trim() !== '')
}

/** Matches a type after the name of a column that is defined. */
function columnType(type: string): RegExp {
  return new RegExp(String.raw`(?<=(?:[(,]|\badd column)\s*\w+ )${type}\b`, 'g')
}

const TRANSLATIONS: Readonly<Record<EngineKind, readonly (readonly [from: RegExp, to: string])[]>> =
  {
    sqlite: [
      // Never assigns a number twice, even after the newest row was deleted.
      [/bigint generated always as identity primary key/g, 'integer primary key autoincrement'],
      [columnType('(?:bigint|smallint)'), 'integer'],
      [columnType('double precision'), 'real'],
      [columnType('bytea'), 'blob'],
    ],
    postgres: [
      // Tables that may be spread over servers by account: their keys begin with it.
      [
        /(generated always as identity) primary key, account_id text not null/g,
        '$1, account_id text not null, primary key (account_id, position)',
      ],
      // Compared by code point.
      [columnType('text'), 'text collate "C"'],
      [/ without rowid/g, ''],
    ],
  }
