import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { type SqliteDatabase, SqliteDialect } from 'kysely'
import type { Clock } from '../../core/ports/clock.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import { createSqliteEngine, type SqliteConnection } from './kysely/sqlite-engine.ts'
import { toSqliteError } from './kysely/sqlite-errors.ts'
import { createStatementCache } from './kysely/statement-cache.ts'
import { openKyselyStorage } from './kysely/storage.ts'
import { importNodeSqlite } from './sqlite-import.ts'
import { createPrivateFile } from './sqlite-private-file.ts'

export { backupSqlite, checkSqlite } from './sqlite-files.ts'

/**
 * Opens a storage in an SQLite file, creating and migrating it if necessary; `:memory:` stores
 * everything in memory. Uses `node:sqlite`, which Node, Bun and Deno provide. Throws a
 * `ServiceError` if the file cannot be opened, its schema is newer than this release, or Node is
 * older than 22.13.
 *
 * @example
 * ```ts
 * import { createApiDiscovery } from 'api-discovery'
 * import { openSqlite } from 'api-discovery/sqlite'
 *
 * const storage = await openSqlite({ file: 'apis.db' })
 * const app = createApiDiscovery({ storage })
 * ```
 */
export async function openSqlite(options: {
  readonly file: string
  /** Clock for the end times of versions; default: the system's clock. */
  readonly clock?: Clock
  /** Called when a write has waited a second for another process; it fails after ten. */
  readonly onWait?: () => void
  /** Called with the versions of the schema before and after; `from` is 0 for a new database. */
  readonly onMigrated?:
    | ((versions: { readonly from: number; readonly to: number }) => void)
    | undefined
}): Promise<FullStorage> {
  const { file, clock = Date.now } = options
  const sqlite = await importNodeSqlite()
  await createPrivateFile(file)
  const connect = () => openNodeConnection(sqlite, file)
  const writer = connect()
  const engine = await createSqliteEngine({
    writer,
    onWait: options.onWait,
    reader: file === ':memory:' ? undefined : connect(),
    toDialect: (database) => new SqliteDialect({ database }),
  })
  return openKyselyStorage(engine, clock, options.onMigrated)
}

/** Opens a connection for both Kysely's dialect and our engine, using `node:sqlite`. */
function openNodeConnection(sqlite: NodeSqlite, file: string): SqliteDatabase & SqliteConnection {
  const database = openNodeDatabase(sqlite, file)
  let isOpen = true
  const statements = createStatementCache<ReturnType<SqliteDatabase['prepare']>>((sql) => {
    const statement = database.prepare(sql)
    return {
      reader: hasRows(statement, sql),
      all: (parameters) => statement.all(...toSqlInput(parameters)),
      run: (parameters) => statement.run(...toSqlInput(parameters)),
      iterate: (parameters) => statement.iterate(...toSqlInput(parameters)),
    }
  })
  return {
    prepare: statements.prepare,
    close: () => {
      // Node has `isOpen` only since 22.15.
      if (!isOpen) return
      isOpen = false
      database.close()
    },
  }
}

/**
 * Returns whether a statement produces rows. Node reports it since 22.16; for older versions it is
 * derived from the SQL text.
 */
function hasRows(statement: Partial<Pick<StatementSync, 'columns'>>, sql: string): boolean {
  if (statement.columns) return statement.columns().length > 0
  return /^\s*(select|with|pragma|explain|values)\b|\breturning\b/i.test(sql)
}

type NodeSqlite = typeof import('node:sqlite')

function openNodeDatabase(sqlite: NodeSqlite, file: string): DatabaseSync {
  try {
    return new sqlite.DatabaseSync(file)
  } catch (error) {
    throw toSqliteError(error)
  }
}

/** The stores bind only strings, numbers, null and bytes (`QueryParameter`). */
function toSqlInput(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[]
}
