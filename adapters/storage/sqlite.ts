import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { type SqliteDatabase, SqliteDialect } from 'kysely'
import type { Clock, Storage } from '../../core/ports.ts'
import { createSqliteEngine, type SqliteConnection } from './kysely/sqlite-engine.ts'
import { toSqliteError } from './kysely/sqlite-errors.ts'
import { cacheStatements } from './kysely/statement-cache.ts'
import { openKyselyStorage } from './kysely/storage.ts'
import { makePrivate } from './sqlite-private.ts'

export { backupSqlite, checkSqlite } from './sqlite-files.ts'

/**
 * Opens a storage in an SQLite file, which is made and migrated when needed; `:memory:` keeps
 * everything in memory. Runs on `node:sqlite`, which Node, Bun and Deno have. Throws a
 * `ServiceError` when the file cannot be opened or its schema is newer than this release.
 */
export async function openSqlite(options: {
  readonly file: string
  /** Tells when versions ended; the system's clock when absent. */
  readonly clock?: Clock
  /** Called when a write has waited for another process for a second, of the ten that it may wait. */
  readonly onWait?: () => void
}): Promise<Storage> {
  const { file, clock = Date.now } = options
  await makePrivate(file)
  const writer = connect(file)
  const engine = await createSqliteEngine({
    writer,
    onWait: options.onWait,
    reader: file === ':memory:' ? undefined : connect(file),
    toDialect: (database) => new SqliteDialect({ database }),
  })
  return openKyselyStorage(engine, clock)
}

/** What both Kysely's dialect and our engine ask for, over `node:sqlite`. */
function connect(file: string): SqliteDatabase & SqliteConnection {
  const database = open(file)
  let isOpen = true
  const statements = cacheStatements<ReturnType<SqliteDatabase['prepare']>>((sql) => {
    const statement = database.prepare(sql)
    return {
      reader: hasRows(statement, sql),
      all: (parameters) => statement.all(...toInput(parameters)),
      run: (parameters) => statement.run(...toInput(parameters)),
      iterate: (parameters) => statement.iterate(...toInput(parameters)),
    }
  })
  return {
    prepare: statements.prepare,
    close: () => {
      // Node has `isOpen` since 22.15 only.
      if (!isOpen) return
      isOpen = false
      database.close()
    },
  }
}

/** Whether a statement gives rows. Node tells since 22.16; before, the statement's own words do. */
function hasRows(statement: Partial<Pick<StatementSync, 'columns'>>, sql: string): boolean {
  if (statement.columns) return statement.columns().length > 0
  return /^\s*(select|with|pragma|explain|values)\b|\breturning\b/i.test(sql)
}

function open(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file)
  } catch (error) {
    throw toSqliteError(error)
  }
}

/** The stores bind texts, numbers, null and bytes only (`QueryParameter`). */
function toInput(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[]
}
