import { HOLE, REST } from './placeholders.ts'

/** Maximum number of query parameters of a template. */
const MAX_DEMANDS = 16

/** Query and fragment of a template that contains `?` or `#`, as in some API descriptions. */
export interface QueryDemand {
  /** Names with a required literal value. */
  readonly pairs: readonly (readonly [name: string, value: string])[]
  /** Names with a parameter as value: preferred, because they may be optional. */
  readonly names: readonly string[]
  /** Preferred but never required, because clients don't send fragments. */
  readonly fragment: string
}

/** Query and fragment of a request; parsed on first use. */
export interface QueryReader {
  has(name: string): boolean
  hasPair(name: string, value: string): boolean
  readonly fragment: string
}

/** Parses the query and fragment of a template; undefined if both are empty. */
export function parseDemand(query: string, fragment: string): QueryDemand | undefined {
  if (query === '' && fragment === '') return undefined
  const entries = [...new URLSearchParams(query)].slice(0, MAX_DEMANDS)
  const named = entries.filter(([name]) => !hasPlaceholder(name))
  return {
    pairs: named.filter(([, value]) => !hasPlaceholder(value)),
    names: named.filter(([, value]) => hasPlaceholder(value)).map(([name]) => name),
    fragment,
  }
}

/** Creates a reader of a request's query and fragment. */
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

/** Whether the query contains every literal pair. */
export function meetsDemand(demand: QueryDemand, reader: QueryReader): boolean {
  return demand.pairs.every(([name, value]) => reader.hasPair(name, value))
}

/**
 * Returns the weight of a met demand: 0 without a demand, higher for names that are present, lower
 * for missing ones and another fragment.
 */
export function weighDemand(demand: QueryDemand | undefined, reader: QueryReader): number {
  if (!demand) return 0
  const missing = demand.names.filter((name) => !reader.has(name)).length
  const byNames = missing > 0 ? -missing : demand.names.length
  const byFragment = demand.fragment === '' ? 0 : demand.fragment === reader.fragment ? 1 : -1
  return demand.pairs.length * 1000 + byNames * 10 + byFragment
}

function hasPlaceholder(text: string): boolean {
  return text.includes(HOLE) || text.includes(REST)
}
