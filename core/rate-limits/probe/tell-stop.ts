import type { Evidence, ProbeRecord, StopReason } from '../records.ts'
import { toWarmUp } from './arrivals.ts'
import { toRamp, toRampBaseline, toRampStop } from './find-limit.ts'
import { toPercentile } from './percentiles.ts'
import { toServedMs } from './stops.ts'
import { tellCount, tellMs } from './units.ts'

/**
 * Explains why a run ended before its budget was used: because of the target's responses, a
 * decision, the maximum duration or the daily budget. Undefined if it used its budget or reached a
 * limit. With `isSaid`, the text omits the reason, which the caller has already stated.
 */
export function tellStop(
  evidence: Evidence,
  { isSaid = false }: { readonly isSaid?: boolean } = {},
): string | undefined {
  const rampStop = toRampStop(evidence)
  const whys = [rampStop, evidence.stop].map((stop) => tellWhy(evidence, stop))
  const [why, later] = [...new Set(whys.filter((each) => each !== undefined))]
  if (why === undefined) return undefined
  const { sent, budget } = evidence
  const head = `The test ended early, after ${sent} of at most ${tellCount(budget.requests, 'request')}`
  if (isSaid) return `${head}.`
  return `${head}: ${why}${later === undefined ? '' : `, then ${later}`}.`
}

function tellWhy(evidence: Evidence, stop: StopReason): string | undefined {
  const ramp = toRamp(evidence)
  switch (stop) {
    case 'timeouts':
      return tellTimeouts(ramp)
    case 'server_errors':
      return `five responses in a row were server errors (${tellStatuses(ramp, ({ status }) => status >= 500)})`
    case 'rejected':
      return `five requests in a row were rejected (${tellStatuses(ramp, ({ outcome }) => outcome === 'rejected')})`
    case 'unreachable': {
      const refused = ramp.filter(({ outcome }) => outcome === 'refused').length
      return `${tellCount(refused, 'connection')} failed`
    }
    case 'slow':
      return tellSlow(evidence)
    case 'time_used':
      return 'the remaining requests would have exceeded the maximum duration of a test'
    case 'cancelled':
    case 'consent_withdrawn':
    case 'daily_budget_used':
      return WILLS[stop]
    default:
      return undefined
  }
}

/** Stops that the target did not cause. */
export const WILLS = {
  cancelled: 'the test was cancelled',
  consent_withdrawn: "the host's consent was withdrawn during the test",
  daily_budget_used: 'the daily budget ran out during the test',
} as const

function tellTimeouts(ramp: readonly ProbeRecord[]): string {
  const late = ramp.filter(({ outcome }) => outcome === 'timed_out')
  const longest = Math.max(0, ...late.map(toServedMs))
  return `${tellCount(late.length, 'request')} received no response within ${tellMs(longest)}`
}

/** Compares the response times after the warm-up with those of the warm-up. */
export function tellSlow(evidence: Evidence): string {
  const ramp = toRamp(evidence).filter(({ outcome }) => outcome === 'ok')
  const baseline = toRampBaseline(toRamp(evidence))
  const later = ramp.slice(toWarmUp(toRamp(evidence).length)).map(toServedMs)
  const [p50, p95] = [toPercentile(later, 0.5), toPercentile(later, 0.95)]
  if (!baseline || p50 === undefined || p95 === undefined) return 'responses became slow'
  const tell = (half: number, most: number) =>
    `median ${tellMs(half)}, 95th percentile ${tellMs(most)}`
  return `responses became slow (${tell(p50, p95)}; initially ${tell(baseline.p50, baseline.p95)})`
}

function tellStatuses(
  records: readonly ProbeRecord[],
  isSuch: (record: ProbeRecord) => boolean,
): string {
  const statuses = new Set(records.filter(isSuch).map(({ status }) => status))
  return `status ${[...statuses].slice(0, 5).join(', ')}`
}
