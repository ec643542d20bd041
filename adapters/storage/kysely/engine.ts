import type { Compilable, Kysely } from 'kysely'
import type { MaybePromise } from '../../../core/shared/maybe-promise.ts'
import type { Tables } from './tables.ts'

/** The database operations that the repositories need. */
export interface Engine {
  readonly kind: EngineKind
  /** Connection for reads outside transactions. Errors are `ServiceError`s. */
  readonly db: Kysely<Tables>
  /**
   * Compiles a query once, for frequent reads. Parameters follow the order of the placeholders in
   * its SQL; the values in `build` are ignored.
   */
  prepare<Row>(build: (db: Kysely<Tables>) => Compilable<Row>): PreparedQuery<Row>
  /**
   * Runs `work` in a transaction that locks the rows it touches for other writers (SQLite: the
   * whole database). Commits if `work` resolves and rolls back if it rejects. `work` must use only
   * its own connection and have no other lasting effects. It is repeated a few times if the server
   * rolls back because of a concurrent transaction.
   */
  write<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  /** Waits for running transactions, then closes the connections. */
  close(): Promise<void>
}

export type EngineKind = 'sqlite' | 'postgres'

/**
 * Runs a compiled query. Returns rows synchronously if the driver does: frequent reads are short.
 */
export type PreparedQuery<Row> = (
  parameters: readonly QueryParameter[],
) => MaybePromise<readonly Row[]>

export type QueryParameter = string | number | null | Uint8Array

/**
 * Maximum number of placeholders in a statement: SQLite's limit; PostgreSQL allows twice as many.
 */
export const MAX_PLACEHOLDERS = 32_766
