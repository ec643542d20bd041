import type { ArgumentPlace } from '../model/program.ts'

/** Role of an argument; other parameters of a row only count positions. */
export type Role = 'url' | 'method' | 'base' | 'path'
export type Places = { [Key in Role]?: ArgumentPlace }

/** A call of a row: `GET http.{Get|Head}(url)`. */
export interface RowCall {
  /** The method before the row, lower case. */
  readonly verb: string | undefined
  /** With alternatives; see `expandNames`. */
  readonly callee: string
  readonly places: Places
}

/** Values of `{verb}`. */
export const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const

/** Parses one row to its chain of calls. Throws a `SyntaxError` that quotes an invalid row. */
export function parseRow(row: string): readonly RowCall[] {
  const prefix = /^[A-Z]+(?= \S)/.exec(row)?.[0]
  const tokens = row.slice(prefix?.length ?? 0).match(TOKENS) ?? []
  let at = 0

  function fail(reason: string): never {
    throw new SyntaxError(`Invalid row "${row.slice(0, 200)}": ${reason}`)
  }

  function skip(token: string): boolean {
    if (tokens[at] !== token) return false
    at += 1
    return true
  }

  function readName(): string {
    const name = tokens[at] ?? fail('it ends too early')
    if (/^[,:(){}|]$/.test(name)) fail(`unexpected "${name}"`)
    at += 1
    return name
  }

  /** Reads the parts between brackets, separated by commas. */
  function readParts(close: string, readPart: (index: number) => void): void {
    for (let index = 0; !skip(close); index += 1) {
      if (index > 0 && !skip(',')) fail(`"${close}" is missing`)
      readPart(index)
    }
  }

  function readParameters(): Places {
    const places: Places = {}
    let isNamed = false
    readParts(')', (index) => {
      if (skip('*')) isNamed = true
      else readParameter(places, isNamed ? {} : { at: index })
    })
    return places
  }

  /** `url`, `target: url`, `{ url, method }`, `new Request(url)`, or several with `|` between. */
  function readParameter(places: Places, position: ArgumentPlace): void {
    let name: string | undefined
    if (tokens[at + 1] === ':') {
      name = readName()
      at += 1
    }
    do {
      if (skip('{')) {
        readMembers(places, name === undefined ? position : { ...position, name })
        continue
      }
      const word = readName()
      if (!skip('(')) {
        // Libraries have no common name for the parameter of a base.
        const own = name ?? (word === 'base' ? undefined : word)
        setPlace(places, word, own === undefined ? position : { ...position, name: own })
        if (name !== undefined && !isRole(word)) fail(`"${word}" is no url, method or base`)
        continue
      }
      const makers = expandNames(word)
      for (const [role, place] of toEntries(readParameters())) {
        const { madeBy } = places[role] ?? {}
        const made = { ...madeBy, ...toRecord(makers, place) }
        setPlace(places, role, { ...position, ...(name !== undefined && { name }), madeBy: made })
      }
    } while (skip('|'))
  }

  function readMembers(places: Places, record: ArgumentPlace): void {
    readParts('}', () => {
      const name = readName()
      const key = record.key === undefined ? name : `${record.key}.${name}`
      const value = skip(':')
      if (value && skip('{')) readMembers(places, { ...record, key })
      else setPlace(places, value ? readName() : name, { ...record, key })
    })
  }

  const calls: RowCall[] = []
  while (at < tokens.length) {
    // A receiver that is itself called has no name.
    const callee = tokens[at] === '(' ? '' : readName()
    const places = skip('(') ? readParameters() : {}
    const verb = calls.length === 0 ? prefix?.toLowerCase() : undefined
    calls.push({ verb, callee, places })
  }
  return calls
}

/** Expands a name with alternatives: `{requests|httpx}.{get|post}`. */
export function expandNames(name: string): readonly string[] {
  let names = ['']
  for (const [part, alternatives] of name.matchAll(NAME_PARTS)) {
    const all =
      alternatives === undefined
        ? [part]
        : alternatives.split('|').flatMap((one) => VERBS_AS.get(one.trim()) ?? one.trim())
    if (names.length * all.length > MAX_NAMES) {
      throw new SyntaxError(`Invalid row "${name.slice(0, 200)}": too many alternatives`)
    }
    names = names.flatMap((start) => all.map((one) => start + one))
  }
  return names
}

/** Splits at commas and line breaks outside brackets. */
export function splitList(text: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at <= text.length; at += 1) {
    const char = text.charAt(at)
    if (char === '(' || char === '{') depth += 1
    else if (char === ')' || char === '}') depth -= 1
    else if (at === text.length || (depth === 0 && (char === ',' || char === '\n'))) {
      const part = text.slice(start, at).trim()
      if (part !== '') parts.push(part)
      start = at + 1
    }
  }
  return parts
}

/** Creates a record with the same value for several names, as own properties. */
export function toRecord<Value>(
  names: readonly string[],
  value: Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(names.map((name) => [name, value]))
}

/** Names with alternatives (no comma or colon in their braces), and punctuation. */
const TOKENS =
  /(?:new )?(?:[^\s,:(){}|]|\{(?:[Vv]erb|VERB|[^{}:,|]*(?:\|[^{}:,|]*)+)\})+|[,:(){}|]/g

const NAME_PARTS = /\{([^{}]*)\}|[^{}]+/g

const VERBS_AS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['verb', VERBS],
  ['Verb', VERBS.map((verb) => verb.charAt(0).toUpperCase() + verb.slice(1))],
  ['VERB', VERBS.map((verb) => verb.toUpperCase())],
])

/** Maximum number of names that one with alternatives expands to. */
const MAX_NAMES = 200

const ROLES: ReadonlySet<string> = new Set<Role>(['url', 'method', 'base', 'path'])

function isRole(word: string): word is Role {
  return ROLES.has(word)
}

function setPlace(places: Places, word: string, place: ArgumentPlace): void {
  if (isRole(word)) places[word] = place
}

function toEntries(places: Places): readonly (readonly [Role, ArgumentPlace])[] {
  return Object.entries(places).flatMap(([role, place]) => (isRole(role) ? [[role, place]] : []))
}
