import { formatCount } from '../../shared/text.ts'
import type { Evidence, ProbeRecord, StopReason } from '../records.ts'
import { countWarmUp } from './arrivals.ts'
import { toRamp, toRampBaseline, toRampStop } from './find-limit.ts'
import { toPercentile } from './percentiles.ts'
import { toResponseMs } from './stops.ts'
import { formatMs } from './units.ts'

/**
 * Explains why a run ended before its budget was used: because of the target's responses, a
 * decision, the maximum duration or the daily budget. Undefined if it used its budget or reached a
 * limit. With `isSaid`, the text omits the reason, which the caller has already stated.
 */
export function describeStop(
  evidence: Evidence,
  { isSaid = false }: { readonly isSaid?: boolean } = {},
): string | undefined {
  const rampStop = toRampStop(evidence)
  const whys = [rampStop, evidence.stop].map((stop) => describeStopReason(evidence, stop))
  const [why, later] = [...new Set(whys.filter((each) => each !== undefined))]
  if (why === undefined) return undefined
  const { sent, budget } = evidence
  const head = `The test ended early, after ${sent} of at most ${formatCount(budget.requests, 'request')}`
  if (isSaid) return `${head}.`
  return `${head}: ${why}${later === undefined ? '' : `, then ${later}`}.`
}

function describeStopReason(evidence: Evidence, stop: StopReason): string | undefined {
  const ramp = toRamp(evidence)
  switch (stop) {
    case 'timeouts':
      return describeTimeouts(ramp)
    case 'server_errors':
      return `five responses in a row were server errors (${formatStatuses(ramp, ({ status }) => status >= 500)})`
    case 'rejected':
      return `five requests in a row were rejected (${formatStatuses(ramp, ({ outcome }) => outcome === 'rejected')})`
    case 'unreachable': {
      const refused = ramp.filter(({ outcome }) => outcome === 'refused').length
      return `${formatCount(refused, 'connection')} failed`
    }
    case 'slow':
      return describeSlowdown(evidence)
    case 'time_used':
      return 'the remaining requests would have exceeded the maximum duration of a test'
    case 'cancelled':
    case 'consent_withdrawn':
    case 'daily_budget_used':
      return DECISION_TEXTS[stop]
    default:
      return undefined
  }
}

/** Stops that the target did not cause. */
export const DECISION_TEXTS = {
  cancelled: 'the test was cancelled',
  consent_withdrawn: "the host's consent was withdrawn during the test",
  daily_budget_used: 'the daily budget ran out during the test',
} as const

function describeTimeouts(ramp: readonly ProbeRecord[]): string {
  const late = ramp.filter(({ outcome }) => outcome === 'timed_out')
  const longest = Math.max(0, ...late.map(toResponseMs))
  return `${formatCount(late.length, 'request')} received no response within ${formatMs(longest)}`
}

/** Compares the response times after the warm-up with those of the warm-up. */
export function describeSlowdown(evidence: Evidence): string {
  const ramp = toRamp(evidence).filter(({ outcome }) => outcome === 'ok')
  const baseline = toRampBaseline(toRamp(evidence))
  const later = ramp.slice(countWarmUp(toRamp(evidence).length)).map(toResponseMs)
  const [p50, p95] = [toPercentile(later, 0.5), toPercentile(later, 0.95)]
  if (!baseline || p50 === undefined || p95 === undefined) return 'responses became slow'
  const tell = (half: number, most: number) =>
    `median ${formatMs(half)}, 95th percentile ${formatMs(most)}`
  return `responses became slow (${tell(p50, p95)}; initially ${tell(baseline.p50, baseline.p95)})`
}

function formatStatuses(
  records: readonly ProbeRecord[],
  isSuch: (record: ProbeRecord) => boolean,
): string {
  const statuses = new Set(records.filter(isSuch).map(({ status }) => status))
  return `status ${[...statuses].slice(0, 5).join(', ')}`
}
