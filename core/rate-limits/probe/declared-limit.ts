import type { DeclaredLimits, Evidence, ProbeRecord, RateLimit } from '../records.ts'
import { toRamp, toSentAt } from './find-limit.ts'

/** The strictest of the declared limits, in calls a second; those without a window come last. */
export function toStrictest(declared: DeclaredLimits): RateLimit | undefined {
  const perMs = ({ calls, windowMs }: RateLimit) =>
    windowMs === undefined || windowMs <= 0 ? Infinity : calls / windowMs
  const sorted = declared.limits.toSorted((a, b) => {
    const [left, right] = [perMs(a), perMs(b)]
    return left === right ? a.calls - b.calls : left - right
  })
  const [strictest] = sorted
  return strictest && { calls: strictest.calls, windowMs: strictest.windowMs }
}

/** The most requests that were served in any window of so many milliseconds; of all without one. */
function countServed(records: readonly ProbeRecord[], windowMs: number | undefined): number {
  const sent = records
    .filter(({ outcome }) => outcome === 'ok')
    .map(toSentAt)
    .sort((a, b) => a - b)
  if (windowMs === undefined) return sent.length
  let most = 0
  let start = 0
  for (const [index, at] of sent.entries()) {
    while ((sent[start] ?? at) <= at - windowMs) start += 1
    most = Math.max(most, index - start + 1)
  }
  return most
}

/** Whether the ramp was served more than twice of what is declared: two windows can lie side by side. */
export function isLaxer(evidence: Evidence, limit: RateLimit): boolean {
  return countServed(toRamp(evidence), limit.windowMs) > 2 * limit.calls
}

/** Why there may be a limit that the run did not reach; undefined when nothing speaks for one. */
export function findUntried(
  evidence: Evidence,
): 'declared' | 'declared_429' | 'announced' | 'seen' | undefined {
  const { declared, records } = evidence
  const isUntried = ({ calls, windowMs }: RateLimit) => countServed(records, windowMs) <= calls
  if (declared.limits.some(isUntried)) return 'declared'
  if (records.some(({ remaining, limit }) => remaining !== undefined || limit !== undefined)) {
    return 'announced'
  }
  if (declared.seen.limited > 0) return 'seen'
  const isNumbered = declared.limits.length > 0
  const isNamed = declared.has429 || declared.headers.length > 0
  return isNamed && !isNumbered ? 'declared_429' : undefined
}
