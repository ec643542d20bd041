import { parseInstant } from './parse-instant.ts'

/** Maximum time that one header may block calls: an hour. */
export const MAX_WAIT_MS = 3_600_000

/** Upper bound of reported remaining calls. */
const MAX_REMAINING = 1_000_000_000

/**
 * Unit of a number without one: `delay` seconds (RFC 9110 10.2.3), `ms` milliseconds. With `guess`
 * its magnitude decides, as vendors use the same header in four ways.
 */
export type WaitUnit = 'delay' | 'ms' | 'guess'

const NUMBER = /^\d{1,18}(?:\.\d{1,12})?$/
const SPAN =
  /^(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6}(?:\.\d{1,12})?)s)?(?:(\d{1,9}(?:\.\d{1,12})?)ms)?$/
const EPOCH_SECONDS = 1e9
const EPOCH_MS = 1e11
const DAY_SECONDS = 86_400
const MAX_TEXT = 80

/**
 * Parses a wait time or instant. Returns milliseconds from `now`, between 0 and an hour; 0 for a
 * past instant, undefined for malformed values.
 *
 * Accepts numbers, dates (see `parseInstant`) and durations such as `6m0s` (OpenAI). Numbers from
 * 1e9 are instants in seconds (GitHub, X, Okta), from 1e11 in milliseconds (Linear). A `guess` of
 * more than a day is taken as milliseconds (Prisjakt): if that is wrong, we call too early rather
 * than too late.
 */
export function parseWait(
  text: string,
  options: { readonly now: number; readonly unit: WaitUnit },
): number | undefined {
  const plain = text.trim()
  if (plain === '' || plain.length > MAX_TEXT) return undefined
  const { now, unit } = options
  if (NUMBER.test(plain)) return boundWait(toWaitMs(Number(plain), { now, unit }))
  const span = SPAN.exec(plain)
  if (span) {
    const [days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0] = span
      .slice(1)
      .map((part) => Number(part ?? 0))
    return boundWait((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms)
  }
  const instant = parseInstant(plain)
  return instant === undefined ? undefined : boundWait(instant - now)
}

/** Parses remaining calls, rounded down; undefined for values such as `-1` and `unlimited`. */
export function parseRemaining(text: string): number | undefined {
  const plain = text.trim()
  if (!NUMBER.test(plain)) return undefined
  return Math.min(MAX_REMAINING, Math.floor(Number(plain)))
}

function toWaitMs(
  value: number,
  { now, unit }: { readonly now: number; readonly unit: WaitUnit },
): number {
  if (unit === 'ms' && value < EPOCH_MS) return value
  if (value >= EPOCH_MS) return value - now
  if (value >= EPOCH_SECONDS) return value * 1000 - now
  return unit === 'guess' && value > DAY_SECONDS ? value : value * 1000
}

function boundWait(ms: number): number {
  return Math.min(MAX_WAIT_MS, Math.max(0, Math.ceil(ms)))
}
