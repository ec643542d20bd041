import type { DeclaredLimits, Evidence, ProbeRecord, RateLimit, Verdict } from '../records.ts'
import { toRamp, toSentAt } from './find-limit.ts'

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

/** The declared limits of which no more calls were sent than they allow: the strictest first. */
export function toUntried(evidence: Evidence): readonly DeclaredLimit[] {
  const ramp = toRamp(evidence)
  return toSorted(evidence.declared.limits).filter(
    ({ calls, windowMs }) => countMost(ramp, windowMs) <= calls,
  )
}

/**
 * The declared limit that the ramp is compared with: the strictest of those that it reached, as one
 * over a day or a month is not contradicted by a run of seconds; where it reached none, the strictest.
 */
export function compareDeclared(
  evidence: Evidence,
  { isFound }: { readonly isFound: boolean },
): Pick<Verdict['rate'], 'declared' | 'comparison'> {
  const ramp = toRamp(evidence)
  const sorted = toSorted(evidence.declared.limits)
  const reached = sorted.find(({ calls, windowMs }) => countMost(ramp, windowMs) > calls)
  const limit = reached ?? sorted[0]
  if (!limit) return { declared: undefined, comparison: undefined }
  const { calls, windowMs } = limit
  const declared = { calls, windowMs }
  if (!reached) return { declared, comparison: 'untried' }
  const served = countMost(
    ramp.filter(({ outcome }) => outcome === 'ok'),
    windowMs,
  )
  const isExceeded = served > (isFound ? 2 * calls : calls)
  return { declared, comparison: isExceeded ? 'exceeded' : 'kept' }
}

/** Why there may be a limit that the run did not reach; undefined when nothing speaks for one. */
export function findUntried(
  evidence: Evidence,
): 'declared' | 'declared_429' | 'announced' | 'seen' | undefined {
  const { declared, records } = evidence
  if (toUntried(evidence).length > 0) return 'declared'
  if (records.some(({ remaining, limit }) => remaining !== undefined || limit !== undefined)) {
    return 'announced'
  }
  if (declared.seen.limited > 0) return 'seen'
  const isNumbered = declared.limits.length > 0
  const isNamed = declared.has429 || declared.headers.length > 0
  return isNamed && !isNumbered ? 'declared_429' : undefined
}
