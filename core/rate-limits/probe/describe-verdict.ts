import { formatCount } from '../../shared/text.ts'
import {
  type Evidence,
  FINAL_STOPS,
  type ProbeRecord,
  type StopReason,
  type Verdict,
} from '../records.ts'
import {
  describeInconclusiveReason,
  describeUntested,
  type InconclusiveReason,
  isUntestedReason,
} from './describe-inconclusive.ts'
import { describeObserved, describeRecovery, describeRefusal } from './describe-limit.ts'
import { describeStop } from './describe-stop.ts'
import { type FoundLimit, toRamp, toRampBaseline, toSentAt } from './find-limit.ts'
import { findPages } from './judge-sizes.ts'
import type { Observed } from './observe-limit.ts'
import { formatBytes, formatLimit, formatMs } from './units.ts'

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

/**
 * Describes the tests with larger bodies and pages: what was tested, the result, and what was not
 * tested.
 */
function describeSizes(
  evidence: Evidence,
  { payload, page }: Pick<Verdict, 'payload' | 'page'>,
): readonly string[] {
  const bodies = describePayload(evidence, payload)
  return page.parameter === undefined ? [bodies] : [bodies, describePage(evidence, page)]
}

function describePayload({ records }: Evidence, payload: Verdict['payload']): string {
  const { state, largestTaken, smallestRefused } = payload
  const taken = formatBytes(largestTaken ?? 0)
  if (state === 'bounded') {
    const before = largestTaken === undefined ? '' : `; ${taken} was accepted`
    return `A body of ${formatBytes(smallestRefused ?? 0)} was rejected${before}.`
  }
  const failed = records.findLast(({ stage, outcome }) => stage === 'payload' && outcome !== 'ok')
  const how =
    failed && `one of ${formatBytes(failed.size ?? 0)} failed (${describeProbeFailure(failed)})`
  if (state === 'taken') return `Bodies up to ${taken} were accepted; ${how ?? LARGER}.`
  return how
    ? `It is unknown whether larger bodies are accepted: ${how}.`
    : 'Larger bodies were not tested.'
}

const LARGER = 'larger ones were not tested'
const UNCOUNTED = 'its items cannot be counted'

function describePage(evidence: Evidence, page: Verdict['page']): string {
  const { state, asked = 0, items, usualItems } = page
  const { usual, larger } = findPages(evidence)
  if (state === 'untested' || !usual || !larger) return 'Larger page sizes were not tested.'
  const what = `A page size of ${asked}`
  const came = `returned ${formatCount(items ?? 0, 'item')}, compared with ${usualItems} for the usual size`
  if (state === 'followed') return `${what} was applied: it ${came}; ${LARGER}.`
  if (state === 'bounded') {
    if (larger.outcome === 'rejected')
      return `${what} was rejected (${describeProbeFailure(larger)}).`
    return `${what} was limited: it ${came}.`
  }
  const unknown = 'It is unknown whether the page size is limited'
  if (larger.outcome !== 'ok')
    return `${unknown}: ${toLowerFirst(what)} failed (${describeProbeFailure(larger)}).`
  if (items === undefined || usualItems === undefined) {
    const isCounted = usual.items !== undefined && larger.items !== undefined
    const why = isCounted ? 'it contains several lists that may be the page' : UNCOUNTED
    return `${unknown}: ${toLowerFirst(what)} was served, but ${why}.`
  }
  return `${unknown}: ${toLowerFirst(what)} ${came}, which may be the whole collection.`
}

function describeProbeFailure({ status }: ProbeRecord): string {
  return status === 0 ? 'no response' : `status ${status}`
}

function toLowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}
