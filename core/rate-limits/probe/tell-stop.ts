import type { Evidence, ProbeRecord, StopReason } from '../records.ts'
import { toWarmUp } from './arrivals.ts'
import { toRamp, toRampBaseline, toRampStop } from './find-limit.ts'
import { toPercentile } from './percentiles.ts'
import { toServedMs } from './stops.ts'
import { tellCount, tellMs } from './units.ts'

/**
 * Tells why a run ended before its budget was used: by the target's answers, by somebody's will, or
 * for want of time or of the day's budget. Undefined when it came to its end or met a limit. Where
 * the reason has been said, only how far it came.
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
      return `five answers in a row were server errors (${tellStatuses(ramp, ({ status }) => status >= 500)})`
    case 'rejected':
      return `five requests in a row were rejected (${tellStatuses(ramp, ({ outcome }) => outcome === 'rejected')})`
    case 'unreachable': {
      const refused = ramp.filter(({ outcome }) => outcome === 'refused').length
      return `${tellCount(refused, 'connection')} did not come about`
    }
    case 'slow':
      return tellSlow(evidence)
    case 'time_used':
      return 'what was left could not be sent in the time that a test may take'
    case 'cancelled':
    case 'consent_withdrawn':
    case 'daily_budget_used':
      return WILLS[stop]
    default:
      return undefined
  }
}

/** The stops that nothing of the target's brought about. */
export const WILLS = {
  cancelled: 'the test was cancelled',
  consent_withdrawn: "the host's consent was withdrawn during the test",
  daily_budget_used: "the day's budget ran out during the test",
} as const

function tellTimeouts(ramp: readonly ProbeRecord[]): string {
  const late = ramp.filter(({ outcome }) => outcome === 'timed_out')
  const longest = Math.max(0, ...late.map(toServedMs))
  return `${tellCount(late.length, 'request')} had no answer within ${tellMs(longest)}`
}

/** How slow answers became, against those of the first fifth; of all that came later. */
export function tellSlow(evidence: Evidence): string {
  const ramp = toRamp(evidence).filter(({ outcome }) => outcome === 'ok')
  const baseline = toRampBaseline(toRamp(evidence))
  const later = ramp.slice(toWarmUp(toRamp(evidence).length)).map(toServedMs)
  const [p50, p95] = [toPercentile(later, 0.5), toPercentile(later, 0.95)]
  if (!baseline || p50 === undefined || p95 === undefined) return 'answers became slow'
  const tell = (half: number, most: number) => `half ${tellMs(half)}, 95 of 100 ${tellMs(most)}`
  return `answers became slow (${tell(p50, p95)} at most; of the first ones ${tell(baseline.p50, baseline.p95)})`
}

function tellStatuses(
  records: readonly ProbeRecord[],
  isSuch: (record: ProbeRecord) => boolean,
): string {
  const statuses = new Set(records.filter(isSuch).map(({ status }) => status))
  return `status ${[...statuses].slice(0, 5).join(', ')}`
}
