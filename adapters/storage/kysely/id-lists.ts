import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { EngineKind } from './engine.ts'

/**
 * True where the column is one of a list that comes as one parameter, written by `toIdList`: one
 * prepared statement for lists of any length.
 */
export function isInIdList(kind: EngineKind, column: string): RawBuilder<SqlBool> {
  return kind === 'sqlite'
    ? sql`${sql.ref(column)} in (select value from json_each(${'[]'}))`
    : sql`${sql.ref(column)} = any(${'{}'}::bigint[])`
}

/** The parameter of `isInIdList`. */
export function toIdList(kind: EngineKind, ids: readonly number[]): string {
  return kind === 'sqlite' ? `[${ids.join(',')}]` : `{${ids.join(',')}}`
}

/** True where the column is one of the numbers, which are one parameter. */
export function isNumberIn(
  kind: EngineKind,
  { column, list }: { readonly column: string; readonly list: readonly number[] },
): RawBuilder<SqlBool> {
  const parameter = toIdList(kind, list)
  return kind === 'sqlite'
    ? sql`${sql.ref(column)} in (select value from json_each(${parameter}))`
    : sql`${sql.ref(column)} = any(${parameter}::bigint[])`
}

/** True where the column is one of the texts, which come as one parameter, however many they are. */
export function isInTextList(
  kind: EngineKind,
  { column, list }: { readonly column: string; readonly list: readonly string[] },
): RawBuilder<SqlBool> {
  return kind === 'sqlite'
    ? sql`${sql.ref(column)} in (select value from json_each(${JSON.stringify(list)}))`
    : sql`${sql.ref(column)} = any(${[...list]}::text[])`
}
