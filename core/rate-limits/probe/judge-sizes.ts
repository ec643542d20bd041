import type { Evidence, PageList, ProbeRecord, Verdict } from '../records.ts'

/** Statuses that refuse a body for its size, or a request for its length. */
const TOO_LARGE = new Set([413, 414, 431])

/**
 * Judges the larger bodies: `bounded` where one was refused for its size. A 400 counts from the
 * second size on, as the first may have been refused for what it says. That the largest of the test
 * was taken says nothing of larger ones: it is no fault of the target's.
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

/** The requests of the usual page and of the larger one, where they were sent. */
export function toPages({ records, page }: Evidence): {
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
 * Judges the larger page by the items that came, never by bytes. `followed`: more than before, and
 * as many as were asked for. `bounded`: it was refused, or fewer came though there are more, or no
 * more than the usual page. `unknown`: no page came, its items cannot be counted, which list is the
 * page cannot be told, or what came may be all there are.
 */
export function judgePages(evidence: Evidence): Verdict['page'] {
  const parameter = evidence.page?.parameter
  const { usual, larger } = toPages(evidence)
  if (!usual || !larger) return { state: 'untested', parameter }
  const pair = choosePair(usual, larger)
  const told = { parameter, asked: larger.size, items: pair?.after, usualItems: pair?.before }
  if (larger.outcome === 'rejected' && larger.status >= 400) return { state: 'bounded', ...told }
  const isCounted = larger.outcome === 'ok' && pair !== undefined
  return { state: isCounted ? comparePages(pair, { usual, larger }) : 'unknown', ...told }
}

/** A list of the usual page, and what became of it in the larger one. */
interface Pair {
  readonly before: number
  readonly after: number
  /** As the larger page says. */
  readonly hasMore: boolean | undefined
}

/**
 * The list that is the page: of those that have the usual page's length or grew, the one that did
 * both, else the longest; else the only one. Undefined where some did the one and some the other.
 */
function choosePair(usual: ProbeRecord, larger: ProbeRecord): Pair | undefined {
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

/** Where a page has one list only, its count is enough. */
function toLists({ lists, items, hasMore }: ProbeRecord): readonly PageList[] {
  if (lists) return lists
  return items === undefined
    ? []
    : [{ place: 0, items, ...(hasMore === undefined ? {} : { hasMore }) }]
}

function comparePages(
  { before, after, hasMore }: Pair,
  { usual, larger }: { readonly usual: ProbeRecord; readonly larger: ProbeRecord },
): Verdict['page']['state'] {
  const isMore = after > before
  // As many whatever is asked for may be no page.
  if (after >= (larger.size ?? Infinity)) return isMore ? 'followed' : 'unknown'
  if (hasMore !== undefined) return hasMore ? 'bounded' : 'unknown'
  // Fewer than the usual page may hold is a collection that has no more.
  return !isMore && before === usual.size ? 'bounded' : 'unknown'
}
