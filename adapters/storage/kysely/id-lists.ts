import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { EngineKind } from './engine.ts'

/**
 * Returns the condition that a column is in a list, which is a single parameter written by
 * `toIdList`. One prepared statement serves lists of any length.
 */
export function isInIdList(kind: EngineKind, column: string): RawBuilder<SqlBool> {
  return kind === 'sqlite'
    ? sql`${sql.ref(column)} in (select value from json_each(${'[]'}))`
    : sql`${sql.ref(column)} = any(${'{}'}::bigint[])`
}

/** Serialises the parameter of `isInIdList`. */
export function toIdList(kind: EngineKind, ids: readonly number[]): string {
  return kind === 'sqlite' ? `[${ids.join(',')}]` : `{${ids.join(',')}}`
}

/** Returns the condition that a column is one of the numbers, passed as a single parameter. */
export function isNumberIn(
  kind: EngineKind,
  { column, list }: { readonly column: string; readonly list: readonly number[] },
): RawBuilder<SqlBool> {
  const parameter = toIdList(kind, list)
  return kind === 'sqlite'
    ? sql`${sql.ref(column)} in (select value from json_each(${parameter}))`
    : sql`${sql.ref(column)} = any(${parameter}::bigint[])`
}

/** Returns the condition that a column is one of the texts, passed as a single parameter. */
export function isInTextList(
  kind: EngineKind,
  { column, list }: { readonly column: string; readonly list: readonly string[] },
): RawBuilder<SqlBool> {
  return kind === 'sqlite'
    ? sql`${sql.ref(column)} in (select value from json_each(${JSON.stringify(list)}))`
    : sql`${sql.ref(column)} = any(${[...list]}::text[])`
}
