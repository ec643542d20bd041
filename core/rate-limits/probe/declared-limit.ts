import type { DeclaredLimits, Evidence, ProbeRecord, RateLimit, Verdict } from '../records.ts'
import { toRamp, toSentAt } from './find-limit.ts'
import { fitsUsual, toArrivals } from './usual-limiters.ts'

type DeclaredLimit = DeclaredLimits['limits'][number]

/** The declared limits, the strictest in calls a second first; those without a window come last. */
function toSorted(limits: readonly DeclaredLimit[]): readonly DeclaredLimit[] {
  const perMs = ({ calls, windowMs }: RateLimit) =>
    windowMs === undefined || windowMs <= 0 ? Infinity : calls / windowMs
  return limits.toSorted((a, b) => {
    const [left, right] = [perMs(a), perMs(b)]
    return left === right ? a.calls - b.calls : left - right
  })
}

/** The most requests of any window of so many milliseconds; all without one. */
function countMost(records: readonly ProbeRecord[], windowMs: number | undefined): number {
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

/** Whether the run met a limit. */
interface Met {
  readonly isFound: boolean
}

/**
 * Tells which limits a ramp tried. Where none was met: those by which some of it would have been
 * refused, however the target keeps them, bursts included. Where one was: those of which more calls
 * were sent than they allow.
 */
function toTried(ramp: readonly ProbeRecord[], { isFound }: Met): (limit: RateLimit) => boolean {
  if (isFound) return ({ calls, windowMs }) => countMost(ramp, windowMs) > calls
  const arrivals = toArrivals(ramp)
  return (limit) => !fitsUsual(arrivals, limit)
}

/** The declared limits that the ramp did not try: the strictest first. */
export function toUntried(evidence: Evidence, met: Met): readonly DeclaredLimit[] {
  const isTried = toTried(toRamp(evidence), met)
  return toSorted(evidence.declared.limits).filter((limit) => !isTried(limit))
}

/**
 * The declared limit that the ramp is compared with: the strictest of those that it tried, as one
 * over a day or a month is not contradicted by a run of seconds; where it tried none, the strictest.
 */
export function compareDeclared(
  evidence: Evidence,
  met: Met,
): Pick<Verdict['rate'], 'declared' | 'comparison'> {
  const ramp = toRamp(evidence)
  const sorted = toSorted(evidence.declared.limits)
  const tried = sorted.find(toTried(ramp, met))
  const limit = tried ?? sorted[0]
  if (!limit) return { declared: undefined, comparison: undefined }
  const { calls, windowMs } = limit
  const declared = { calls, windowMs }
  if (!tried) return { declared, comparison: 'untried' }
  const served = ramp.filter(({ outcome }) => outcome === 'ok')
  const isTwice = countMost(served, windowMs) > 2 * calls
  const isExceeded = !fitsUsual(toArrivals(served), limit) && (isTwice || !met.isFound)
  return { declared, comparison: isExceeded ? 'exceeded' : 'kept' }
}

/**
 * Why there may be a limit that a run without one did not reach; undefined when nothing speaks for
 * one.
 */
export function findUntried(
  evidence: Evidence,
): 'declared' | 'declared_429' | 'announced' | 'seen' | undefined {
  const { declared, records } = evidence
  if (toUntried(evidence, { isFound: false }).length > 0) return 'declared'
  if (records.some(({ remaining, limit }) => remaining !== undefined || limit !== undefined)) {
    return 'announced'
  }
  if (declared.seen.limited > 0) return 'seen'
  const isNumbered = declared.limits.length > 0
  const isNamed = declared.has429 || declared.headers.length > 0
  return isNamed && !isNumbered ? 'declared_429' : undefined
}
