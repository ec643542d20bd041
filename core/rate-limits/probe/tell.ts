import { type Evidence, FINAL_STOPS, type StopReason, type Verdict } from '../records.ts'
import { type FoundLimit, toRamp, toRampBaseline, toSentAt } from './find-limit.ts'
import type { Observed } from './observe-limit.ts'
import { type Doubt, isUntried, tellDoubt, tellUntried } from './tell-doubt.ts'
import { tellObserved, tellRecovery, tellRefusal } from './tell-limit.ts'
import { tellSizes } from './tell-sizes.ts'
import { tellStop } from './tell-stop.ts'
import { tellCount, tellLimit, tellMs } from './units.ts'

/** What a text tells beside the records. */
type Known = Pick<Verdict, 'payload' | 'page'> &
  Pick<Verdict['rate'], 'declared' | 'comparison'> & { readonly doubt?: Doubt | undefined }

/** Tells of a limit that was met. */
export function tellFound(
  evidence: Evidence,
  known: Known & { readonly found: FoundLimit; readonly observed: Observed },
): string {
  const { found, observed } = known
  return join([
    tellRefusal(evidence, found),
    `It was met at ${tellCount(observed.atRate, 'request')} a second.`,
    tellObserved(found, observed),
    tellRecovery(evidence, { found, recoveryMs: observed.recoveryMs }),
    isFinal(evidence.stop) ? tellStop(evidence) : undefined,
    tellCompared(known, { isFound: true }),
    tellUntried(evidence, { isFound: true }),
    ...tellSizes(evidence, known),
  ])
}

/** Tells of a target that served everything. */
export function tellOpen(evidence: Evidence, known: Known): string {
  const served = toRamp(evidence).length
  return join([
    `No limit was met: all ${served} requests were served, at up to ${toTopRate(evidence)} a second.`,
    tellBaseline(evidence),
    tellCompared(known, { isFound: false }),
    `More requests, or more than ${evidence.budget.rate} a second, were not tried.`,
    tellStop(evidence),
    ...tellSizes(evidence, known),
  ])
}

/** Tells why nothing can be said; of one that met no trouble, first what was tried. */
export function tellUnclear(evidence: Evidence, known: Known & { readonly doubt: Doubt }): string {
  const { doubt } = known
  const ramp = toRamp(evidence)
  const served = ramp.filter(({ outcome }) => outcome === 'ok').length
  const clause = tellDoubt(evidence, doubt)
  const compared = tellCompared(known, { isFound: false })
  const sizes = tellSizes(evidence, known)
  if (isUntried(doubt)) {
    return join([
      `No limit was met: all ${served} requests were served, at up to ${toTopRate(evidence)} a second. Whether there is one beyond is not certain: ${clause}.`,
      compared,
      tellUntried(evidence, { isFound: false }),
      tellStop(evidence),
      ...sizes,
    ])
  }
  return join([
    `Nothing certain can be said: ${clause}.`,
    `${served} of ${tellCount(ramp.length, 'request')} were served, at up to ${toTopRate(evidence)} a second.`,
    tellStop(evidence, { isSaid: SAID.has(doubt) }),
    compared,
    tellUntried(evidence, { isFound: false }),
    ...sizes,
  ])
}

/** Doubts that say why the run ended. */
const SAID: ReadonlySet<Doubt> = new Set<Doubt>([...FINAL_STOPS, 'rejected', 'unreachable', 'slow'])

/** What is known of a limit that was not met, in a few words. */
export function summarizeNone(evidence: Evidence, doubt: Doubt | undefined): string {
  if (doubt !== undefined && !isUntried(doubt)) return 'not known'
  const ramp = toRamp(evidence)
  return `none met by ${tellCount(ramp.length, 'request')} at up to ${toTopRate(evidence)} a second`
}

/** The most requests that were sent in any second. */
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

/** What sums of fractions may miss of a second. */
const ROUNDING_MS = 1e-6

function isFinal(stop: StopReason): boolean {
  return FINAL_STOPS.some((final) => final === stop)
}

function join(sentences: readonly (string | undefined)[]): string {
  return sentences.filter((sentence) => sentence !== undefined).join(' ')
}

/** Of the declared limits the one that was tried; `tellUntried` has those that were not. */
function tellCompared(
  { declared, comparison }: Known,
  { isFound }: { readonly isFound: boolean },
): string | undefined {
  if (!declared || comparison === undefined || comparison === 'untried') return undefined
  const limit = tellLimit(declared)
  if (!isFound) {
    return comparison === 'exceeded' ? `Declared are ${limit}, but more was served.` : undefined
  }
  const judged =
    comparison === 'exceeded'
      ? 'more than twice as much was served'
      : 'it was not found to be laxer than twice that'
  return `Declared are ${limit}: ${judged}.`
}

function tellBaseline(evidence: Evidence): string | undefined {
  const baseline = toRampBaseline(toRamp(evidence))
  return (
    baseline &&
    `Half of the first answers took ${tellMs(baseline.p50)} at most, 95 of 100 ${tellMs(baseline.p95)}, and later ones were not markedly slower.`
  )
}
