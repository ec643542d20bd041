import type { HeaderLine } from '../../egress/egress.ts'
import { hash53 } from '../../shared/ids.ts'
import type { PageList, ProbeAnswer } from '../records.ts'
import { toSigns, toTold } from './more-signs.ts'

/** What a page holds. */
export type PageCount = Pick<
  Extract<ProbeAnswer, { status: number }>,
  'items' | 'hasMore' | 'lists'
>

/** A list of a page, and the names of the members that lead to it. */
export interface FoundList {
  readonly path: readonly string[]
  readonly items: number
}

/** An object that is a page, or lies in it, not in a list. */
export interface FoundObject {
  readonly path: readonly string[]
  readonly members: Readonly<Record<string, unknown>>
}

/**
 * Counts the items of a page: those of a JSON array, or of each array in an object, and objects of
 * it; the largest stand first, and for the page. Tells whether there are more where the body or a
 * header says so: a total, a next page, a flag. Empty for what is not JSON, has no array, or lies so
 * deep that not all of it is looked at.
 */
export function countItems(body: string, headers: readonly HeaderLine[]): PageCount {
  const found = findLists(parse(body))
  if (!found || found.lists.length === 0) return {}
  const signs = toSigns(found.objects)
  const largest = found.lists.toSorted((a, b) => b.items - a.items).slice(0, MAX_LISTS)
  const lists = largest.map((list): PageList => {
    const told = toTold(list, { signs, headers })
    const hasMore = told.length === 0 ? undefined : told.includes(true)
    const place = hash53(JSON.stringify(list.path))
    return { place, items: list.items, ...(hasMore === undefined ? {} : { hasMore }) }
  })
  return { items: lists[0]?.items, hasMore: lists[0]?.hasMore, lists }
}

/** Of a page with more, the largest are kept. */
const MAX_LISTS = 50

/** Objects in objects are looked at so deep. */
const MAX_DEPTH = 8

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // A page may be anything, also too deep for the runtime.
    return undefined
  }
}

/** The lists of a page and its objects, in their order; undefined where some lie too deep. */
function findLists(
  page: unknown,
): { readonly lists: readonly FoundList[]; readonly objects: readonly FoundObject[] } | undefined {
  if (Array.isArray(page)) return { lists: [{ path: [], items: page.length }], objects: [] }
  const lists: FoundList[] = []
  const objects: FoundObject[] = isObject(page) ? [{ path: [], members: page }] : []
  // Those that are found on the way are looked at as well.
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
