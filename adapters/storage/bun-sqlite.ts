import { Database, type SQLQueryBindings } from 'bun:sqlite'
import { BunSqliteDialect } from 'kysely-bun-sqlite'
import type { Clock } from '../../core/ports/clock.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import { createSqliteEngine, type SqliteConnection } from './kysely/sqlite-engine.ts'
import { toSqliteError } from './kysely/sqlite-errors.ts'
import { createStatementCache } from './kysely/statement-cache.ts'
import { openKyselyStorage } from './kysely/storage.ts'
import { createPrivateFile } from './sqlite-private-file.ts'

/**
 * Opens a storage in an SQLite file like `openSqlite`, but with Bun's own `bun:sqlite`. Both use
 * the same file format.
 *
 * @example
 * ```ts
 * import { createApiDiscovery } from 'api-discovery'
 * import { openBunSqlite } from 'api-discovery/bun-sqlite'
 *
 * const storage = await openBunSqlite({ file: 'apis.db' })
 * const app = createApiDiscovery({ storage })
 * ```
 */
export async function openBunSqlite(options: {
  readonly file: string
  /** Clock for the end times of versions; default: the system's clock. */
  readonly clock?: Clock
  /** Called when a write has waited a second for another process; it fails after ten. */
  readonly onWait?: () => void
}): Promise<FullStorage> {
  const { file, clock = Date.now } = options
  await createPrivateFile(file)
  const engine = await createSqliteEngine({
    writer: openBunConnection(file),
    onWait: options.onWait,
    reader: file === ':memory:' ? undefined : openBunConnection(file),
  })
  return openKyselyStorage(engine, clock)
}

interface BunStatement {
  readonly columnNames: readonly string[]
  all(parameters: readonly unknown[]): unknown[]
  run(parameters: readonly unknown[]): { lastInsertRowid: number | bigint; changes: number }
  finalize(): void
}

function openBunConnection(file: string): SqliteConnection {
  const database = openBunDatabase(file)
  const statements = createStatementCache<BunStatement>(
    (sql) => {
      const statement = database.prepare(sql)
      return {
        columnNames: statement.columnNames,
        all: (parameters) => statement.all(...toBindings(parameters)),
        run: (parameters) => statement.run(...toBindings(parameters)),
        finalize: () => statement.finalize(),
      }
    },
    (statement) => statement.finalize(),
  )
  const connection = {
    prepare: statements.prepare,
    close() {
      // An unfinalised statement would keep the file open.
      statements.clear()
      database.close()
    },
  }
  // The dialect calls only `prepare` and `close` of the database.
  const dialect = new BunSqliteDialect({ database: connection as unknown as Database })
  return { ...connection, dialect }
}

function openBunDatabase(file: string): Database {
  try {
    return new Database(file, { create: true, readwrite: true })
  } catch (error) {
    throw toSqliteError(error)
  }
}

/** The stores bind only strings, numbers, null and bytes (`QueryParameter`). */
function toBindings(parameters: readonly unknown[]): SQLQueryBindings[] {
  return parameters as SQLQueryBindings[]
}
