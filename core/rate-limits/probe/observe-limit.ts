import { MAX_WAIT_MS } from '../../egress/rate-values.ts'
import type { LimitBounds, Verdict } from '../records.ts'
import { type FoundLimit, toSentAt } from './find-limit.ts'

/** What is known of a limit from having met it. */
export type Observed = Pick<Verdict['rate'], 'observed' | 'bounds' | 'atOnce' | 'recoveryMs'> & {
  readonly atRate: number
  /** The headers told `observed.calls`, or `observed.windowMs`. */
  readonly isCallsTold: boolean
  readonly isWindowTold: boolean
}

/**
 * Works out a limit from what was served before the first refusal, what the headers said, and how
 * long it took to be served again. What else would have looked the same stands in `bounds`: a shorter
 * window that began later, of the last calls only. A run with gaps shows only what it was told.
 */
export function observeLimit(found: FoundLimit, run: { readonly hasGaps: boolean }): Observed {
  const { served, refused, recovered } = found
  const refusedAt = toSentAt(refused[0])
  const sent = [...served, refused[0]].map(toSentAt)
  const told = toTold(found)
  const spans = toSpans(found)
  const isCallsTold = told.calls !== undefined && told.calls >= (spans?.leastCalls ?? 0)
  const common = {
    recoveryMs: recovered ? toSentAt(recovered) - refusedAt : undefined,
    atRate: countTrailing(sent),
    isCallsTold,
    isWindowTold: told.windowMs !== undefined,
  }
  const atOnce = isCallsTold ? undefined : toAtOnce(found, common.recoveryMs)
  const isUnknown = !isCallsTold && (run.hasGaps || atOnce !== undefined || served.length === 0)
  if (isUnknown) return { ...common, observed: undefined, bounds: undefined, atOnce }
  const calls = (isCallsTold ? told.calls : undefined) ?? served.length
  const seen = run.hasGaps ? undefined : spans
  const bounds: LimitBounds = {
    calls: isCallsTold || !seen ? [calls, calls] : [seen.leastCalls, calls],
    windowMs: told.windowMs === undefined ? seen?.windowMs : [told.windowMs, told.windowMs],
  }
  const observed = { calls, windowMs: told.windowMs ?? seen?.wholeMs }
  return { ...common, observed, bounds, atOnce: undefined }
}

function toTold({ served, refused }: FoundLimit): {
  readonly calls: number | undefined
  readonly windowMs: number | undefined
} {
  const speaking = [refused[0], ...served.toReversed()]
  const calls = speaking.find(({ limit }) => limit !== undefined)?.limit
  const windowMs = speaking.find((record) => record.windowMs !== undefined)?.windowMs
  return { calls, windowMs }
}

/**
 * Simultaneous calls seem to be limited where a refused request met more of them under way than any
 * that was served, and a single one later was served at once.
 */
function toAtOnce(found: FoundLimit, recoveryMs: number | undefined): number | undefined {
  const { served, refused, recovered } = found
  const most = Math.max(0, ...served.map(({ inFlight }) => inFlight))
  if (refused[0].inFlight < 2 || refused[0].inFlight <= most) return undefined
  const isAtOnce = recovered && recoveryMs !== undefined && recoveryMs <= AT_ONCE_MS
  const wasAlone = refused.some(({ stage }) => stage !== 'ramp')
  return isAtOnce && !wasAlone ? refused[0].inFlight : undefined
}

/** In-flight answers and a wait of a second. */
const AT_ONCE_MS = 8000

/** Of the last second. */
function countTrailing(sent: readonly number[]): number {
  const last = sent.at(-1) ?? 0
  // Sums of fractions are not exact.
  return sent.filter((at) => at > last - 1000 + 1e-6).length
}

interface Spans {
  /** The fewest calls that a window may have allowed. */
  readonly leastCalls: number
  /** Of all windows that may be; undefined where it was not seen when calls were served again. */
  readonly windowMs: readonly [least: number, most: number] | undefined
  /** Of the window that began with the first call: the middle of what it may be. Where it need not
   * have: the time from the first call to the first refusal.
   */
  readonly wholeMs: number | undefined
}

/**
 * The windows that explain a refusal. One that began with a later call was not over while calls were
 * refused, and none before it allowed more calls than it did.
 */
function toSpans(found: FoundLimit): Spans | undefined {
  const sent = found.served.map(toSentAt)
  const [first] = sent
  if (first === undefined) return undefined
  const { blocked, back } = toBlocked(found)
  let leastCalls = sent.length
  let leastMs = blocked - first
  for (const [index, began] of sent.entries()) {
    const lengthMs = Math.max(0, blocked - began)
    const calls = sent.length - index
    const before = sent.filter((at) => at < began && at >= began - lengthMs).length
    if (before > calls) continue
    leastCalls = Math.min(leastCalls, calls)
    leastMs = Math.min(leastMs, lengthMs)
  }
  if (back === undefined) return { leastCalls, windowMs: undefined, wholeMs: undefined }
  // Where a shorter window or a bucket is as likely, what was seen is that nothing more was served.
  const isWhole = 2 * leastCalls >= sent.length
  const middle = isWhole ? (blocked + back) / 2 : toSentAt(found.refused[0])
  return { leastCalls, windowMs: [leastMs, back - first], wholeMs: Math.round(middle - first) }
}

/** Until when calls were refused at least, and when they were served again, seen or announced. */
function toBlocked({ refused, recovered }: FoundLimit): {
  readonly blocked: number
  readonly back: number | undefined
} {
  const last = refused.at(-1) ?? refused[0]
  const lastAt = toSentAt(last)
  const { waitMs } = last
  // What is announced is mostly rounded up to seconds.
  const announced = waitMs === undefined ? lastAt : lastAt + Math.max(0, waitMs - 1000)
  if (recovered) {
    const back = toSentAt(recovered)
    return { blocked: Math.min(announced, back), back }
  }
  // Longer waits are read as an hour.
  const isKnown = waitMs !== undefined && waitMs < MAX_WAIT_MS
  return { blocked: announced, back: isKnown ? lastAt + waitMs : undefined }
}
