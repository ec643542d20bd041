import { parseInstant } from './instants.ts'

/** The longest that one header may keep calls away: an hour. */
export const MAX_WAIT_MS = 3_600_000

/** The most that a header may say is left; more is not worth counting. */
const MAX_REMAINING = 1_000_000_000

/**
 * What a number without a unit is: `delay` seconds (RFC 9110 10.2.3), `ms` milliseconds, and `guess`
 * whatever its size tells, as vendors spell the same header in four ways.
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
 * Milliseconds from `now` to what a header names: between 0 and an hour; 0 for a past instant, and
 * undefined for what cannot be read. Takes numbers, dates (see `parseInstant`) and spans of time
 * such as `6m0s` (OpenAI). A number from 1e9 on is an instant, in seconds (GitHub, X, Okta), from
 * 1e11 on in milliseconds (Linear). A `guess` of more than a day is milliseconds (Prisjakt): where it
 * is wrong, we ask the target again too early, not too late.
 */
export function parseWait(
  text: string,
  options: { readonly now: number; readonly unit: WaitUnit },
): number | undefined {
  const plain = text.trim()
  if (plain === '' || plain.length > MAX_TEXT) return undefined
  const { now, unit } = options
  if (NUMBER.test(plain)) return bound(toWaitMs(Number(plain), { now, unit }))
  const span = SPAN.exec(plain)
  if (span) {
    const [days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0] = span
      .slice(1)
      .map((part) => Number(part ?? 0))
    return bound((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms)
  }
  const instant = parseInstant(plain)
  return instant === undefined ? undefined : bound(instant - now)
}

/** What is left, rounded down; undefined for what is no number from 0 on, as `-1` and `unlimited`. */
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

function bound(ms: number): number {
  return Math.min(MAX_WAIT_MS, Math.max(0, Math.ceil(ms)))
}
