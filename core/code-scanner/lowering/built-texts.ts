import type { Expression } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'

/** Helpers that return their URL argument: `normalize_uri(url)`, `sanitizeUrl($url)`. */
export const TIDIES_URL =
  /(?:^|[._])(?:normali[sz]e|sanitize|escape|clean|encode|ensure|fix|tidy|safe)_?ur[il]$/i

/** Joins the items of a list with a separator; unknown if the value is no list. */
export function withSeparator(list: Expression, separator: string): Expression {
  if (list.kind !== 'list') return { kind: 'unknown', place: list.place }
  return separated({ kind: 'text', text: separator, place: list.place }, list.items)
}

/** Joins items with a separator; slashes make a path. */
export function separated(separator: Expression, items: readonly Expression[]): Expression {
  const place = items[0]?.place ?? separator.place
  if (plainText(separator) === '/') return { kind: 'path', parts: items, place }
  const parts = items.flatMap((item, index) => (index === 0 ? [item] : [separator, item]))
  return { kind: 'join', parts, place }
}

/** Merges records, of which later entries win; undefined if none of the values is a record. */
export function mergeRecords(values: readonly Expression[]): Expression | undefined {
  const records = values.flatMap((value) => (value.kind === 'record' ? [value] : []))
  const [first] = records
  const entries = Object.assign({}, ...records.map((record) => record.entries))
  return first && { kind: 'record', entries, place: first.place }
}

/** Returns a member by its key: a longer name, a record's entry, or a list's item. */
export function memberOf(value: Expression, key: string): Expression {
  if (value.kind === 'name') return { ...value, name: `${value.name}.${key}` }
  const unknown = { kind: 'unknown', place: value.place } as const
  if (value.kind === 'list') return value.items[Number(key)] ?? unknown
  if (value.kind !== 'record' || !Object.hasOwn(value.entries, key)) return unknown
  return value.entries[key] ?? unknown
}

/** Returns any item of a list, as a loop's variable has. */
export function anyOf(value: Expression): Expression | undefined {
  if (value.kind === 'name') return { ...value, name: `${value.name}.*` }
  if (value.kind === 'list') return { kind: 'either', options: value.items, place: value.place }
  return undefined
}

/** Appends a path to a base, at the position of the path. */
export function below(base: Expression, path: Expression): Expression {
  return { kind: 'path', parts: [base, path], place: path.place }
}

/** The name of the value that modules provide for a token. */
export function toTokenName(token: string): string {
  return `@token ${token}`
}

/** Whether a condition selects another environment than production: `sandbox ? a : b`. */
export function isOtherEnvironment(condition: SyntaxNode | null): boolean {
  const { text = '', parent } = condition ?? {}
  if (parent?.type.startsWith('unless')) return false
  return text.length < 200 && OTHER_ENVIRONMENT.test(text) && !/^\(?\s*(?:!|not\b)|!=/.test(text)
}

const OTHER_ENVIRONMENT = /sandbox|staging|is_?(?:test|dev|debug|local)|test_?mode|["']dev/i

/** Combines alternatives; a single one is returned as it is. */
export function eitherOf(options: readonly Expression[]): Expression | undefined {
  const [first] = options
  return !first || options.length === 1 ? first : { kind: 'either', options, place: first.place }
}

/** Strips line ends and indentation around a string of several lines. */
export function withoutLineEnds(text: string): string {
  const rest = text.replace(/^\s*\n\s*/, '')
  const { length } = rest.trimEnd()
  const end = rest.indexOf('\n', length)
  return end < 0 ? rest : rest.slice(0, end)
}

/** Returns the string of a literal; undefined for other values. */
export function plainText(value: Expression | undefined): string | undefined {
  return value?.kind === 'text' ? value.text : undefined
}

/** Whether a value is built from literals, unlike a name or the result of a call. */
export function isTextLike({ kind }: Expression): boolean {
  return /^(?:text|join|format|path|either)$/.test(kind)
}

/** A string of one part, to which paths can be appended. */
export function builtFrom(first: Expression): Expression {
  return isTextLike(first) ? first : { kind: 'join', parts: [first], place: first.place }
}
