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

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)? ?(Z|GMT|UTC|[+-]\d\d:?\d\d)?$/i
// Sun, 06 Nov 1994 08:49:37 GMT and Sunday, 06-Nov-94 08:49:37 GMT
const DAY_FIRST =
  /^[a-z]{3,9}, ?(\d\d?)[ -]([a-z]{3})[ -](\d\d(?:\d\d)?) (\d\d):(\d\d):(\d\d) ?(GMT|UTC|[+-]\d{4})?$/i
// Sun Nov  6 08:49:37 1994
const YEAR_LAST = /^[a-z]{3} ([a-z]{3}) {1,2}(\d\d?) (\d\d):(\d\d):(\d\d) (\d{4})$/i
// Tue Feb 16 2021 09:02:42 GMT+0100 (Central European Standard Time)
const JS_DATE =
  /^[a-z]{3} ([a-z]{3}) (\d\d) (\d{4}) (\d\d):(\d\d):(\d\d) (GMT[+-]\d{4})(?: \([^()]*\))?$/i

const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec'
const MAX_LENGTH = 80

/**
 * Parses a date in the formats that headers use. Returns milliseconds since the epoch, or undefined
 * if it is no date. Accepts the three formats of RFC 9110 5.6.7, RFC 3339 and the string form of a
 * JavaScript `Date`. RFC 3339 dates may have a space instead of `T`, and no zone, which means UTC.
 * Doesn't use `Date.parse`, as engines accept different formats.
 */
function parseInstant(text: string): number | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const iso = ISO.exec(text)
  if (iso) {
    const [, year, month, day, hour, minute, second, zone] = iso
    return toEpochMs([year, month, day, hour, minute, second ?? '0'].map(Number), zone)
  }
  const dayFirst = DAY_FIRST.exec(text)
  if (dayFirst) {
    const [, day, month, year, ...time] = dayFirst
    const numbers = [toYear(year), toMonth(month), ...[day, ...time.slice(0, 3)].map(Number)]
    return toEpochMs(numbers, time[3])
  }
  const yearLast = YEAR_LAST.exec(text)
  if (yearLast) {
    const [, month, day, hour, minute, second, year] = yearLast
    return toEpochMs(
      [toYear(year), toMonth(month), ...[day, hour, minute, second].map(Number)],
      'GMT',
    )
  }
  const script = JS_DATE.exec(text)
  if (!script) return undefined
  const [, month, day, year, hour, minute, second, zone] = script
  const numbers = [toYear(year), toMonth(month), ...[day, hour, minute, second].map(Number)]
  return toEpochMs(numbers, zone?.slice(3))
}

/** Two digits mean a year between 1970 and 2069 (RFC 9110 5.6.7 has a moving window). */
function toYear(text: string | undefined): number {
  const year = Number(text)
  if (year >= 100) return year
  return year < 70 ? 2000 + year : 1900 + year
}

function toMonth(text: string | undefined): number {
  const at = MONTHS.indexOf((text ?? '-').toLowerCase())
  return at % 3 === 0 ? at / 3 + 1 : 0
}

function toEpochMs(numbers: readonly number[], zone: string | undefined): number | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined
  // A leap second is written as 60.
  if (hour > 23 || minute > 59 || second > 60) return undefined
  return Date.UTC(year, month - 1, day, hour, minute, second) - toOffsetMs(zone)
}

function toOffsetMs(zone: string | undefined): number {
  const match = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? '')
  if (!match) return 0
  const ms = (Number(match[2]) * 60 + Number(match[3])) * 60_000
  return match[1] === '-' ? -ms : ms
}
