import type { DeclaredLimits, Evidence, ProbeRecord, RateLimit, Verdict } from '../records.ts'
import { toRamp, toSentAt } from './find-limit.ts'
import { fitsUsualLimiter, toArrivals } from './usual-limiters.ts'

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
