import { sql } from 'kysely'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.ts'

/**
 * Has PostgreSQL look at tables into which so many rows have just been written. By itself it does
 * so up to a minute later, or not at all; until then it takes what is new for a row or two, and
 * reads all of it for each of its rows. Does nothing where the rows are few, alone or among those of
 * their table, and on SQLite, whose plans need no statistics.
 */
export async function refreshStatistics(
  { db, kind }: Engine,
  written: { readonly tables: readonly (keyof Tables & string)[]; readonly rows: number },
): Promise<void> {
  const { tables, rows } = written
  if (kind !== 'postgres' || rows < FEW_ROWS) return
  const names = sql.join(tables.map((name) => sql`${name}::regclass`))
  const { rows: outdated } = await sql<{ name: string }>`select relname as name from pg_class
    where oid in (${names}) and reltuples < ${rows * SHARE}`.execute(db)
  for (const { name } of outdated) {
    // Whoever looks at it just now need not be waited for.
    await sql`analyze (skip_locked) ${sql.table(name)}`.execute(db)
  }
}

const FEW_ROWS = 500
/** What is less than a hundredth is like the rest: statistics keep some hundred frequent values. */
const SHARE = 100
