import { CompiledQuery, type Kysely } from 'kysely'
import { createUnavailableError } from './errors.ts'
import type { Tables } from './tables.ts'

/** Ends a transaction on the connection: commits if `work` resolves, else rolls back. */
export async function finishTransaction<T>(
  connection: Kysely<Tables>,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  try {
    const result = await work(connection)
    await runStatement(connection, 'commit')
    return result
  } catch (error) {
    await rollBack(connection, error)
    throw error
  }
}

/** Runs a statement without parameters and rows. */
export async function runStatement(connection: Kysely<Tables>, sql: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(sql))
}

async function rollBack(connection: Kysely<Tables>, cause: unknown): Promise<void> {
  try {
    await runStatement(connection, 'rollback')
  } catch (error) {
    // After some failures, such as a full disk, SQLite has already rolled back.
    const inner = error instanceof Error ? error.cause : error
    if (String(inner).includes('no transaction is active')) return
    throw createUnavailableError(
      'a transaction could not be rolled back',
      new AggregateError([cause, error]),
    )
  }
}
