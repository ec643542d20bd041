import { MAX_WAIT_MS } from '../../egress/rate-values.ts'
import type { Evidence, LimitSignal, Verdict } from '../records.ts'
import { type FoundLimit, toRamp, toRampBaseline, toSentAt } from './find-limit.ts'
import type { Observed } from './observe-limit.ts'
import { isAsBefore } from './recovery.ts'
import { toServedMs } from './stops.ts'
import { tellCount, tellLimit, tellMs } from './units.ts'

/** Describes the refusal, and the number of requests before it. */
export function tellRefusal(evidence: Evidence, { signal, served, refused }: FoundLimit): string {
  const [first] = refused
  const [begin] = served
  const spanMs = begin ? toSentAt(first) - toSentAt(begin) : 0
  const before =
    served.length === 0
      ? 'with the first request'
      : `after ${tellCount(served.length, 'request')} in ${tellMs(spanMs)}`
  return `A rate limit was reached ${before}: ${tellSignal(evidence, { signal, status: first.status })}.`
}

function tellSignal(
  evidence: Evidence,
  first: { readonly signal: LimitSignal; readonly status: number },
): string {
  if (first.signal === 'status') return `the target responded with status ${first.status}`
  if (first.signal === 'unavailable')
    return `the target responded with status ${first.status || 503}`
  if (first.signal === 'body') {
    return `the response body says so, although its status is ${first.status}`
  }
  if (first.signal === 'dropped') return 'the target stopped responding'
  if (first.signal === 'refused') return 'the target stopped accepting connections'
  const ramp = toRamp(evidence)
  const baseline = toRampBaseline(ramp)
  const slowest = Math.max(0, ...ramp.map(toServedMs))
  const usual = baseline ? ` (usually ${tellMs(baseline.p50)})` : ''
  return `responses${usual} took up to ${tellMs(slowest)}, and none was refused`
}

/** Describes the limit in a few words. The longer description embeds them in a sentence. */
export function summarizeLimit(observed: Observed): string {
  if (observed.atOnce !== undefined) return `probably about ${observed.atOnce} concurrent calls`
  const { observed: limit, bounds, isCallsTold, isWindowTold } = observed
  if (!limit) return 'reached, size unknown'
  if (isCallsTold) {
    const told = isWindowTold ? tellLimit(limit) : tellLimit({ ...limit, windowMs: undefined })
    return `${told}, announced in response headers`
  }
  if (!bounds) return 'reached, size unknown'
  const [least, most] = bounds.calls
  if (!bounds.windowMs) return `at most ${most} calls in an unknown window`
  if (2 * least < most) return `at most ${tellLimit(limit)}`
  const count = least === most ? tellCount(most, 'call') : `${least} to ${most} calls`
  return `${count} in ${tellRange(bounds.windowMs)}, or a longer window`
}

/** Describes the limits that explain the observations; undefined if none is known. */
export function tellObserved(found: FoundLimit, observed: Observed): string | undefined {
  if (observed.atOnce !== undefined) {
    return `The limit is probably about ${observed.atOnce} concurrent calls: that many were in flight when one was refused.`
  }
  const { observed: limit, bounds, isCallsTold, isWindowTold } = observed
  if (!limit) return undefined
  if (isCallsTold) {
    const told = isWindowTold ? tellLimit(limit) : tellLimit({ ...limit, windowMs: undefined })
    const seen =
      bounds?.windowMs && !isWindowTold
        ? `, and the observed window is ${tellRange(bounds.windowMs)}`
        : ''
    return `Response headers announce ${told}${seen}; ${tellCount(found.served.length, 'request')} of this test had been served before.`
  }
  if (!bounds) return undefined
  const summary = summarizeLimit(observed)
  const [least, most] = bounds.calls
  // If the window began before or during the test, only part of it was observed.
  if (!bounds.windowMs) return `The limit is ${summary}.`
  if (2 * least < most) {
    return `The limit is ${summary}; a smaller limit over a shorter window, or a token bucket, would look the same.`
  }
  return `The observations fit ${summary} if it began before the test.`
}

function tellRange([least, most]: readonly [number, number]): string {
  const texts = [tellMs(least), tellMs(most)]
  return texts[0] === texts[1] ? `${texts[0]}` : `${texts[0]} to ${texts[1]}`
}

/** Describes the recovery. */
export function tellRecovery(
  evidence: Evidence,
  known: { readonly found: FoundLimit; readonly recoveryMs: Verdict['rate']['recoveryMs'] },
): string {
  const { refused, recovered } = known.found
  if (known.recoveryMs === undefined) {
    const waitMs = refused.at(-1)?.waitMs
    const told =
      waitMs === undefined
        ? ''
        : `: the target announced a wait of ${waitMs < MAX_WAIT_MS ? '' : 'at least '}${tellMs(waitMs)}`
    return `Recovery was not observed${told}.`
  }
  // The switch itself is the only sign of a limit.
  const isSilent = refused[0].outcome !== 'limited'
  const doubt = isSilent
    ? '; an outage of the same length would look the same, so repeat the test to confirm the limit'
    : ''
  const baseline = toRampBaseline(toRamp(evidence))
  if (recovered && baseline && !isAsBefore(recovered, baseline)) {
    const took = `${tellMs(toServedMs(recovered))}, compared with ${tellMs(baseline.p50)} before`
    return `Calls were served again after ${tellMs(known.recoveryMs)}, but more slowly: one took ${took}.`
  }
  return `Calls were served normally again after ${tellMs(known.recoveryMs)}${doubt}.`
}
