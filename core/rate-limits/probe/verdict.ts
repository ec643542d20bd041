import { type Evidence, FINAL_STOPS, type Verdict } from '../records.ts'
import { countWarmUp } from './arrivals.ts'
import { compareDeclared, findUntestedReason } from './declared-limit.ts'
import type { InconclusiveReason } from './describe-inconclusive.ts'
import { summarizeLimit } from './describe-limit.ts'
import {
  describeFound,
  describeInconclusive,
  describeUnlimited,
  summarizeNone,
} from './describe-verdict.ts'
import { type FoundLimit, findLimit, toRamp, toRampBaseline, toRampStop } from './find-limit.ts'
import { judgePages, judgePayloads } from './judge-sizes.ts'
import { observeLimit } from './observe-limit.ts'
import { toPercentile } from './percentiles.ts'
import { isAsFastAsBefore } from './recovery.ts'
import { isSlow, toResponseMs } from './stops.ts'

/**
 * Judges the observations of a run. The text also names what was not tested.
 *
 * - `protected`: a limit was reached, and calls beyond it were refused. Either a response said so, or
 *   all later calls failed in the same way until the target recovered.
 * - `partly`: a limit was reached, but one of these holds: calls beyond it only became slower; more
 *   than twice the declared limit was served; a page size ten times the usual one returned as many
 *   items, although the description declares no maximum that allows it.
 * - `unprotected`: no limit was reached. At least 20 requests, and all that were sent, were served
 *   about as fast as the first ones. No description, header or earlier call indicates a limit that
 *   the run did not reach.
 * - `inconclusive`: everything else, above all a target with occasional failures. `reason` is the
 *   cause.
 *
 * A declared limit counts as tested only if every usual algorithm would have refused some requests:
 * token bucket, fixed window and sliding window. For example, a bucket of 50 in 60 s serves 60 calls
 * in 15 s. A limit beyond the budget, such as 10,000 calls in 30 days, cannot be shown to be missing.
 * Such a limit does not weaken a limit that was reached. If none was reached, the verdict is
 * `inconclusive` with the reason `declared`.
 *
 * Accepted bodies do not affect the verdict, because bodies above the test's own maximum are never
 * sent. Once a limit was reached, no later event makes the run `inconclusive`: not an exhausted
 * budget, a withdrawn consent, or a resumption by another process.
 */
export function judgeEvidence(evidence: Evidence): Verdict {
  const payload = judgePayloads(evidence)
  const page = judgePages(evidence)
  const found = findLimit(evidence)
  if (found && !servedNothing(found)) return judgeFound(evidence, { found, payload, page })
  const doubt = findInconclusiveReason(evidence, found)
  const compared = compareDeclared(evidence, { isFound: false })
  const known = { payload, page, ...compared }
  return {
    verdict: doubt ? 'inconclusive' : 'unprotected',
    text: doubt
      ? describeInconclusive(evidence, { reason: doubt, ...known })
      : describeUnlimited(evidence, known),
    reason: doubt,
    rate: {
      found: false,
      summary: summarizeNone(evidence, doubt),
      signal: undefined,
      observed: undefined,
      atRate: undefined,
      declared: compared.declared,
      comparison: compared.comparison,
      recoveryMs: undefined,
    },
    payload,
    page,
  }
}

function judgeFound(
  evidence: Evidence,
  known: Pick<Verdict, 'payload' | 'page'> & { readonly found: FoundLimit },
): Verdict {
  const { found, payload, page } = known
  const observed = observeLimit(found, { hasGaps: hasGaps(evidence) })
  const compared = compareDeclared(evidence, { isFound: true })
  const isSlowed = found.signal === 'slowed'
  const isPartly = isSlowed || isPageUnbounded(evidence, page) || compared.comparison === 'exceeded'
  const summary = summarizeLimit(observed)
  return {
    verdict: isPartly ? 'partly' : 'protected',
    text: describeFound(evidence, { ...known, ...compared, observed }),
    reason: undefined,
    rate: {
      found: true,
      summary: isSlowed ? `${summary}; calls beyond it are slowed down` : summary,
      signal: found.signal,
      observed: observed.observed,
      atRate: observed.atRate,
      bounds: observed.bounds,
      atOnce: observed.atOnce,
      declared: compared.declared,
      comparison: compared.comparison,
      recoveryMs: observed.recoveryMs,
    },
    payload,
    page,
  }
}

/** Whether the larger page was returned in full although no declared maximum allows it. */
function isPageUnbounded(evidence: Evidence, { state, asked = 0 }: Verdict['page']): boolean {
  return state === 'followed' && asked > (evidence.page?.maximum ?? 0)
}

/**
 * Returns why the test is inconclusive; undefined if all requests were served and a limit would
 * have been observed.
 */
function findInconclusiveReason(
  evidence: Evidence,
  found: FoundLimit | undefined,
): InconclusiveReason | undefined {
  const { records } = evidence
  // The end of a later stage does not affect the ramp, which was complete.
  const stop = toRampStop(evidence)
  const ramp = toRamp(evidence)
  const served = ramp.filter(({ outcome }) => outcome === 'ok').length
  const final = FINAL_STOPS.find((each) => each === stop)
  if (final) return final
  if (stop === 'rejected' && served === 0) return 'rejected'
  if (stop === 'unreachable' && served === 0) return 'unreachable'
  if (found) return 'refused_all'
  if (hasGaps(evidence)) return 'interrupted'
  if (records.some(({ outcome }) => outcome === 'limited')) return 'weak_sign'
  // Refused larger bodies and pages are no sign of an unhealthy target.
  const plain = records.filter(({ stage }) => stage === 'ramp' || stage === 'recovery')
  if (isOverloaded(evidence)) return 'overloaded'
  if (plain.some(({ outcome }) => outcome !== 'ok')) return 'failing'
  if (stop === 'slow') return 'slow'
  if (stop !== 'budget_used' && stop !== 'time_used') return 'failing'
  if (served < LEAST_SERVED) return 'too_few'
  if (becameSlow(ramp)) return 'slow'
  return findUntestedReason(evidence)
}

/**
 * Whether the median of later responses is slow compared with the baseline's median. A single pause
 * does not affect the median.
 */
function becameSlow(ramp: Evidence['records']): boolean {
  const p50 = toRampBaseline(ramp)?.p50
  const later = toPercentile(ramp.slice(countWarmUp(ramp.length)).map(toResponseMs), 0.5)
  if (p50 === undefined || later === undefined) return false
  return isSlow(later, { p50, p95: p50 })
}

/** Whether requests timed out, and the first one after a pause was slower than before. */
function isOverloaded(evidence: Evidence): boolean {
  const { records } = evidence
  const baseline = toRampBaseline(toRamp({ records }))
  const back = records.find(({ stage, outcome }) => stage === 'recovery' && outcome === 'ok')
  return (
    toRampStop(evidence) === 'timeouts' && back !== undefined && !isAsFastAsBefore(back, baseline)
  )
}

/** Whether no request was served. A limit used up by other callers looks like a block. */
function servedNothing({ served, recovered }: FoundLimit): boolean {
  return recovered === undefined && served.every(({ outcome }) => outcome !== 'ok')
}

/** There is a pause between two attempts, and records of the earlier one may be missing. */
function hasGaps({ attempts }: Evidence): boolean {
  return attempts > 1
}

/** Minimum number of served ramp requests for the verdict `unprotected`. */
const LEAST_SERVED = 20
