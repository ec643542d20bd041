import { type Evidence, FINAL_STOPS, type StopReason, type Verdict } from '../records.ts'
import { type FoundLimit, toRamp, toRampBaseline, toSentAt } from './find-limit.ts'
import type { Observed } from './observe-limit.ts'
import { type Doubt, isUntried, tellDoubt, tellUntried } from './tell-doubt.ts'
import { tellObserved, tellRecovery, tellRefusal } from './tell-limit.ts'
import { tellSizes } from './tell-sizes.ts'
import { tellStop } from './tell-stop.ts'
import { tellCount, tellLimit, tellMs } from './units.ts'

/** Parts of the verdict that the text describes. */
type Known = Pick<Verdict, 'payload' | 'page'> &
  Pick<Verdict['rate'], 'declared' | 'comparison'> & { readonly doubt?: Doubt | undefined }

/** Describes a limit that was reached. */
export function tellFound(
  evidence: Evidence,
  known: Known & { readonly found: FoundLimit; readonly observed: Observed },
): string {
  const { found, observed } = known
  return join([
    tellRefusal(evidence, found),
    `The rate at that time was ${tellCount(observed.atRate, 'request')} per second.`,
    tellObserved(found, observed),
    tellRecovery(evidence, { found, recoveryMs: observed.recoveryMs }),
    isFinal(evidence.stop) ? tellStop(evidence) : undefined,
    tellCompared(known, { isFound: true }),
    tellUntried(evidence, { isFound: true }),
    ...tellSizes(evidence, known),
  ])
}

/** Describes a target that served every request. */
export function tellOpen(evidence: Evidence, known: Known): string {
  const served = toRamp(evidence).length
  return join([
    `No rate limit was reached: all ${served} requests were served, at up to ${toTopRate(evidence)} per second.`,
    tellBaseline(evidence),
    tellCompared(known, { isFound: false }),
    `More requests, or more than ${evidence.budget.rate} per second, were not tested.`,
    tellStop(evidence),
    ...tellSizes(evidence, known),
  ])
}

/**
 * Explains why the test is inconclusive. If all requests were served, first describes what was
 * tested.
 */
export function tellUnclear(evidence: Evidence, known: Known & { readonly doubt: Doubt }): string {
  const { doubt } = known
  const ramp = toRamp(evidence)
  const served = ramp.filter(({ outcome }) => outcome === 'ok').length
  const clause = tellDoubt(evidence, doubt)
  const compared = tellCompared(known, { isFound: false })
  const sizes = tellSizes(evidence, known)
  if (isUntried(doubt)) {
    return join([
      `No rate limit was reached: all ${served} requests were served, at up to ${toTopRate(evidence)} per second. There may still be a limit: ${clause}.`,
      compared,
      tellUntried(evidence, { isFound: false }),
      tellStop(evidence),
      ...sizes,
    ])
  }
  return join([
    `No conclusion is possible: ${clause}.`,
    `${served} of ${tellCount(ramp.length, 'request')} were served, at up to ${toTopRate(evidence)} per second.`,
    tellStop(evidence, { isSaid: SAID.has(doubt) }),
    compared,
    tellUntried(evidence, { isFound: false }),
    ...sizes,
  ])
}

/** Inconclusive reasons that already state why the run ended. */
const SAID: ReadonlySet<Doubt> = new Set<Doubt>([...FINAL_STOPS, 'rejected', 'unreachable', 'slow'])

/** Summarises a test that reached no limit. */
export function summarizeNone(evidence: Evidence, doubt: Doubt | undefined): string {
  if (doubt !== undefined && !isUntried(doubt)) return 'unknown'
  const ramp = toRamp(evidence)
  return `none reached with ${tellCount(ramp.length, 'request')} at up to ${toTopRate(evidence)} per second`
}

/** Returns the maximum number of requests sent in any second. */
export function toTopRate({ records }: Pick<Evidence, 'records'>): number {
  const sent = records.map(toSentAt).sort((a, b) => a - b)
  let start = 0
  let most = 0
  for (const [index, at] of sent.entries()) {
    while ((sent[start] ?? at) <= at - 1000 + ROUNDING_MS) start += 1
    most = Math.max(most, index - start + 1)
  }
  return most
}

/** Tolerance for rounding errors of sums. */
const ROUNDING_MS = 1e-6

function isFinal(stop: StopReason): boolean {
  return FINAL_STOPS.some((final) => final === stop)
}

function join(sentences: readonly (string | undefined)[]): string {
  return sentences.filter((sentence) => sentence !== undefined).join(' ')
}

/** Compares with the declared limit that was tested. Untested limits are described separately. */
function tellCompared(
  { declared, comparison }: Known,
  { isFound }: { readonly isFound: boolean },
): string | undefined {
  if (!declared || comparison === undefined || comparison === 'untried') return undefined
  const limit = tellLimit(declared)
  if (!isFound) {
    return comparison === 'exceeded'
      ? `The description declares ${limit}, but more calls were served.`
      : undefined
  }
  const judged =
    comparison === 'exceeded'
      ? 'more than twice as many calls were served'
      : 'the target was not observed to serve more than twice as many calls'
  return `The description declares ${limit}: ${judged}.`
}

function tellBaseline(evidence: Evidence): string | undefined {
  const baseline = toRampBaseline(toRamp(evidence))
  return (
    baseline &&
    `The first responses took ${tellMs(baseline.p50)} (median) and ${tellMs(baseline.p95)} (95th percentile); later ones were not markedly slower.`
  )
}
