import type { Evidence, Verdict } from '../records.ts'
import { toWarmUp } from './arrivals.ts'
import { findUntried, isLaxer, toStrictest } from './declared-limit.ts'
import { type FoundLimit, findLimit, toRamp, toRampBaseline } from './find-limit.ts'
import { judgePages, judgePayloads } from './judge-sizes.ts'
import { observeLimit } from './observe-limit.ts'
import { toPercentile } from './percentiles.ts'
import { isAsBefore } from './recovery.ts'
import { isSlow, toServedMs } from './stops.ts'
import { type Doubt, tellFound, tellOpen, tellUnclear } from './tell.ts'

/**
 * Judges what a run saw. `protected`: calls beyond a limit are refused. `partly`: they only become
 * slower, or larger bodies or pages know no bound, or the limit is laxer than twice the declared one.
 * `unprotected`: every request was served, and nothing speaks for a limit that was not reached.
 * Everything else is `inconclusive`, a target that fails now and then above all.
 */
export function judge(evidence: Evidence): Verdict {
  const payload = judgePayloads(evidence)
  const page = judgePages(evidence)
  const declared = toStrictest(evidence.declared)
  const found = findLimit(evidence)
  if (found && !isBlock(found)) return judgeFound(evidence, { found, payload, page, declared })
  const doubt = findDoubt(evidence, found)
  const sizes = { payload, page }
  return {
    verdict: doubt ? 'inconclusive' : 'unprotected',
    text: doubt ? tellUnclear(evidence, { doubt, ...sizes }) : tellOpen(evidence, sizes),
    rate: {
      found: false,
      signal: undefined,
      observed: undefined,
      atRate: undefined,
      declared,
      recoveryMs: undefined,
    },
    payload,
    page,
  }
}

function judgeFound(
  evidence: Evidence,
  known: Pick<Verdict, 'payload' | 'page'> & {
    readonly found: FoundLimit
    readonly declared: Verdict['rate']['declared']
  },
): Verdict {
  const { found, payload, page, declared } = known
  const observed = observeLimit(found, { hasGaps: hasGaps(evidence) })
  const laxer = declared !== undefined && isLaxer(evidence, declared)
  const isOpen = payload.state === 'unbounded' || page.state === 'unbounded'
  const isPartly = found.signal === 'slowed' || isOpen || laxer
  return {
    verdict: isPartly ? 'partly' : 'protected',
    text: tellFound(evidence, { found, observed, laxer, declared, payload, page }),
    rate: {
      found: true,
      signal: found.signal,
      observed: observed.observed,
      atRate: observed.atRate,
      bounds: observed.bounds,
      atOnce: observed.atOnce,
      declared,
      recoveryMs: observed.recoveryMs,
    },
    payload,
    page,
  }
}

/** Why nothing can be told; undefined when everything was served and a limit would have shown. */
function findDoubt(evidence: Evidence, found: FoundLimit | undefined): Doubt | undefined {
  const { records, stop } = evidence
  const ramp = toRamp(evidence)
  const served = ramp.filter(({ outcome }) => outcome === 'ok').length
  if (stop === 'cancelled' || stop === 'consent_withdrawn' || stop === 'daily_budget_used') {
    return stop
  }
  if (stop === 'rejected' && served === 0) return 'rejected'
  if (stop === 'unreachable' && served === 0) return 'unreachable'
  if (found) return 'refused_all'
  if (hasGaps(evidence)) return 'interrupted'
  if (records.some(({ outcome }) => outcome === 'limited')) return 'weak_sign'
  // Larger bodies and pages may be refused: what they meet says nothing of the target's health.
  const plain = records.filter(({ stage }) => stage === 'ramp' || stage === 'recovery')
  if (isOverloaded(evidence)) return 'overloaded'
  if (plain.some(({ outcome }) => outcome !== 'ok')) return 'failing'
  if (stop === 'slow') return 'slow'
  if (stop !== 'budget_used' && stop !== 'time_used') return 'failing'
  if (served < LEAST_SERVED) return 'too_few'
  if (becameSlow(ramp)) return 'slow'
  return findUntried(evidence)
}

/** Whether half of what came later took beyond what half of the baseline did: no pause hides that. */
function becameSlow(ramp: Evidence['records']): boolean {
  const p50 = toRampBaseline(ramp)?.p50
  const later = toPercentile(ramp.slice(toWarmUp(ramp.length)).map(toServedMs), 0.5)
  if (p50 === undefined || later === undefined) return false
  return isSlow(later, { p50, p95: p50 })
}

/** Whether calls were not answered, and those after a pause slower than before. */
function isOverloaded({ records, stop }: Evidence): boolean {
  const baseline = toRampBaseline(toRamp({ records }))
  const back = records.find(({ stage, outcome }) => stage === 'recovery' && outcome === 'ok')
  return stop === 'timeouts' && back !== undefined && !isAsBefore(back, baseline)
}

/** Whether nothing was served at all: a limit that others used up looks like a block. */
function isBlock({ served, recovered }: FoundLimit): boolean {
  return recovered === undefined && served.every(({ outcome }) => outcome !== 'ok')
}

/** Between two attempts lies a pause, and requests of the former may be missing. */
function hasGaps({ attempts }: Evidence): boolean {
  return attempts > 1
}

/** So many requests of the ramp must have been served before a target counts as open. */
const LEAST_SERVED = 20
