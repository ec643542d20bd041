import { HOLE, REST } from './placeholders.ts'

/** Most query parameters of a template that are looked at. */
const MAX_DEMANDS = 16

/** What a template with a `?` or `#` asks of a URL, as some descriptions have. */
export interface QueryDemand {
  /** Names with the literal value that they must have. */
  readonly pairs: readonly (readonly [name: string, value: string])[]
  /** Names with a parameter as value: preferred, as they may be optional. */
  readonly names: readonly string[]
  /** Preferred, never required, as no server sees it. */
  readonly fragment: string
}

/** Query and fragment of a request, read once when first asked for. */
export interface QueryReader {
  has(name: string): boolean
  hasPair(name: string, value: string): boolean
  readonly fragment: string
}

/** Reads the query and fragment of a template; undefined when there is nothing to ask for. */
export function parseDemand(query: string, fragment: string): QueryDemand | undefined {
  if (query === '' && fragment === '') return undefined
  const entries = [...new URLSearchParams(query)].slice(0, MAX_DEMANDS)
  const named = entries.filter(([name]) => !hasMark(name))
  return {
    pairs: named.filter(([, value]) => !hasMark(value)),
    names: named.filter(([, value]) => hasMark(value)).map(([name]) => name),
    fragment,
  }
}

/** Reads the query of a request. */
export function createQueryReader(query: string, fragment: string): QueryReader {
  let names: ReadonlySet<string> | undefined
  let pairs: ReadonlySet<string> | undefined
  const entries = () => (query === '' ? [] : [...new URLSearchParams(query)])
  return {
    has(name) {
      names ??= new Set(entries().map(([found]) => found))
      return names.has(name)
    },
    hasPair(name, value) {
      pairs ??= new Set(entries().map(([found, held]) => found + HOLE + held))
      return pairs.has(name + HOLE + value)
    },
    fragment,
  }
}

/** True when every literal pair stands in the query. */
export function meetsDemand(demand: QueryDemand, reader: QueryReader): boolean {
  return demand.pairs.every(([name, value]) => reader.hasPair(name, value))
}

/** How well a met demand fits: 0 for none, more for what is there, less for what is missing. */
export function weighDemand(demand: QueryDemand | undefined, reader: QueryReader): number {
  if (!demand) return 0
  const missing = demand.names.filter((name) => !reader.has(name)).length
  const byNames = missing > 0 ? -missing : demand.names.length
  const byFragment = demand.fragment !== '' && demand.fragment === reader.fragment ? 1 : 0
  return demand.pairs.length * 1000 + byNames * 10 + byFragment
}

function hasMark(text: string): boolean {
  return text.includes(HOLE) || text.includes(REST)
}
