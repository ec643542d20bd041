import { CompiledQuery, type Kysely } from 'kysely'
import { createYieldIfDue } from '../../../core/shared/time-slices.ts'
import { type EngineKind, MAX_PLACEHOLDERS, type QueryParameter } from './engine.ts'
import type { Tables } from './tables.ts'

/**
 * Rows per statement: more are no faster on SQLite, and full batches reuse one prepared statement.
 */
const ROWS_PER_STATEMENT = 100

/**
 * Inserts many rows with multi-row VALUES and yields to the event loop when due. Every row contains
 * the values of `columns` in order.
 */
export async function insertRows<Table extends keyof Tables & string>(
  db: Kysely<Tables>,
  insert: {
    readonly kind: EngineKind
    readonly table: Table
    readonly columns: readonly (keyof Tables[Table] & string)[]
    readonly rows: Iterable<readonly QueryParameter[]>
    /** Handling of existing rows: an `on conflict` clause. */
    readonly onConflict?: string
  },
): Promise<void> {
  const { kind, table, columns, rows, onConflict = '' } = insert
  const size = Math.min(ROWS_PER_STATEMENT, Math.floor(MAX_PLACEHOLDERS / columns.length))
  const fullSql = toInsertSql({ kind, table, columns, count: size, onConflict })
  const pause = createYieldIfDue()
  let values: QueryParameter[] = []
  let count = 0
  let length = 0
  const flush = async () => {
    const sql = count === size ? fullSql : toInsertSql({ kind, table, columns, count, onConflict })
    await db.executeQuery(CompiledQuery.raw(sql, values))
    values = []
    count = 0
    length = 0
  }
  for (const row of rows) {
    for (const value of row) {
      values.push(value)
      if (typeof value === 'string') length += value.length
    }
    count += 1
    if (count < size && length < CHARACTERS_PER_STATEMENT) continue
    await flush()
    await pause()
  }
  if (count > 0) await flush()
}

/** Limit of all texts in a statement: writing more would exceed a time slice of the event loop. */
const CHARACTERS_PER_STATEMENT = 1024 * 1024

/** Splits items into chunks of at most `size`, for `in (…)` lists. */
export function* inChunks<T>(items: readonly T[], size = 500): Iterable<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}

function toInsertSql(shape: {
  readonly kind: EngineKind
  readonly table: string
  readonly columns: readonly string[]
  readonly count: number
  readonly onConflict: string
}): string {
  const { kind, table, columns, count, onConflict } = shape
  let placeholder = 0
  const next = kind === 'sqlite' ? () => '?' : () => `$${++placeholder}`
  const tuples = Array.from({ length: count }, () => `(${columns.map(next).join(', ')})`)
  return `insert into ${table} (${columns.join(', ')}) values ${tuples.join(', ')} ${onConflict}`
}
