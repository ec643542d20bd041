import type { HeaderLine } from '../../ports/egress.ts'
import { hash53 } from '../../shared/ids.ts'
import type { PageList, ProbeResponse } from '../records.ts'

/** The items of a page. */
export type PageCount = Pick<
  Extract<ProbeResponse, { status: number }>,
  'items' | 'hasMore' | 'lists'
>

/** A list in a page, with the member names that lead to it. */
export interface FoundList {
  readonly path: readonly string[]
  readonly items: number
}

/** An object in a page that is not inside a list, or the page itself. */
export interface FoundObject {
  readonly path: readonly string[]
  readonly members: Readonly<Record<string, unknown>>
}

/**
 * Counts the items of a JSON page: a top-level array, or every array in the page's nested objects.
 * Lists are sorted by size, and the largest one represents the page. `hasMore` is set if the body
 * or a header indicates it: a total, a next page or a flag. Empty if the page is not JSON, has no
 * array, or is nested too deeply to search completely.
 */
export function countItems(body: string, headers: readonly HeaderLine[]): PageCount {
  const found = findLists(parsePage(body))
  if (!found || found.lists.length === 0) return {}
  const signs = collectSigns(found.objects)
  const largest = found.lists.toSorted((a, b) => b.items - a.items).slice(0, MAX_LISTS)
  const lists = largest.map((list): PageList => {
    const told = evaluateSigns(list, { signs, headers })
    const hasMore = told.length === 0 ? undefined : told.includes(true)
    const place = hash53(JSON.stringify(list.path))
    return { place, items: list.items, ...(hasMore === undefined ? {} : { hasMore }) }
  })
  return { items: lists[0]?.items, hasMore: lists[0]?.hasMore, lists }
}

/** Only the largest lists of a page are recorded. */
const MAX_LISTS = 50

/** Maximum nesting of objects. */
const MAX_DEPTH = 8

function parsePage(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // The body may be anything, including JSON too deep for the runtime.
    return undefined
  }
}

/** Finds the lists and objects of a page, in document order; undefined if some are too deep. */
function findLists(
  page: unknown,
): { readonly lists: readonly FoundList[]; readonly objects: readonly FoundObject[] } | undefined {
  if (Array.isArray(page)) return { lists: [{ path: [], items: page.length }], objects: [] }
  const lists: FoundList[] = []
  const objects: FoundObject[] = isObject(page) ? [{ path: [], members: page }] : []
  // The loop also visits objects appended while it runs.
  for (const { path, members } of objects) {
    for (const [name, value] of Object.entries(members)) {
      if (Array.isArray(value)) lists.push({ path: [...path, name], items: value.length })
      else if (isObject(value)) {
        if (path.length === MAX_DEPTH) return undefined
        objects.push({ path: [...path, name], members: value })
      }
    }
  }
  return { lists, objects }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** A member that may indicate whether there are more items than the page contains. */
interface MoreSign {
  /** Path of the object that contains it. */
  readonly path: readonly string[]
  /** In lower case, letters only. */
  readonly name: string
  readonly value: unknown
}

/** Collects the signs in objects. */
function collectSigns(objects: readonly FoundObject[]): readonly MoreSign[] {
  return objects.flatMap(({ path, members }) =>
    Object.entries(members)
      .map(([name, value]) => ({ path, name: foldName(name), value }))
      .filter(({ name }) => TOTALS.has(name) || FLAGS.has(name) || NEXT.has(name)),
  )
}

/**
 * Evaluates the signs and headers that apply to a list: those in its enclosing objects and in their
 * direct members. A `total` in such a member counts only if the member's name denotes paging,
 * because sums are also called `total`.
 */
function evaluateSigns(
  list: FoundList,
  response: { readonly signs: readonly MoreSign[]; readonly headers: readonly HeaderLine[] },
): readonly boolean[] {
  const around = list.path.slice(0, -1)
  const isAround = (path: readonly string[]) =>
    path.length <= around.length && path.every((name, index) => name === around[index])
  const signs = response.signs.filter(({ path, name }) => {
    if (isAround(path)) return true
    const isPaging = name !== 'total' || PAGING.has(foldName(path.at(-1) ?? ''))
    return isPaging && isAround(path.slice(0, -1))
  })
  return [
    ...signs.flatMap((sign) => readSign(sign, list.items)),
    ...readHeaderSigns(response.headers, list.items),
  ]
}

/** Names in lower case, letters only. */
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
const PAGING: ReadonlySet<string> = new Set([
  'info',
  'meta',
  'metadata',
  'page',
  'pageinfo',
  'pagination',
  'paging',
  'resultinfo',
])

function readSign({ name, value }: MoreSign, items: number): readonly boolean[] {
  if (TOTALS.has(name)) return readTotal(value, items)
  if (FLAGS.has(name)) return typeof value === 'boolean' ? [value] : []
  // An empty value denotes the last page.
  return [Boolean(value)]
}

function readHeaderSigns(headers: readonly HeaderLine[], items: number): readonly boolean[] {
  return headers.flatMap(([name, value]) => {
    if (name === 'link' && /\brel="?next\b/i.test(value)) return [true]
    return TOTALS.has(foldName(name)) ? readTotal(Number(value), items) : []
  })
}

function readTotal(value: unknown, items: number): readonly boolean[] {
  return Number.isInteger(value) && Number(value) >= items ? [Number(value) > items] : []
}

function foldName(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '')
}
