import { sql } from 'kysely'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.ts'

/**
 * Makes PostgreSQL analyse tables after many rows were written. It would do so itself up to a
 * minute later, or not at all. Until then it plans for a row or two, and reads all new rows for
 * each of them. Does nothing for few rows, in number or as a share of their table, and on SQLite,
 * whose plans need no statistics.
 */
export async function refreshStatistics(
  { db, kind }: Engine,
  written: { readonly tables: readonly (keyof Tables & string)[]; readonly rows: number },
): Promise<void> {
  const { tables, rows } = written
  if (kind !== 'postgres' || rows < FEW_ROWS) return
  const names = sql.join(tables.map((name) => sql`${name}::regclass`))
  const { rows: outdated } = await sql<{ name: string }>`select relname as name from pg_class
    where oid in (${names}) and reltuples < ${rows * MIN_SHARE}`.execute(db)
  for (const { name } of outdated) {
    // A concurrent analysis suffices: there is no need to wait for it.
    await sql`analyze (skip_locked) ${sql.table(name)}`.execute(db)
  }
}

const FEW_ROWS = 500
/** Less than a hundredth does not matter: statistics store about a hundred frequent values. */
const MIN_SHARE = 100
