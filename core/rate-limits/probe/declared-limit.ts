import type { DeclaredLimits, Evidence, ProbeRecord, RateLimit, Verdict } from '../records.ts'
import { toRamp, toSentAt } from './find-limit.ts'
import { toResponseMs } from './stops.ts'

type DeclaredLimit = DeclaredLimits['limits'][number]

/**
 * Sorts declared limits by calls per second, strictest first; limits without a window come last.
 */
function sortByStrictness(limits: readonly DeclaredLimit[]): readonly DeclaredLimit[] {
  const perMs = ({ calls, windowMs }: RateLimit) =>
    windowMs === undefined || windowMs <= 0 ? Infinity : calls / windowMs
  return limits.toSorted((a, b) => {
    const [left, right] = [perMs(a), perMs(b)]
    return left === right ? a.calls - b.calls : left - right
  })
}

/**
 * Returns the maximum number of requests in any window of `windowMs`; all requests without a
 * window.
 */
function countMostInWindow(records: readonly ProbeRecord[], windowMs: number | undefined): number {
  const sent = records.map(toSentAt).sort((a, b) => a - b)
  if (windowMs === undefined) return sent.length
  let most = 0
  let start = 0
  for (const [index, at] of sent.entries()) {
    while ((sent[start] ?? at) <= at - windowMs) start += 1
    most = Math.max(most, index - start + 1)
  }
  return most
}

/** Whether the run reached a limit. */
interface ReachedLimit {
  readonly isFound: boolean
}

/**
 * Returns a predicate for the limits that a ramp tested. If no limit was reached, a limit was
 * tested if it would have refused some request under any usual algorithm, bursts included. If one
 * was reached, a limit was tested if more calls were sent than it allows.
 */
function createTestedPredicate(
  ramp: readonly ProbeRecord[],
  { isFound }: ReachedLimit,
): (limit: RateLimit) => boolean {
  if (isFound) return ({ calls, windowMs }) => countMostInWindow(ramp, windowMs) > calls
  const arrivals = toArrivals(ramp)
  return (limit) => !fitsUsualLimiter(arrivals, limit)
}

/** Returns the declared limits that the ramp did not test, strictest first. */
export function findUntestedLimits(
  evidence: Evidence,
  met: ReachedLimit,
): readonly DeclaredLimit[] {
  const isTried = createTestedPredicate(toRamp(evidence), met)
  return sortByStrictness(evidence.declared.limits).filter((limit) => !isTried(limit))
}

/**
 * Compares the ramp with the strictest declared limit that it tested: a run of seconds cannot
 * contradict a limit per day or month. If it tested none, returns the strictest limit as untested.
 */
export function compareDeclared(
  evidence: Evidence,
  met: ReachedLimit,
): Pick<Verdict['rate'], 'declared' | 'comparison'> {
  const ramp = toRamp(evidence)
  const sorted = sortByStrictness(evidence.declared.limits)
  const tried = sorted.find(createTestedPredicate(ramp, met))
  const limit = tried ?? sorted[0]
  if (!limit) return { declared: undefined, comparison: undefined }
  const { calls, windowMs } = limit
  const declared = { calls, windowMs }
  if (!tried) return { declared, comparison: 'untried' }
  const served = ramp.filter(({ outcome }) => outcome === 'ok')
  const isTwice = countMostInWindow(served, windowMs) > 2 * calls
  const isExceeded = !fitsUsualLimiter(toArrivals(served), limit) && (isTwice || !met.isFound)
  return { declared, comparison: isExceeded ? 'exceeded' : 'kept' }
}

/** Returns why there may be a limit that a run did not reach; undefined without an indication. */
export function findUntestedReason(
  evidence: Evidence,
): 'declared' | 'declared_429' | 'announced' | 'seen' | undefined {
  const { declared, records } = evidence
  if (findUntestedLimits(evidence, { isFound: false }).length > 0) return 'declared'
  if (records.some(({ remaining, limit }) => remaining !== undefined || limit !== undefined)) {
    return 'announced'
  }
  if (declared.seen.limited > 0) return 'seen'
  const isNumbered = declared.limits.length > 0
  const isNamed = declared.has429 || declared.headers.length > 0
  return isNamed && !isNumbered ? 'declared_429' : undefined
}

/**
 * Bounds on when a request reached its target, in milliseconds since the run began. The lower bound
 * is the send time.
 */
interface Arrival {
  readonly sentAt: number
  /**
   * The upper bound: any time beyond the fastest response may have been spent on the way to the
   * target.
   */
  readonly latestAt: number
}

/** Returns the arrivals of requests, in send order. */
function toArrivals(records: readonly ProbeRecord[]): readonly Arrival[] {
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
function fitsUsualLimiter(
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
