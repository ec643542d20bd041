import type { Call, Expression, Place, TextRole } from '../model/program.ts'

/** Callees whose arguments are for people or browsers, by what they are; the first row counts. */
export type RoleTable = readonly (readonly [RegExp, TextRole])[]

/** Helpers that give back a URL that they tidy: `normalize_uri(url)`, `sanitizeUrl($url)`. */
export const TIDIES_URL =
  /(?:^|[._])(?:normali[sz]e|sanitize|escape|clean|encode|ensure|fix|tidy|safe)_?ur[il]$/i

/** The role of what a callee is given; undefined for ordinary calls. */
export function roleOf(callee: string, roles: RoleTable): TextRole | undefined {
  return roles.find(([pattern]) => pattern.test(callee))?.[1]
}

/** The items of a list with a separator between each two; unknown where the list is. */
export function withSeparator(list: Expression, separator: string): Expression {
  if (list.kind !== 'list') return { kind: 'unknown', place: list.place }
  const place = list.items[0]?.place ?? list.place
  if (separator === '/') return { kind: 'path', parts: list.items, place }
  const mark: Expression = { kind: 'text', text: separator, place: list.place }
  const parts = list.items.flatMap((item, index) => (index === 0 ? [item] : [mark, item]))
  return { kind: 'join', parts, place }
}

/** One record of several, where later entries win; undefined if none is a record. */
export function mergeRecords(values: readonly Expression[]): Expression | undefined {
  const records = values.flatMap((value) => (value.kind === 'record' ? [value] : []))
  const [first] = records
  const entries = Object.assign({}, ...records.map((record) => record.entries))
  return first && { kind: 'record', entries, place: first.place }
}

/** A member of a value by its key: a name with one part more, a record's entry. */
export function memberOf(value: Expression, key: string): Expression {
  if (value.kind === 'name') return { ...value, name: `${value.name}.${key}` }
  const entry =
    value.kind === 'record' && Object.hasOwn(value.entries, key) ? value.entries[key] : undefined
  return entry ?? { kind: 'unknown', place: value.place }
}

/** One of the values of a list or record, whichever: what a loop's variable is. */
export function anyOf(value: Expression): Expression | undefined {
  if (value.kind === 'name') return { ...value, name: `${value.name}.*` }
  if (value.kind === 'list') return { kind: 'either', options: value.items, place: value.place }
  return undefined
}

/** What a function gives back that is used without being called: a property, a reader. */
export function resultOf(
  callee: string,
  { place, scope }: { readonly place: Place; readonly scope: number },
): Expression {
  const call: Call = { callee, receiver: undefined, args: [], named: {}, place, scope }
  return { kind: 'call', call, place }
}

/** One or the other; a single one is itself. */
export function eitherOf(options: readonly Expression[]): Expression | undefined {
  const [first] = options
  return !first || options.length === 1 ? first : { kind: 'either', options, place: first.place }
}

/** A text over several lines without the line ends and the indentation around it. */
export function withoutLineEnds(text: string): string {
  const rest = text.replace(/^\s*\n\s*/, '')
  const { length } = rest.trimEnd()
  const end = rest.indexOf('\n', length)
  return end < 0 ? rest : rest.slice(0, end)
}

/** The text of a value that is nothing but text. */
export function plainText(value: Expression | undefined): string | undefined {
  return value?.kind === 'text' ? value.text : undefined
}
