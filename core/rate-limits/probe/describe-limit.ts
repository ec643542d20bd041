import { MAX_WAIT_MS } from '../../egress/rate-values.ts'
import { formatCount } from '../../shared/text.ts'
import type { Evidence, LimitSignal, Verdict } from '../records.ts'
import { type FoundLimit, toRamp, toRampBaseline, toSentAt } from './find-limit.ts'
import type { Observed } from './observe-limit.ts'
import { isAsFastAsBefore } from './recovery.ts'
import { toResponseMs } from './stops.ts'
import { formatLimit, formatMs } from './units.ts'

/** Describes the refusal, and the number of requests before it. */
export function describeRefusal(
  evidence: Evidence,
  { signal, served, refused }: FoundLimit,
): string {
  const [first] = refused
  const [begin] = served
  const spanMs = begin ? toSentAt(first) - toSentAt(begin) : 0
  const before =
    served.length === 0
      ? 'with the first request'
      : `after ${formatCount(served.length, 'request')} in ${formatMs(spanMs)}`
  return `A rate limit was reached ${before}: ${describeSignal(evidence, { signal, status: first.status })}.`
}

function describeSignal(
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
  const slowest = Math.max(0, ...ramp.map(toResponseMs))
  const usual = baseline ? ` (usually ${formatMs(baseline.p50)})` : ''
  return `responses${usual} took up to ${formatMs(slowest)}, and none was rejected`
}

/** Describes the limit in a few words. The longer description embeds them in a sentence. */
export function summarizeLimit(observed: Observed): string {
  if (observed.atOnce !== undefined) return `probably about ${observed.atOnce} concurrent calls`
  const { observed: limit, bounds, isCallsAnnounced, isWindowAnnounced } = observed
  if (!limit) return 'reached, size unknown'
  if (isCallsAnnounced) {
    const told = isWindowAnnounced
      ? formatLimit(limit)
      : formatLimit({ ...limit, windowMs: undefined })
    return `${told}, announced in response headers`
  }
  if (!bounds) return 'reached, size unknown'
  const [least, most] = bounds.calls
  if (!bounds.windowMs) return `at most ${most} calls per window of unknown length`
  if (2 * least < most) return `at most ${formatLimit(limit)}`
  const count = least === most ? formatCount(most, 'call') : `${least} to ${most} calls`
  return `${count} in ${formatRange(bounds.windowMs)}, or a longer window`
}

/** Describes the limits that explain the observations; undefined if none is known. */
export function describeObserved(found: FoundLimit, observed: Observed): string | undefined {
  if (observed.atOnce !== undefined) {
    return `The limit is probably about ${observed.atOnce} concurrent calls: that many were in flight when one was rejected.`
  }
  const { observed: limit, bounds, isCallsAnnounced, isWindowAnnounced } = observed
  if (!limit) return undefined
  if (isCallsAnnounced) {
    const told = isWindowAnnounced
      ? formatLimit(limit)
      : formatLimit({ ...limit, windowMs: undefined })
    const seen =
      bounds?.windowMs && !isWindowAnnounced
        ? `, and the observed window is ${formatRange(bounds.windowMs)}`
        : ''
    return `Response headers announce ${told}${seen}; ${formatCount(found.served.length, 'request')} of this test had been served before.`
  }
  if (!bounds) return undefined
  const summary = summarizeLimit(observed)
  const [least, most] = bounds.calls
  // If the window began before or during the test, only part of it was observed.
  if (!bounds.windowMs) return `The limit is ${summary}.`
  if (2 * least < most) {
    return `The limit is ${summary}; a smaller limit over a shorter window, or a token bucket, would look the same.`
  }
  return `If the window began before the test, the limit may be ${summary}.`
}

function formatRange([least, most]: readonly [number, number]): string {
  const texts = [formatMs(least), formatMs(most)]
  return texts[0] === texts[1] ? `${texts[0]}` : `${texts[0]} to ${texts[1]}`
}

/** Describes the recovery. */
export function describeRecovery(
  evidence: Evidence,
  known: { readonly found: FoundLimit; readonly recoveryMs: Verdict['rate']['recoveryMs'] },
): string {
  const { refused, recovered } = known.found
  if (known.recoveryMs === undefined) {
    const waitMs = refused.at(-1)?.waitMs
    const told =
      waitMs === undefined
        ? ''
        : `: the target announced a wait of ${waitMs < MAX_WAIT_MS ? '' : 'at least '}${formatMs(waitMs)}`
    return `Recovery was not observed${told}.`
  }
  // The switch itself is the only sign of a limit.
  const isSilent = refused[0].outcome !== 'limited'
  const doubt = isSilent
    ? '; an outage of the same length would look the same, so repeat the test to confirm the limit'
    : ''
  const baseline = toRampBaseline(toRamp(evidence))
  if (recovered && baseline && !isAsFastAsBefore(recovered, baseline)) {
    const took = `${formatMs(toResponseMs(recovered))}, compared with ${formatMs(baseline.p50)} before`
    return `Calls were served again after ${formatMs(known.recoveryMs)}, but more slowly: one took ${took}.`
  }
  return `Calls were served normally again after ${formatMs(known.recoveryMs)}${doubt}.`
}
