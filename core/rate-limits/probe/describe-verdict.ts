import { type Evidence, FINAL_STOPS, type StopReason, type Verdict } from '../records.ts'
import {
  describeInconclusiveReason,
  describeUntested,
  type InconclusiveReason,
  isUntestedReason,
} from './describe-inconclusive.ts'
import { describeObserved, describeRecovery, describeRefusal } from './describe-limit.ts'
import { describeSizes } from './describe-sizes.ts'
import { describeStop } from './describe-stop.ts'
import { type FoundLimit, toRamp, toRampBaseline, toSentAt } from './find-limit.ts'
import type { Observed } from './observe-limit.ts'
import { formatCount, formatLimit, formatMs } from './units.ts'

/** Parts of the verdict that the text describes. */
type DescribedVerdict = Pick<Verdict, 'payload' | 'page'> &
  Pick<Verdict['rate'], 'declared' | 'comparison'> & {
    readonly reason?: InconclusiveReason | undefined
  }

/** Describes a limit that was reached. */
export function describeFound(
  evidence: Evidence,
  known: DescribedVerdict & { readonly found: FoundLimit; readonly observed: Observed },
): string {
  const { found, observed } = known
  return joinSentences([
    describeRefusal(evidence, found),
    `The rate at that time was ${formatCount(observed.atRate, 'request')} per second.`,
    describeObserved(found, observed),
    describeRecovery(evidence, { found, recoveryMs: observed.recoveryMs }),
    isFinalStop(evidence.stop) ? describeStop(evidence) : undefined,
    describeComparison(known, { isFound: true }),
    describeUntested(evidence, { isFound: true }),
    ...describeSizes(evidence, known),
  ])
}

/** Describes a target that served every request. */
export function describeUnlimited(evidence: Evidence, known: DescribedVerdict): string {
  const served = toRamp(evidence).length
  return joinSentences([
    `No rate limit was reached: all ${served} requests were served, at up to ${computeTopRate(evidence)} per second.`,
    describeBaseline(evidence),
    describeComparison(known, { isFound: false }),
    `More requests, or more than ${evidence.budget.rate} per second, were not tested.`,
    describeStop(evidence),
    ...describeSizes(evidence, known),
  ])
}

/**
 * Explains why the test is inconclusive. If all requests were served, first describes what was
 * tested.
 */
export function describeInconclusive(
  evidence: Evidence,
  known: DescribedVerdict & { readonly reason: InconclusiveReason },
): string {
  const { reason } = known
  const ramp = toRamp(evidence)
  const served = ramp.filter(({ outcome }) => outcome === 'ok').length
  const clause = describeInconclusiveReason(evidence, reason)
  const compared = describeComparison(known, { isFound: false })
  const sizes = describeSizes(evidence, known)
  if (isUntestedReason(reason)) {
    return joinSentences([
      `No rate limit was reached: all ${served} requests were served, at up to ${computeTopRate(evidence)} per second. There may still be a limit: ${clause}.`,
      compared,
      describeUntested(evidence, { isFound: false }),
      describeStop(evidence),
      ...sizes,
    ])
  }
  return joinSentences([
    `No conclusion is possible: ${clause}.`,
    `${served} of ${formatCount(ramp.length, 'request')} were served, at up to ${computeTopRate(evidence)} per second.`,
    describeStop(evidence, { isSaid: REASONS_WITH_STOP.has(reason) }),
    compared,
    describeUntested(evidence, { isFound: false }),
    ...sizes,
  ])
}

/** Inconclusive reasons that already state why the run ended. */
const REASONS_WITH_STOP: ReadonlySet<InconclusiveReason> = new Set<InconclusiveReason>([
  ...FINAL_STOPS,
  'rejected',
  'unreachable',
  'slow',
])

/** Summarises a test that reached no limit. */
export function summarizeNone(evidence: Evidence, reason: InconclusiveReason | undefined): string {
  if (reason !== undefined && !isUntestedReason(reason)) return 'unknown'
  const ramp = toRamp(evidence)
  return `none reached with ${formatCount(ramp.length, 'request')} at up to ${computeTopRate(evidence)} per second`
}

/** Returns the maximum number of requests sent in any second. */
export function computeTopRate({ records }: Pick<Evidence, 'records'>): number {
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

function isFinalStop(stop: StopReason): boolean {
  return FINAL_STOPS.some((final) => final === stop)
}

function joinSentences(sentences: readonly (string | undefined)[]): string {
  return sentences.filter((sentence) => sentence !== undefined).join(' ')
}

/** Compares with the declared limit that was tested. Untested limits are described separately. */
function describeComparison(
  { declared, comparison }: DescribedVerdict,
  { isFound }: { readonly isFound: boolean },
): string | undefined {
  if (!declared || comparison === undefined || comparison === 'untried') return undefined
  const limit = formatLimit(declared)
  if (!isFound) {
    return comparison === 'exceeded'
      ? `The description declares ${limit}, but more calls were served.`
      : undefined
  }
  const judged =
    comparison === 'exceeded'
      ? 'more than twice as many calls were served'
      : 'the test observed no more than twice as many served calls'
  return `The description declares ${limit}: ${judged}.`
}

function describeBaseline(evidence: Evidence): string | undefined {
  const baseline = toRampBaseline(toRamp(evidence))
  return (
    baseline &&
    `The first responses took ${formatMs(baseline.p50)} (median) and ${formatMs(baseline.p95)} (95th percentile); later ones were not markedly slower.`
  )
}
