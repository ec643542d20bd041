import {
  type Expression,
  type ExpressionBuilder,
  type ReferenceExpression,
  type SqlBool,
  sql,
} from 'kysely'
import type { ApiFilter } from '../../../core/catalogue/store.ts'
import { ServiceError } from '../../../core/http/problems.ts'
import { toInstantRange } from '../../../core/shared/dates.ts'
import type { DateRange } from '../../../core/shared/pages.ts'
import { foldName, MAX_NAME } from '../../../core/shared/text.ts'
import type { Tables } from './tables.ts'

/** Conditions for a time within a range of days; none when it is open on both ends. */
export function addedIn<Table extends keyof Tables>(
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

/** Conditions for a current API that the filter lets through. */
export function passes<Table extends keyof Tables>(
  where: ExpressionBuilder<Tables, Table | 'api'>,
  filter: ApiFilter,
): Expression<SqlBool> {
  const api = where as ExpressionBuilder<Tables, 'api'>
  return api.and([
    api('api.until', 'is', null),
    ...addedIn(api, filter, 'api.created_at'),
    ...(filter.isPublic === undefined ? [] : [api('api.is_public', '=', Number(filter.isPublic))]),
  ])
}

/** The words of a text, folded, each after one space: a word that starts with `x` is found as ` x`. */
export function toWords(text: string): string {
  return foldName(text)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
    .replace(/^(?=.)/, ' ')
}

/** A text as it stands in a LIKE pattern with the escape character `!`. */
export function toPattern(text: string): string {
  return text.replace(/[!%_]/g, '!$&')
}

/** A text that comes, by code points, after every indexed text with this prefix and before all others. */
export function afterPrefix(prefix: string): string {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0)
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last >= 0x10ffff) continue
    const next = last === 0xd7ff ? 0xe000 : last + 1
    return String.fromCodePoint(...points, next)
  }
  return '\u{10FFFF}'.repeat(MAX_NAME)
}

/** Throws a `ServiceError` for a name too long to be indexed. */
export function refuseLongName(what: string, foldedName: string): void {
  if (foldedName.length <= MAX_NAME) return
  throw new ServiceError(
    'invalid_input',
    `Cannot save the ${what}: its name has ${foldedName.length} characters, at most ${MAX_NAME} are kept`,
  )
}
