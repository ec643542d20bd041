import { type Compilable, CompiledQuery, type Dialect, Kysely } from 'kysely'
import { cleanParameters } from './clean-text.ts'
import type { Engine, PreparedQuery, QueryParameter } from './engine.ts'
import { createUnavailableError } from './errors.ts'
import { guardDialect } from './guarded-dialect.ts'
import { isBusy, retryBusy, toSqliteError, WAIT_MS } from './sqlite-errors.ts'
import type { Tables } from './tables.ts'
import { finishTransaction, runStatement } from './transaction.ts'

/** A connection that writes. */
export interface SqliteWriter {
  readonly dialect: Dialect
  close(): Promise<void> | void
}

/** A connection of an SQLite driver in this thread, which caches its statements. */
export interface SqliteConnection extends SqliteWriter {
  prepare(sql: string): SqliteStatement
}

export interface SqliteStatement {
  all(parameters: readonly unknown[]): unknown[]
}

/**
 * Creates an engine with one writer connection and a separate reader, so that reads never wait for
 * a write. An in-memory database has only the writer. The writer serves one transaction at a time.
 * While another process has locked the database, transactions retry by timer, without blocking.
 */
export async function createSqliteEngine(parts: {
  readonly writer: SqliteWriter
  readonly reader: SqliteConnection | undefined
  /** Called when a statement waits more than a second for another process. */
  readonly onWait?: (() => void) | undefined
}): Promise<Engine> {
  const { writer, reader, onWait } = parts
  const writerDb = new Kysely<Tables>({ dialect: guardDialect(writer.dialect, mapSqliteErrors) })
  const db = reader
    ? new Kysely<Tables>({ dialect: guardDialect(reader.dialect, retryAndMapSqliteErrors) })
    : writerDb
  const close = async () => {
    await db.destroy()
    if (reader) await writerDb.destroy()
    // Kysely closes only connections that it has used.
    for (const connection of [reader, writer]) await connection?.close()
  }
  try {
    await setPragmas(writerDb, { pragmas: [...(reader ? FILE_PRAGMAS : []), ...PRAGMAS], onWait })
    if (reader) await setPragmas(db, { pragmas: READER_PRAGMAS, onWait })
  } catch (error) {
    await close()
    throw error
  }
  let isClosed = false

  return {
    kind: 'sqlite',
    db,
    prepare: (build) => (reader ? prepareOn(reader, build(db)) : prepareThrough(db, build(db))),

    write(work) {
      if (isClosed) throw createUnavailableError('it is closed')
      const until = performance.now() + WAIT_MS
      return writerDb.connection().execute(async (connection) => {
        await retryBusy(() => runStatement(connection, 'begin immediate'), { until, onWait })
        return finishTransaction(connection, work)
      })
    },

    async close() {
      if (isClosed) return
      isClosed = true
      await writerDb.connection().execute(async () => {})
      await close()
    },
  }
}

/**
 * Settings of the file: pages that fit rows of a few KB (new files only), readers that never wait
 * for a writer, and a bounded log size.
 */
const FILE_PRAGMAS = ['page_size = 8192', 'journal_mode = wal', 'journal_size_limit = 67108864']

/** Settings of each connection. A commit is on disk before it is acknowledged. */
const PRAGMAS = [
  'synchronous = full',
  'foreign_keys = on',
  'busy_timeout = 0',
  'cache_size = -32000',
  'temp_store = memory',
]

const READER_PRAGMAS = [...PRAGMAS, 'query_only = on']

function setPragmas(
  db: Kysely<Tables>,
  settings: { readonly pragmas: readonly string[]; readonly onWait: (() => void) | undefined },
): Promise<void> {
  return db.connection().execute(async (connection) => {
    for (const pragma of settings.pragmas) {
      const until = performance.now() + WAIT_MS
      const { onWait } = settings
      await retryBusy(() => runStatement(connection, `pragma ${pragma}`), { until, onWait })
    }
  })
}

/** Uses the driver directly: Kysely would take twice as long as the read itself. */
function prepareOn<Row>(connection: SqliteConnection, query: Compilable<Row>): PreparedQuery<Row> {
  const { sql } = query.compile()
  // The query's own type defines its rows.
  const read = (parameters: readonly QueryParameter[]) =>
    connection.prepare(sql).all(cleanParameters(parameters)) as Row[]
  return (parameters) => {
    try {
      return read(parameters)
    } catch (error) {
      if (!isBusy(error)) throw toSqliteError(error)
      return retryAndMapSqliteErrors(async () => read(parameters))
    }
  }
}

/** Uses Kysely, which prevents reads within another transaction on the only connection. */
function prepareThrough<Row>(db: Kysely<Tables>, query: Compilable<Row>): PreparedQuery<Row> {
  const { sql } = query.compile()
  return async (parameters) => {
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(sql, [...parameters]))
    return rows
  }
}

async function mapSqliteErrors<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    throw toSqliteError(error)
  }
}

function retryAndMapSqliteErrors<T>(attempt: () => Promise<T>): Promise<T> {
  const until = performance.now() + WAIT_MS
  return mapSqliteErrors(() => retryBusy(attempt, { until }))
}
