/**
 * Tells whether a dotted name fits one of several patterns, which stand in one text with blanks
 * between them:
 *
 * - `http.Get`: exactly this name.
 * - `.Get`: a name with dots whose last part is `Get`.
 * - `*.Get`: `Get`, alone or as the last part.
 * - `get*`, `*Client`: `*` within a part stands for any letters, digits and underscores.
 * - `log.**`: `**` at the end stands for everything that follows.
 * - `fmt.{Print,Fprint}f`: one of the alternatives; one may be empty, and braces may nest.
 * - `new:Client`: `new Client`, the construction of a class.
 */
export type NameTest = (name: string) => boolean

/** Compiles patterns to one test; see `NameTest`. */
export function matchNames(patterns: string): NameTest {
  const exact = new Set<string>()
  const last = new Set<string>()
  const lastAfterDot = new Set<string>()
  const others: Source[] = []
  const othersOfLast: Source[] = []
  for (const pattern of new Set(patterns.split(/\s+/).flatMap(expand))) {
    if (pattern === '') continue
    if (pattern.startsWith('new:')) {
      const [prefix, source] = toSource(pattern.slice(4))
      others.push([`new ${prefix}`, source])
      continue
    }
    const [, head = '', name = ''] = /^(\*\.|\.)?(.*)$/.exec(pattern) ?? []
    if (head === '*.' && /^(?:\w|\*(?!\*))*$/.test(name) && name.includes('*')) {
      othersOfLast.push(toSource(name))
    } else if (/[*.]/.test(name) && (head !== '' || name.includes('*')))
      others.push(toSource(pattern))
    else if (head === '') exact.add(name)
    else if (head === '.') lastAfterDot.add(name)
    else last.add(name)
  }
  const rest = toExpression(others)
  const restOfLast = toExpression(othersOfLast)
  if (patterns.trim() === '') return () => false
  return (name) => {
    if (exact.has(name)) return true
    const dot = name.lastIndexOf('.')
    const part = name.slice(dot + 1)
    if (last.has(part) || (dot >= 0 && lastAfterDot.has(part))) return true
    return restOfLast?.test(part) === true || rest?.test(name) === true
  }
}

/** The first row whose patterns fit a name; undefined for none. */
export function lookUpNames<Value>(
  rows: readonly (readonly [patterns: string, value: Value])[],
): (name: string) => Value | undefined {
  const tests = rows.map(([patterns, value]) => ({ fits: matchNames(patterns), value }))
  if (tests.length === 0) return () => undefined
  return rememberNames((name) => tests.find(({ fits }) => fits(name))?.value)
}

/** Names whose results are remembered at most. */
const MAX_REMEMBERED = 5000

/** Remembers the results of a function of names, as the same names recur in most files. */
export function rememberNames<Value>(read: (name: string) => Value): (name: string) => Value {
  const known = new Map<string, Value>()
  return (name) => {
    const found = known.get(name)
    if (found !== undefined || known.has(name)) return found as Value
    if (known.size >= MAX_REMEMBERED) known.clear()
    const value = read(name)
    known.set(name, value)
    return value
  }
}

/** Returns the last part of a dotted name. */
export function lastName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

/** The alternatives of a regular expression, written with blanks between them. */
export function anyOf({ raw: [words = ''] }: TemplateStringsArray): string {
  return `(?:${words.trim().split(/\s+/).join('|')})`
}

/** Replaces `{a,b}` by each of its alternatives, innermost braces first. */
function expand(pattern: string): readonly string[] {
  const found = /^(.*)\{([^{}]*)\}(.*)$/s.exec(pattern)
  if (!found) return [pattern]
  const [, before = '', alternatives = '', after = ''] = found
  return alternatives.split(',').flatMap((one) => expand(`${before}${one}${after}`))
}

/** A regular expression in two parts. */
type Source = readonly [prefix: string, name: string]

/** Sources with the same prefix share it, which avoids backtracking. */
function toExpression(sources: readonly Source[]): RegExp | undefined {
  if (sources.length === 0) return undefined
  const names = new Map<string, string[]>()
  for (const [prefix, name] of sources) names.set(prefix, [...(names.get(prefix) ?? []), name])
  const groups = [...names].map(([prefix, all]) => `${prefix}(?:${all.join('|')})`)
  return new RegExp(`^(?:${groups.join('|')})$`, 's')
}

function toSource(pattern: string): Source {
  const [, head = '', name = ''] = /^(\*\.|\.)?(.*)$/.exec(pattern) ?? []
  const before = head === '' ? '' : head === '.' ? '.*\\.' : '(?:.*\\.)?'
  const source = name
    .replace(/[\\^$+?()[\]|.]/g, '\\$&')
    .replaceAll('**', '\0')
    .replaceAll('*', '\\w*')
    .replaceAll('\0', '.*')
  return [before, source]
}
