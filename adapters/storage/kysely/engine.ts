import type { Compilable, Kysely } from 'kysely'
import type { MaybePromise } from '../../../core/shared/maybe-promise.ts'
import type { Tables } from './tables.ts'

/** What a database has to offer so that the repositories work on it. */
export interface Engine {
  readonly kind: EngineKind
  /** For reads outside transactions. Errors arrive as `ServiceError`s. */
  readonly db: Kysely<Tables>
  /**
   * Compiles a query once, for hot reads. The placeholders are the query's parameters in the order
   * of its SQL; what `build` gives for them is not used.
   */
  prepare<Row>(build: (db: Kysely<Tables>) => Compilable<Row>): PreparedQuery<Row>
  /**
   * Runs `work` in a transaction that sees and locks out every other writer's rows it touches
   * (SQLite: the whole database); commits when it resolves, leaves nothing when it rejects.
   * `work` must use only the connection it is given, and change nothing else that lasts: it runs again,
   * a few times at most, when the server has taken back the transaction for another one's sake.
   */
  write<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  /** Waits for running transactions. */
  close(): Promise<void>
}

export type EngineKind = 'sqlite' | 'postgres'

/** Runs a compiled query; gives the rows at once where the driver does, as hot reads cost little. */
export type PreparedQuery<Row> = (
  parameters: readonly QueryParameter[],
) => MaybePromise<readonly Row[]>

export type QueryParameter = string | number | null | Uint8Array

/** Most placeholders in one statement: SQLite's limit, PostgreSQL's is twice that. */
export const MAX_PLACEHOLDERS = 32_766
