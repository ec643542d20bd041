import { MAX_WAIT_MS } from '../../egress/rate-values.ts'
import type { Evidence, LimitBounds, LimitSignal, RateLimit, Verdict } from '../records.ts'
import type { findUntried } from './declared-limit.ts'
import { toStrictest } from './declared-limit.ts'
import { type FoundLimit, toRamp, toRampBaseline, toSentAt } from './find-limit.ts'
import type { Observed } from './observe-limit.ts'
import { isAsBefore } from './recovery.ts'
import { toServedMs } from './stops.ts'
import { tellBytes, tellCount, tellLimit, tellMs } from './units.ts'

/** Why a run says nothing of a target. */
export type Doubt =
  | 'cancelled'
  | 'consent_withdrawn'
  | 'daily_budget_used'
  | 'rejected'
  | 'unreachable'
  | 'slow'
  | 'refused_all'
  | 'interrupted'
  | 'weak_sign'
  | 'failing'
  | 'overloaded'
  | 'too_few'
  | NonNullable<ReturnType<typeof findUntried>>

type Sizes = Pick<Verdict, 'payload' | 'page'>

/** Tells of a limit that was met. */
export function tellFound(
  evidence: Evidence,
  known: Sizes & {
    readonly found: FoundLimit
    readonly observed: Observed
    readonly laxer: boolean
    readonly declared: RateLimit | undefined
  },
): string {
  const { found, observed, laxer, declared } = known
  return join([
    tellRefusal(evidence, found),
    `It was met at ${tellCount(observed.atRate, 'request')} a second.`,
    tellObserved(found, observed),
    tellRecovery(evidence, { found, observed }),
    declared && tellDeclared(declared, laxer),
    ...tellSizes(evidence, known),
  ])
}

/** Tells of a target that served everything. */
export function tellOpen(evidence: Evidence, sizes: Sizes): string {
  const served = toRamp(evidence).length
  const declared = toStrictest(evidence.declared)
  return join([
    `No limit was met: all ${served} requests were served, at up to ${toTopRate(evidence)} a second.`,
    tellBaseline(evidence),
    declared && `Declared are ${tellLimit(declared)}, but more was served.`,
    `More requests, or more than ${evidence.budget.rate} a second, were not tried.`,
    ...tellSizes(evidence, sizes),
  ])
}

/** Tells why nothing can be said. */
export function tellUnclear(evidence: Evidence, known: Sizes & { readonly doubt: Doubt }): string {
  const ramp = toRamp(evidence)
  const served = ramp.filter(({ outcome }) => outcome === 'ok').length
  return join([
    `Nothing certain can be said: ${tellDoubt(evidence, known.doubt)}.`,
    `${served} of ${tellCount(ramp.length, 'request')} were served, at up to ${toTopRate(evidence)} a second.`,
    ...tellSizes(evidence, known),
  ])
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

function join(sentences: readonly (string | undefined)[]): string {
  return sentences.filter((sentence) => sentence !== undefined).join(' ')
}

function tellRefusal(evidence: Evidence, { signal, served, refused }: FoundLimit): string {
  const [first] = refused
  const [begin] = served
  const spanMs = begin ? toSentAt(first) - toSentAt(begin) : 0
  const before =
    served.length === 0
      ? 'with the very first request'
      : `after ${tellCount(served.length, 'request')} in ${tellMs(spanMs)}`
  return `A limit was met ${before}: ${tellSignal(evidence, { signal, status: first.status })}.`
}

function tellSignal(
  evidence: Evidence,
  first: { readonly signal: LimitSignal; readonly status: number },
): string {
  if (first.signal === 'status') return `the target answered ${first.status}`
  if (first.signal === 'unavailable') return `the target answered ${first.status || 503}`
  if (first.signal === 'body') {
    return `the answer's body said so, though its status was ${first.status}`
  }
  if (first.signal === 'dropped') return 'requests were no longer answered'
  if (first.signal === 'refused') return 'connections were no longer accepted'
  const ramp = toRamp(evidence)
  const baseline = toRampBaseline(ramp)
  const slowest = Math.max(0, ...ramp.map(toServedMs))
  const usual = baseline ? `, usually ${tellMs(baseline.p50)},` : ''
  return `answers${usual} took up to ${tellMs(slowest)}, and none was refused`
}

function tellObserved(found: FoundLimit, observed: Observed): string | undefined {
  if (observed.atOnce !== undefined) {
    return `Probably calls at the same time are limited, to about ${observed.atOnce}: so many were under way when one was refused.`
  }
  const { observed: limit, bounds, isCallsTold, isWindowTold } = observed
  if (!limit) return undefined
  if (isCallsTold) {
    const told = isWindowTold ? tellLimit(limit) : tellLimit({ ...limit, windowMs: undefined })
    const seen =
      bounds?.windowMs && !isWindowTold ? `, and it shows in ${tellRange(bounds.windowMs)}` : ''
    return `The headers tell of ${told}${seen}; ${tellCount(found.served.length, 'request')} of this test had been served.`
  }
  return bounds && tellBounds(limit, bounds)
}

/** A window that began before the test, or while it was under way, shows only in part. */
function tellBounds(limit: RateLimit, { calls, windowMs }: LimitBounds): string {
  const [least, most] = calls
  if (!windowMs) return `The limit is ${most} calls at most, in a time that was not seen.`
  if (2 * least < most) {
    return `The limit is not above ${tellLimit(limit)}; a smaller one over a shorter time, or a bucket that refills, would look alike.`
  }
  const count = least === most ? tellCount(most, 'call') : `${least} to ${most} calls`
  return `What was seen fits ${count} in ${tellRange(windowMs)}, or more time where it began before the test.`
}

function tellRange([least, most]: readonly [number, number]): string {
  const texts = [tellMs(least), tellMs(most)]
  return texts[0] === texts[1] ? `${texts[0]}` : `${texts[0]} to ${texts[1]}`
}

function tellRecovery(
  evidence: Evidence,
  { found, observed }: { readonly found: FoundLimit; readonly observed: Observed },
): string {
  const { refused, recovered } = found
  if (observed.recoveryMs === undefined) {
    const waitMs = refused.at(-1)?.waitMs
    const told =
      waitMs === undefined
        ? ''
        : `: the target announced a wait of ${waitMs < MAX_WAIT_MS ? '' : 'at least '}${tellMs(waitMs)}`
    return `When calls are served again was not seen${told}.`
  }
  // Nothing but the switch itself told of a limit.
  const isSilent = refused[0].outcome !== 'limited'
  const doubt = isSilent
    ? '; an outage of the same length would have looked alike, which a second test can tell'
    : ''
  const baseline = toRampBaseline(toRamp(evidence))
  if (recovered && baseline && !isAsBefore(recovered, baseline)) {
    const took = `${tellMs(toServedMs(recovered))}, before ${tellMs(baseline.p50)}`
    return `Calls were served ${tellMs(observed.recoveryMs)} later, but slower: one took ${took}.`
  }
  return `Calls were served as before ${tellMs(observed.recoveryMs)} later${doubt}.`
}

function tellDeclared(declared: RateLimit, laxer: boolean): string {
  const judged = laxer
    ? 'more than twice as much was served'
    : 'it was not found to be laxer than twice that'
  return `Declared are ${tellLimit(declared)}: ${judged}.`
}

function tellBaseline(evidence: Evidence): string | undefined {
  const baseline = toRampBaseline(toRamp(evidence))
  return (
    baseline &&
    `Half of the first answers took ${tellMs(baseline.p50)} at most, 95 of 100 ${tellMs(baseline.p95)}, and later ones were not markedly slower.`
  )
}

function tellDoubt(evidence: Evidence, doubt: Doubt): string {
  const { declared, records, budget } = evidence
  if (doubt === 'declared') {
    const strictest = toStrictest(declared)
    return `declared are ${strictest ? tellLimit(strictest) : 'limits'}, more than the test may try`
  }
  if (doubt === 'announced') {
    const told = records.findLast(({ remaining, limit }) => (remaining ?? limit) !== undefined)
    const left = told?.remaining === undefined ? '' : `, ${told.remaining} left at the end`
    const limit = told?.limit === undefined ? 'a limit' : `a limit of ${told.limit} calls`
    return `the target's headers announce ${limit}${left}, which the test did not reach`
  }
  if (doubt === 'too_few')
    return `fewer than 20 requests were served, of a budget of ${budget.requests}`
  if (doubt === 'rejected') return tellRejected(evidence)
  if (doubt === 'failing') return tellFailing(evidence)
  return DOUBTS[doubt]
}

function tellRejected({ records }: Evidence): string {
  const rejected = records.filter(({ outcome }) => outcome === 'rejected')
  const statuses = [...new Set(rejected.map(({ status }) => status))]
  const told = `status ${statuses.slice(0, 5).join(', ')}`
  return statuses.every((status) => status < 400)
    ? `the target answered with redirects (${told}), which are not followed`
    : `the target rejected every request (${told}), so that no limit could show`
}

function tellFailing(evidence: Evidence): string {
  const failed = evidence.records.filter(({ outcome }) => outcome !== 'ok')
  const statuses = [...new Set(failed.map(({ status }) => status))].filter((status) => status > 0)
  const silent = failed.filter(({ status }) => status === 0).length
  const ways = [
    ...(statuses.length === 0 ? [] : [`status ${statuses.slice(0, 5).join(', ')}`]),
    ...(silent === 0 ? [] : [`${silent} without an answer`]),
  ]
  const why =
    statuses.every((status) => status === 503) && silent === 0
      ? 'which may be a limit as well as an outage'
      : 'and no limit explains it'
  return `${tellCount(failed.length, 'request')} failed (${ways.join('; ')}), ${why}`
}

const DOUBTS: Readonly<
  Record<Exclude<Doubt, 'declared' | 'announced' | 'too_few' | 'rejected' | 'failing'>, string>
> = {
  cancelled: 'the test was cancelled',
  consent_withdrawn: "the host's consent was withdrawn during the test",
  daily_budget_used: "the day's budget ran out during the test",
  unreachable: 'the target could not be reached',
  slow: 'answers became slow, in a way that no limit explains: it may be an outage',
  refused_all:
    'requests were refused from the first on, by a limit that earlier calls used up or by a block',
  overloaded: 'it was overloaded, as calls after the pause took far longer than before',
  interrupted: 'the test was interrupted and taken up again, and no limit was met',
  weak_sign: 'an answer spoke of a limit, but only one',
  seen: 'earlier calls through the gateway met a limit, which the test did not reach',
  declared_429: 'the description declares a limit without its size, which the test did not reach',
}

function tellSizes(evidence: Evidence, { payload, page }: Sizes): readonly string[] {
  const { largestTaken, smallestRefused } = payload
  const texts: string[] = []
  if (payload.state === 'bounded') {
    const taken = largestTaken === undefined ? '' : `, ${tellBytes(largestTaken)} taken`
    texts.push(`A body of ${tellBytes(smallestRefused ?? 0)} was refused${taken}.`)
  } else if (payload.state === 'unbounded') {
    texts.push(
      `Bodies up to ${tellBytes(largestTaken ?? 0)} were taken; larger ones were not tried.`,
    )
  } else texts.push('Larger bodies were not tested.')
  if (page.parameter === undefined) return texts
  const size = (evidence.page?.size ?? 0) * 10
  if (page.state === 'bounded') texts.push(`A page size of ${size} was refused or not followed.`)
  else if (page.state === 'unbounded') texts.push(`A page size of ${size} was followed.`)
  else texts.push('Larger pages were not tested.')
  return texts
}
