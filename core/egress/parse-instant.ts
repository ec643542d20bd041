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
export function parseInstant(text: string): number | undefined {
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
