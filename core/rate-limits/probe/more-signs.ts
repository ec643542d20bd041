import type { HeaderLine } from '../../egress/egress.ts'
import type { FoundList, FoundObject } from './count-items.ts'

/** A member that may indicate whether there are more items than the page contains. */
export interface MoreSign {
  /** Path of the object that contains it. */
  readonly path: readonly string[]
  /** In lower case, letters only. */
  readonly name: string
  readonly value: unknown
}

/** Collects the signs in objects. */
export function collectSigns(objects: readonly FoundObject[]): readonly MoreSign[] {
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
export function evaluateSigns(
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
