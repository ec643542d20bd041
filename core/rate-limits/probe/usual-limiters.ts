import type { ProbeRecord, RateLimit } from '../records.ts'
import { toSentAt } from './find-limit.ts'
import { toServedMs } from './stops.ts'

/** When a request reached its target: not before it was sent; milliseconds since the run began. */
export interface Arrival {
  readonly sentAt: number
  /** What it took longer than the quickest, it may have been on its way. */
  readonly latestAt: number
}

/** The arrivals of requests, in the order of their sending. */
export function toArrivals(records: readonly ProbeRecord[]): readonly Arrival[] {
  const quickest = Math.min(...records.map(toServedMs))
  const arrivals = records.map((record) => {
    const sentAt = toSentAt(record)
    return { sentAt, latestAt: sentAt + toServedMs(record) - quickest }
  })
  return arrivals.sort((a, b) => a.sentAt - b.sentAt)
}

/**
 * Whether a target that keeps a limit in a usual way may have served all of these, had nobody called
 * before: a bucket that holds and refills so many calls, or windows one after another, wherever they
 * began, of which two lie side by side. What a sliding window serves, both do. A limit without a time
 * is taken for one of a second, the laxest that is usual.
 */
export function fitsUsual(
  arrivals: readonly Arrival[],
  { calls, windowMs = 0 }: RateLimit,
): boolean {
  const limit = { calls, windowMs: windowMs > 0 ? windowMs : SHORTEST_MS }
  return fitsBucket(arrivals, limit) || fitsWindows(arrivals, limit)
}

const SHORTEST_MS = 1000

/** What sums of fractions may miss. */
const ROUNDING = 1e-6

interface Limit {
  readonly calls: number
  readonly windowMs: number
}

/** From any call to any later one, what the bucket holds and what came into it in between. */
function fitsBucket(arrivals: readonly Arrival[], { calls, windowMs }: Limit): boolean {
  const size = Math.max(1, calls)
  const toRefilled = (ms: number) => (calls * ms) / windowMs
  let least = Infinity
  return arrivals.every(({ sentAt, latestAt }, index) => {
    least = Math.min(least, index - toRefilled(sentAt))
    return index + 1 - toRefilled(latestAt) - least <= size + ROUNDING
  })
}

/**
 * Whether the calls can be parted into windows that begin `windowMs` apart or more, each of so many
 * calls at most. The first may have begun at any time before.
 */
function fitsWindows(arrivals: readonly Arrival[], { calls, windowMs }: Limit): boolean {
  /** When a window of which the call is the first can begin at the earliest; Infinity for never. */
  const begins: number[] = []
  let first = 0
  for (const [index, { latestAt }] of arrivals.entries()) {
    const before = arrivals[index - 1]
    if (!before) {
      begins.push(-Infinity)
      continue
    }
    // Of the windows that can hold all calls before this one, that which began first.
    while (first < index && (first < index - calls || begins[first] === Infinity)) first += 1
    const last = first < index ? (begins[first] ?? Infinity) : Infinity
    const at = Math.max(last + windowMs, before.sentAt)
    begins.push(at <= latestAt + ROUNDING ? at : Infinity)
  }
  const isLast = (index: number) => index >= arrivals.length - calls
  return arrivals.length === 0 || begins.some((at, index) => at < Infinity && isLast(index))
}
