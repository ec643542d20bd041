import { CompiledQuery, type Kysely } from 'kysely'
import { toUnavailable } from './errors.ts'
import type { Tables } from './tables.ts'

/** Ends a transaction that has begun on the connection: commits when `work` resolves. */
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

/** Runs a statement that has neither parameters nor rows. */
export async function runStatement(connection: Kysely<Tables>, sql: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(sql))
}

async function rollBack(connection: Kysely<Tables>, cause: unknown): Promise<void> {
  try {
    await runStatement(connection, 'rollback')
  } catch (error) {
    // After some failures, as a full disk, SQLite has rolled back on its own.
    const inner = error instanceof Error ? error.cause : error
    if (String(inner).includes('no transaction is active')) return
    throw toUnavailable('a transaction was cut off', new AggregateError([cause, error]))
  }
}
