import type { HeaderLine } from '../../egress/egress.ts'
import type { ProbeAnswer } from '../records.ts'

/** What a page holds. */
export type PageCount = Pick<Extract<ProbeAnswer, { status: number }>, 'items' | 'hasMore'>

/**
 * Counts the items of a page: those of a JSON array, or of the largest array that an object has as a
 * member, or a member of a member. Tells whether there are more where the body or a header says so: a
 * total, a next page, a flag. Empty for what is not JSON or has no array.
 */
export function countItems(body: string, headers: readonly HeaderLine[]): PageCount {
  const parsed = parse(body)
  const layers = toLayers(parsed)
  const lists = [parsed, ...layers.flatMap((layer) => Object.values(layer))].filter(Array.isArray)
  if (lists.length === 0) return {}
  const items = Math.max(...lists.map(({ length }) => length))
  const told = [...layers.flatMap((layer) => readLayer(layer, items)), ...readHead(headers, items)]
  const hasMore = told.length === 0 ? undefined : told.includes(true)
  return { items, hasMore }
}

type Layer = Readonly<Record<string, unknown>>

/** Names folded, and without separators. */
const TOTALS: ReadonlySet<string> = new Set([
  'total',
  'totalcount',
  'totalelements',
  'totalitems',
  'totalrecords',
  'totalresults',
  'xtotalcount',
])
const NEXT: ReadonlySet<string> = new Set([
  'next',
  'nextcursor',
  'nextlink',
  'nextpage',
  'nextpagetoken',
  'nextpageurl',
  'nexttoken',
  'odatanextlink',
])
const FLAGS: ReadonlySet<string> = new Set(['hasmore', 'hasnext', 'hasnextpage'])

/** Members beyond so many are not looked at. */
const MAX_MEMBERS = 200

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // A page may be anything, also too deep for the runtime.
    return undefined
  }
}

/** The object itself and those that are its members. */
function toLayers(value: unknown): readonly Layer[] {
  if (!isLayer(value)) return []
  return [value, ...Object.values(value).slice(0, MAX_MEMBERS).filter(isLayer)]
}

function isLayer(value: unknown): value is Layer {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readLayer(layer: Layer, items: number): readonly boolean[] {
  return Object.entries(layer)
    .slice(0, MAX_MEMBERS)
    .flatMap(([name, value]) => {
      const folded = fold(name)
      if (TOTALS.has(folded)) return readTotal(value, items)
      if (FLAGS.has(folded) && typeof value === 'boolean') return [value]
      // An empty one stands for the last page.
      return NEXT.has(folded) ? [Boolean(value)] : []
    })
}

function readHead(headers: readonly HeaderLine[], items: number): readonly boolean[] {
  return headers.flatMap(([name, value]) => {
    if (name === 'link' && /\brel="?next\b/i.test(value)) return [true]
    return TOTALS.has(fold(name)) ? readTotal(Number(value), items) : []
  })
}

function readTotal(value: unknown, items: number): readonly boolean[] {
  return typeof value === 'number' && value >= items ? [value > items] : []
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '')
}
