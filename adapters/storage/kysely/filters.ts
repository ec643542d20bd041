import {
  type Expression,
  type ExpressionBuilder,
  type ReferenceExpression,
  type SqlBool,
  sql,
} from 'kysely'
import type { ApiFilter } from '../../../core/catalogue/store.ts'
import { ServiceError } from '../../../core/errors.ts'
import { toInstantRange } from '../../../core/shared/dates.ts'
import type { DateRange } from '../../../core/shared/pages.ts'
import { foldName, MAX_NAME_LENGTH } from '../../../core/shared/text.ts'
import type { Tables } from './tables.ts'

/** Returns the conditions for a time within a range of days; none for an unbounded range. */
export function isWithinDays<Table extends keyof Tables>(
  where: ExpressionBuilder<Tables, Table>,
  range: DateRange,
  column: ReferenceExpression<Tables, Table>,
): Expression<SqlBool>[] {
  const { from, before } = toInstantRange(range)
  return [
    ...(from === undefined ? [] : [where(column, '>=', sql.val(from))]),
    ...(before === undefined ? [] : [where(column, '<', sql.val(before))]),
  ]
}

/** Returns the condition for a current API that passes the filter. */
export function passesApiFilter<Table extends keyof Tables>(
  where: ExpressionBuilder<Tables, Table | 'api'>,
  filter: ApiFilter,
): Expression<SqlBool> {
  const api = where as ExpressionBuilder<Tables, 'api'>
  return api.and([
    api('api.until', 'is', null),
    ...isWithinDays(api, filter, 'api.created_at'),
    ...(filter.isPublic === undefined ? [] : [api('api.is_public', '=', Number(filter.isPublic))]),
  ])
}

/**
 * Returns the folded words of a text, each preceded by a space: ` x` finds a word that starts with
 * `x`.
 */
export function toSearchableWords(text: string): string {
  return foldName(text)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
    .replace(/^(?=.)/, ' ')
}

/** Escapes a text for a LIKE pattern with the escape character `!`. */
export function escapeLikePattern(text: string): string {
  return text.replace(/[!%_]/g, '!$&')
}

/**
 * Returns the upper bound of all indexed texts with this prefix, by code point: no other text lies
 * between.
 */
export function getPrefixUpperBound(prefix: string): string {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0)
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last >= 0x10ffff) continue
    const next = last === 0xd7ff ? 0xe000 : last + 1
    return String.fromCodePoint(...points, next)
  }
  return '\u{10FFFF}'.repeat(MAX_NAME_LENGTH)
}

/** Throws a `ServiceError` if a name is too long to be indexed. */
export function rejectLongName(subject: string, foldedName: string): void {
  if (foldedName.length <= MAX_NAME_LENGTH) return
  throw new ServiceError(
    'invalid_input',
    `Cannot save the ${subject}: its name has ${foldedName.length} characters, more than ${MAX_NAME_LENGTH}`,
  )
}
