import type { ProbeRecord, RateLimit } from '../records.ts'
import { toSentAt } from './find-limit.ts'
import { toResponseMs } from './stops.ts'

/**
 * Bounds on when a request reached its target, in milliseconds since the run began. The lower bound
 * is the send time.
 */
export interface Arrival {
  readonly sentAt: number
  /**
   * The upper bound: any time beyond the fastest response may have been spent on the way to the
   * target.
   */
  readonly latestAt: number
}

/** Returns the arrivals of requests, in send order. */
export function toArrivals(records: readonly ProbeRecord[]): readonly Arrival[] {
  const quickest = Math.min(...records.map(toResponseMs))
  const arrivals = records.map((record) => {
    const sentAt = toSentAt(record)
    return { sentAt, latestAt: sentAt + toResponseMs(record) - quickest }
  })
  return arrivals.sort((a, b) => a.sentAt - b.sentAt)
}

/**
 * Whether a target that enforces a limit with a usual algorithm could have served all of these, if
 * there were no earlier calls. Algorithms: a token bucket that holds and refills `calls` per
 * window, and consecutive fixed windows with any start. Both serve everything that a sliding window
 * serves. A limit without a window counts as one per second, the most permissive usual window.
 */
export function fitsUsualLimiter(
  arrivals: readonly Arrival[],
  { calls, windowMs = 0 }: RateLimit,
): boolean {
  const limit = { calls, windowMs: windowMs > 0 ? windowMs : SHORTEST_MS }
  return fitsBucket(arrivals, limit) || fitsWindows(arrivals, limit)
}

const SHORTEST_MS = 1000

/** Tolerance for rounding errors of sums. */
const ROUNDING = 1e-6

interface Limit {
  readonly calls: number
  readonly windowMs: number
}

/** Checks, from each call to each later one, the bucket's capacity plus its refill in between. */
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
 * Whether the calls fit into windows that begin at least `windowMs` apart, with at most `calls` in
 * each. The first window may have begun at any earlier time.
 */
function fitsWindows(arrivals: readonly Arrival[], { calls, windowMs }: Limit): boolean {
  /**
   * For each call, the earliest start of a window in which it is the first call; Infinity if
   * impossible.
   */
  const begins: number[] = []
  let first = 0
  for (const [index, { latestAt }] of arrivals.entries()) {
    const before = arrivals[index - 1]
    if (!before) {
      begins.push(-Infinity)
      continue
    }
    // The earliest window that can contain all calls before this one.
    while (first < index && (first < index - calls || begins[first] === Infinity)) first += 1
    const last = first < index ? (begins[first] ?? Infinity) : Infinity
    const at = Math.max(last + windowMs, before.sentAt)
    begins.push(at <= latestAt + ROUNDING ? at : Infinity)
  }
  const isLast = (index: number) => index >= arrivals.length - calls
  return arrivals.length === 0 || begins.some((at, index) => at < Infinity && isLast(index))
}
