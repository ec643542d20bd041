import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import { cleanParameters } from './clean-text.ts'

/** Runs a database operation: maps its errors, and may retry it. */
export type Guard = <T>(attempt: () => Promise<T>) => Promise<T>

/**
 * Wraps a dialect. Its connections clean texts (see `clean-text.ts`), and its calls go through
 * `guard`, so that neither driver errors nor SQL leave the storage.
 */
export function guardDialect(dialect: Dialect, guard: Guard): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => guardDriver(dialect.createDriver(), guard),
  }
}

function guardDriver(driver: Driver, guard: Guard): Driver {
  const guarded = new WeakMap<DatabaseConnection, GuardedConnection>()
  const innerOf = (connection: DatabaseConnection) =>
    connection instanceof GuardedConnection ? connection.inner : connection
  return {
    init: () => driver.init(),
    async acquireConnection() {
      const inner = await guard(() => driver.acquireConnection())
      const known = guarded.get(inner) ?? new GuardedConnection(inner, guard)
      guarded.set(inner, known)
      return known
    },
    beginTransaction: (connection, settings) =>
      driver.beginTransaction(innerOf(connection), settings),
    commitTransaction: (connection) => driver.commitTransaction(innerOf(connection)),
    rollbackTransaction: (connection) => driver.rollbackTransaction(innerOf(connection)),
    releaseConnection: (connection) => driver.releaseConnection(innerOf(connection)),
    destroy: () => driver.destroy(),
  }
}

class GuardedConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection
  readonly #guard: Guard

  constructor(inner: DatabaseConnection, guard: Guard) {
    this.inner = inner
    this.#guard = guard
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const parameters = cleanParameters(query.parameters)
    const clean = parameters === query.parameters ? query : { ...query, parameters }
    return this.#guard(async () => this.inner.executeQuery<R>(clean))
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Cannot stream a query: read it in pages by key')
  }
}
