import { MAX_WAIT_MS } from '../../egress/rate-values.ts'
import type { LimitBounds, Verdict } from '../records.ts'
import { type FoundLimit, toSentAt } from './find-limit.ts'

/** The observed properties of a limit. */
export type Observed = Pick<Verdict['rate'], 'observed' | 'bounds' | 'atOnce' | 'recoveryMs'> & {
  readonly atRate: number
  /** Whether response headers announced `observed.calls` or `observed.windowMs`. */
  readonly isCallsAnnounced: boolean
  readonly isWindowAnnounced: boolean
}

/**
 * Derives a limit from the requests served before the first refusal, the announcements in headers,
 * and the time until recovery. `bounds` covers other limits that would look the same, such as a
 * shorter window that began later. A run with gaps yields only announced values.
 */
export function observeLimit(found: FoundLimit, run: { readonly hasGaps: boolean }): Observed {
  const { served, refused, recovered } = found
  const refusedAt = toSentAt(refused[0])
  const sent = [...served, refused[0]].map(toSentAt)
  const told = readAnnounced(found)
  const spans = computeSpans(found)
  const isCallsAnnounced = told.calls !== undefined && told.calls >= (spans?.leastCalls ?? 0)
  const common = {
    recoveryMs: recovered ? toSentAt(recovered) - refusedAt : undefined,
    atRate: countTrailing(sent),
    isCallsAnnounced,
    isWindowAnnounced: told.windowMs !== undefined,
  }
  const atOnce = isCallsAnnounced ? undefined : detectConcurrencyLimit(found, common.recoveryMs)
  const isUnknown =
    !isCallsAnnounced && (run.hasGaps || atOnce !== undefined || served.length === 0)
  if (isUnknown) return { ...common, observed: undefined, bounds: undefined, atOnce }
  const calls = (isCallsAnnounced ? told.calls : undefined) ?? served.length
  const seen = run.hasGaps ? undefined : spans
  const bounds: LimitBounds = {
    calls: isCallsAnnounced || !seen ? [calls, calls] : [seen.leastCalls, calls],
    windowMs: told.windowMs === undefined ? seen?.windowMs : [told.windowMs, told.windowMs],
  }
  const observed = { calls, windowMs: told.windowMs ?? seen?.wholeMs }
  return { ...common, observed, bounds, atOnce: undefined }
}

function readAnnounced({ served, refused }: FoundLimit): {
  readonly calls: number | undefined
  readonly windowMs: number | undefined
} {
  const speaking = [refused[0], ...served.toReversed()]
  const calls = speaking.find(({ limit }) => limit !== undefined)?.limit
  const windowMs = speaking.find((record) => record.windowMs !== undefined)?.windowMs
  return { calls, windowMs }
}

/**
 * Detects a limit on concurrent calls: the refused request had more concurrent requests than any
 * served one, and a single later request was served at once.
 */
function detectConcurrencyLimit(
  found: FoundLimit,
  recoveryMs: number | undefined,
): number | undefined {
  const { served, refused, recovered } = found
  const most = Math.max(0, ...served.map(({ inFlight }) => inFlight))
  if (refused[0].inFlight < 2 || refused[0].inFlight <= most) return undefined
  const isAtOnce = recovered && recoveryMs !== undefined && recoveryMs <= AT_ONCE_MS
  const wasAlone = refused.some(({ stage }) => stage !== 'ramp')
  return isAtOnce && !wasAlone ? refused[0].inFlight : undefined
}

/** Maximum recovery time: responses of requests in flight, and a wait of a second. */
const AT_ONCE_MS = 8000

/** Counts the requests of the last second. */
function countTrailing(sent: readonly number[]): number {
  const last = sent.at(-1) ?? 0
  // Tolerance for rounding errors of sums.
  return sent.filter((at) => at > last - 1000 + 1e-6).length
}

interface Spans {
  /** The fewest calls that the window may allow. */
  readonly leastCalls: number
  /** Range of possible windows; undefined if recovery was not observed. */
  readonly windowMs: readonly [least: number, most: number] | undefined
  /**
   * Window that began with the first call: the middle of its range. If it may have begun later, the
   * time from the first call to the first refusal.
   */
  readonly wholeMs: number | undefined
}

/**
 * Computes the windows that explain a refusal. A window that began with a later call must last
 * until the last refusal, and no window before it may contain more calls.
 */
function computeSpans(found: FoundLimit): Spans | undefined {
  const sent = found.served.map(toSentAt)
  const [first] = sent
  if (first === undefined) return undefined
  const { blocked, back } = findBlockedSpan(found)
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
  // If a shorter window or a token bucket is as likely, only the time until the refusal is known.
  const isWhole = 2 * leastCalls >= sent.length
  const middle = isWhole ? (blocked + back) / 2 : toSentAt(found.refused[0])
  return { leastCalls, windowMs: [leastMs, back - first], wholeMs: Math.round(middle - first) }
}

/**
 * Returns the latest time at which calls were refused, and the time at which calls were served
 * again, as observed or announced.
 */
function findBlockedSpan({ refused, recovered }: FoundLimit): {
  readonly blocked: number
  readonly back: number | undefined
} {
  const last = refused.at(-1) ?? refused[0]
  const lastAt = toSentAt(last)
  const { waitMs } = last
  // Announced waits are usually rounded up to seconds.
  const announced = waitMs === undefined ? lastAt : lastAt + Math.max(0, waitMs - 1000)
  if (recovered) {
    const back = toSentAt(recovered)
    return { blocked: Math.min(announced, back), back }
  }
  // Longer waits are capped at an hour when parsed.
  const isKnown = waitMs !== undefined && waitMs < MAX_WAIT_MS
  return { blocked: announced, back: isKnown ? lastAt + waitMs : undefined }
}
