import type { Evidence, ProbeRecord, Verdict } from '../records.ts'

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
 * more than before. `unknown`: no page came, its items cannot be counted, or what came may be all there are.
 */
export function judgePages(evidence: Evidence): Verdict['page'] {
  const parameter = evidence.page?.parameter
  const { usual, larger } = toPages(evidence)
  if (!usual || !larger) return { state: 'untested', parameter }
  const told = {
    parameter,
    asked: larger.size,
    items: larger.items,
    usualItems: usual.items,
  }
  if (larger.outcome === 'rejected' && larger.status >= 400) return { state: 'bounded', ...told }
  return { state: larger.outcome === 'ok' ? comparePages(usual, larger) : 'unknown', ...told }
}

function comparePages(usual: ProbeRecord, larger: ProbeRecord): Verdict['page']['state'] {
  const { items, size: asked, hasMore } = larger
  if (items === undefined || usual.items === undefined || asked === undefined) return 'unknown'
  const isMore = items > usual.items
  if (isMore && items >= asked) return 'followed'
  if (hasMore !== undefined) return hasMore ? 'bounded' : 'unknown'
  // Fewer than the usual page may hold is a collection that has no more.
  return !isMore && usual.items >= (usual.size ?? 0) ? 'bounded' : 'unknown'
}
