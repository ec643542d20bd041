import type { Evidence, PageList, ProbeRecord, Verdict } from '../records.ts'

/** Statuses that refuse a body for its size, or a request for its length. */
const TOO_LARGE = new Set([413, 414, 431])

/**
 * Judges the larger bodies: `bounded` if one was refused for its size. A 400 counts only after a
 * smaller body was accepted, because the first could be refused for its content. Accepting the
 * largest size is not a fault: still larger bodies were not tested.
 */
export function judgePayloads({ records }: Evidence): Verdict['payload'] {
  const sent = records.filter(({ stage }) => stage === 'payload')
  const sizes = sent.filter(({ outcome }) => outcome === 'ok').map(({ size = 0 }) => size)
  const largestTaken = sizes.length === 0 ? undefined : Math.max(...sizes)
  const refused = sent.find(
    ({ status }) => TOO_LARGE.has(status) || (status === 400 && largestTaken !== undefined),
  )
  const smallestRefused = refused?.size
  if (smallestRefused !== undefined) return { state: 'bounded', largestTaken, smallestRefused }
  const state = largestTaken === undefined ? 'untested' : 'taken'
  return { state, largestTaken, smallestRefused }
}

/** Finds the requests with the usual and the larger page size. */
export function findPages({ records, page }: Evidence): {
  readonly usual: ProbeRecord | undefined
  readonly larger: ProbeRecord | undefined
} {
  const sent = records.filter(({ stage }) => stage === 'page')
  return {
    usual: sent.findLast(({ size, outcome }) => size === page?.size && outcome === 'ok'),
    larger: sent.findLast(({ size }) => size !== page?.size),
  }
}

/**
 * Judges the larger page by its number of items, not by bytes.
 * - `followed`: more items than before, and at least as many as requested.
 * - `bounded`: it was refused, it had fewer items although there are more, or it had no more than
 *   the usual page.
 * - `unknown`: no page was returned, its items cannot be counted, the list that is the page is
 *   ambiguous, or the items may be the whole collection.
 */
export function judgePages(evidence: Evidence): Verdict['page'] {
  const parameter = evidence.page?.parameter
  const { usual, larger } = findPages(evidence)
  if (!usual || !larger) return { state: 'untested', parameter }
  const pair = choosePageList(usual, larger)
  const told = { parameter, asked: larger.size, items: pair?.after, usualItems: pair?.before }
  if (larger.outcome === 'rejected' && larger.status >= 400) return { state: 'bounded', ...told }
  const isCounted = larger.outcome === 'ok' && pair !== undefined
  return { state: isCounted ? comparePages(pair, { usual, larger }) : 'unknown', ...told }
}

/** Lengths of the same list in the usual page and in the larger page. */
interface ListPair {
  readonly before: number
  readonly after: number
  /** As indicated by the larger page. */
  readonly hasMore: boolean | undefined
}

/**
 * Chooses the list that is the page among those that filled the usual page size or grew: one that
 * did both, else the longest. Falls back to the only list. Undefined if some lists filled the page
 * size and others grew.
 */
function choosePageList(usual: ProbeRecord, larger: ProbeRecord): ListPair | undefined {
  const before = new Map(toLists(usual).map(({ place, items }) => [place, items]))
  const pairs = toLists(larger)
    .flatMap(({ place, items, hasMore }) => {
      const count = before.get(place)
      return count === undefined ? [] : [{ before: count, after: items, hasMore }]
    })
    .sort((a, b) => b.after - a.after)
  const whole = pairs.filter((pair) => pair.before === usual.size)
  const grown = pairs.filter((pair) => pair.after > pair.before)
  const both = grown.find((pair) => whole.includes(pair))
  if (both) return both
  if (whole.length > 0 && grown.length > 0) return undefined
  return whole[0] ?? grown[0] ?? (pairs.length === 1 ? pairs[0] : undefined)
}

/** Records with a single list may contain only its count. */
function toLists({ lists, items, hasMore }: ProbeRecord): readonly PageList[] {
  if (lists) return lists
  return items === undefined
    ? []
    : [{ place: 0, items, ...(hasMore === undefined ? {} : { hasMore }) }]
}

function comparePages(
  { before, after, hasMore }: ListPair,
  { usual, larger }: { readonly usual: ProbeRecord; readonly larger: ProbeRecord },
): Verdict['page']['state'] {
  const isMore = after > before
  // A list whose size ignores the requested size may not be the page.
  if (after >= (larger.size ?? Infinity)) return isMore ? 'followed' : 'unknown'
  if (hasMore !== undefined) return hasMore ? 'bounded' : 'unknown'
  // A usual page that was not full contains the whole collection.
  return !isMore && before === usual.size ? 'bounded' : 'unknown'
}
