import { type Evidence, FINAL_STOPS, type Verdict } from '../records.ts'
import { toWarmUp } from './arrivals.ts'
import { compareDeclared, findUntried } from './declared-limit.ts'
import { type FoundLimit, findLimit, toRamp, toRampBaseline, toRampStop } from './find-limit.ts'
import { judgePages, judgePayloads } from './judge-sizes.ts'
import { observeLimit } from './observe-limit.ts'
import { toPercentile } from './percentiles.ts'
import { isAsBefore } from './recovery.ts'
import { isSlow, toServedMs } from './stops.ts'
import { summarizeNone, tellFound, tellOpen, tellUnclear } from './tell.ts'
import type { Doubt } from './tell-doubt.ts'
import { summarizeLimit } from './tell-limit.ts'

/**
 * Judges what a run saw, and nothing else: what it did not try, the text names.
 *
 * - `protected`: a limit was met, and calls beyond it were refused: by an answer that says so, or by
 *   a clean stop of all answers that ended again.
 * - `partly`: a limit was met, but calls beyond it only became slower, or more than twice as much was
 *   served as is declared, or a page ten times the usual one brought as many items, which the
 *   description does not allow by a maximum.
 * - `unprotected`: no limit was met; 20 requests at least, and all that were sent, were served about
 *   as quickly as the first; and neither the description, nor headers, nor earlier calls speak of a
 *   limit that the run did not reach.
 * - `inconclusive`: everything else, above all a target that fails now and then; `reason` says why.
 *
 * A declared limit counts as reached only where what was sent would have been refused, whether a
 * bucket, a fixed or a sliding window keeps it: a bucket of 50 in 60 s serves 60 calls in 15 s. One
 * that the budget does not reach so, such as 10,000 calls in 30 days, can't be found missing. It says
 * nothing against a limit that was met; where none was, the verdict is `inconclusive` with the reason
 * `declared`, and the text tells first that all was served at this rate, then which limits were
 * declared and not tried.
 *
 * Bodies that were taken change nothing, as larger ones than the test's own were never sent. Once a
 * limit was met, no later event of the run makes it `inconclusive`: not a budget that is used up, a
 * withdrawn consent, or another process that goes on.
 */
export function judge(evidence: Evidence): Verdict {
  const payload = judgePayloads(evidence)
  const page = judgePages(evidence)
  const found = findLimit(evidence)
  if (found && !isBlock(found)) return judgeFound(evidence, { found, payload, page })
  const doubt = findDoubt(evidence, found)
  const compared = compareDeclared(evidence, { isFound: false })
  const known = { payload, page, ...compared }
  return {
    verdict: doubt ? 'inconclusive' : 'unprotected',
    text: doubt ? tellUnclear(evidence, { doubt, ...known }) : tellOpen(evidence, known),
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
  const isPartly = isSlowed || isWide(evidence, page) || compared.comparison === 'exceeded'
  const summary = summarizeLimit(observed)
  return {
    verdict: isPartly ? 'partly' : 'protected',
    text: tellFound(evidence, { ...known, ...compared, observed }),
    reason: undefined,
    rate: {
      found: true,
      summary: isSlowed ? `${summary}; beyond it only slower` : summary,
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

/** Whether a call brought ten times as much as a usual one, and nobody meant it to. */
function isWide(evidence: Evidence, { state, asked = 0 }: Verdict['page']): boolean {
  return state === 'followed' && asked > (evidence.page?.maximum ?? 0)
}

/** Why nothing can be told; undefined when everything was served and a limit would have shown. */
function findDoubt(evidence: Evidence, found: FoundLimit | undefined): Doubt | undefined {
  const { records } = evidence
  // What cut a later stage short says nothing of the ramp, which was whole.
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
function isOverloaded(evidence: Evidence): boolean {
  const { records } = evidence
  const baseline = toRampBaseline(toRamp({ records }))
  const back = records.find(({ stage, outcome }) => stage === 'recovery' && outcome === 'ok')
  return toRampStop(evidence) === 'timeouts' && back !== undefined && !isAsBefore(back, baseline)
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
