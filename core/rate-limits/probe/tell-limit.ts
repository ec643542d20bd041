import { MAX_WAIT_MS } from '../../egress/rate-values.ts'
import type { Evidence, LimitSignal, Verdict } from '../records.ts'
import { type FoundLimit, toRamp, toRampBaseline, toSentAt } from './find-limit.ts'
import type { Observed } from './observe-limit.ts'
import { isAsBefore } from './recovery.ts'
import { toServedMs } from './stops.ts'
import { tellCount, tellLimit, tellMs } from './units.ts'

/** Tells how calls were refused, and after how many. */
export function tellRefusal(evidence: Evidence, { signal, served, refused }: FoundLimit): string {
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

/** The limit that was met, in a few words: what `tellObserved` makes its sentence of. */
export function summarizeLimit(observed: Observed): string {
  if (observed.atOnce !== undefined) return `probably about ${observed.atOnce} calls at a time`
  const { observed: limit, bounds, isCallsTold, isWindowTold } = observed
  if (!limit) return 'met, of unknown size'
  if (isCallsTold) {
    const told = isWindowTold ? tellLimit(limit) : tellLimit({ ...limit, windowMs: undefined })
    return `${told}, as its headers tell`
  }
  if (!bounds) return 'met, of unknown size'
  const [least, most] = bounds.calls
  if (!bounds.windowMs) return `${most} calls at most, in a time that was not seen`
  if (2 * least < most) return `not above ${tellLimit(limit)}`
  const count = least === most ? tellCount(most, 'call') : `${least} to ${most} calls`
  return `${count} in ${tellRange(bounds.windowMs)}, or more time`
}

/** Tells which limits explain what was seen; undefined where none is known. */
export function tellObserved(found: FoundLimit, observed: Observed): string | undefined {
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
  if (!bounds) return undefined
  const summary = summarizeLimit(observed)
  const [least, most] = bounds.calls
  // A window that began before the test, or while it was under way, shows only in part.
  if (!bounds.windowMs) return `The limit is ${summary}.`
  if (2 * least < most) {
    return `The limit is ${summary}; a smaller one over a shorter time, or a bucket that refills, would look alike.`
  }
  return `What was seen fits ${summary} where it began before the test.`
}

function tellRange([least, most]: readonly [number, number]): string {
  const texts = [tellMs(least), tellMs(most)]
  return texts[0] === texts[1] ? `${texts[0]}` : `${texts[0]} to ${texts[1]}`
}

/** Tells when calls were served again, and how. */
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
    return `Calls were served ${tellMs(known.recoveryMs)} later, but slower: one took ${took}.`
  }
  return `Calls were served as before ${tellMs(known.recoveryMs)} later${doubt}.`
}
