const DAY = /^(\d{4})-(\d{2})-(\d{2})$/

/**
 * Returns whether a timestamp comes from a clock that was set. Captures of devices without one
 * begin in 1970.
 *
 * @example
 * ```ts
 * import { isPlausibleTime } from 'api-discovery/scans'
 *
 * isPlausibleTime(Date.UTC(2026, 0, 31)) // true
 * isPlausibleTime(0) // false
 * ```
 */
export function isPlausibleTime(ms: number): boolean {
  return ms >= EARLIEST_KNOWN
}

const EARLIEST_KNOWN = Date.UTC(1990)

/** Returns whether the text is a valid calendar day, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return parseDay(text) !== undefined
}

/** Returns the start of a UTC day in milliseconds since the epoch; undefined for an invalid day. */
export function parseDay(text: string): number | undefined {
  const match = DAY.exec(text)
  if (!match) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const isSame =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isSame ? date.getTime() : undefined
}

/** Converts a day range to milliseconds: `from` is inclusive, `before` exclusive. */
export function toInstantRange(range: {
  readonly startDate?: string | undefined
  readonly endDate?: string | undefined
}): { readonly from?: number | undefined; readonly before?: number | undefined } {
  const from = range.startDate === undefined ? undefined : parseDay(range.startDate)
  const last = range.endDate === undefined ? undefined : parseDay(range.endDate)
  return { from, before: last === undefined ? undefined : last + 86_400_000 }
}

/** Formats an instant as `YYYY-MM-DDTHH:MM:SS+00:00`, the contract's usual format. */
export function toTimestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+00:00`
}

/** Formats a UTC day as `YYYY-M-D`, without zero padding (Specification 2.12). */
export function toUnpaddedDay(ms: number): string {
  const date = new Date(ms)
  return `${date.getUTCFullYear()}-${date.getUTCMonth() + 1}-${date.getUTCDate()}`
}

/** Formats an instant as `YYYY-MM-DDTHH:MM:SS.ffffff+00:00` (Specification 2.6 `start_time`). */
export function toPreciseTimestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000+00:00`
}

/** Formats an instant as `YYYY-MM-DDTHH:MM:SS` in UTC, the contract's format without an offset. */
export function toPlainTimestamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19)
}

/** Formats an instant as `YYYY-MM-DD HH:MM` in UTC (Specification 2.8). */
export function toMinute(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
}

/**
 * Parses a timestamp to milliseconds since the epoch. It consists of a calendar day, `T` or a space,
 * a time in minutes, seconds or fractions, and an optional offset (default UTC). Returns undefined
 * for invalid text.
 */
export function parseInstant(text: string): number | undefined {
  const match = INSTANT.exec(text)
  if (!match) return undefined
  const [, date = '', hours = '', minutes = '', seconds = '0', fraction = ''] = match
  const day = parseDay(date)
  const offset = parseOffset(match[6] ?? 'Z')
  if (day === undefined || offset === undefined) return undefined
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)]
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const instant = day + ((hour * 60 + minute - offset) * 60 + second) * 1000 + ms
  return instant >= FIRST_INSTANT && instant < END_OF_INSTANTS ? instant : undefined
}

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})?$/

/** Year 1000: years have four digits. */
const FIRST_INSTANT = Date.UTC(1000, 0, 1)
/** Exclusive upper bound of instants, in milliseconds since the epoch: years have four digits. */
export const END_OF_INSTANTS = Date.UTC(10_000, 0, 1)

/**
 * Exclusive upper bound of times in scans, in milliseconds since the epoch: later clocks are wrong.
 */
export const END_OF_SCANS = Date.UTC(2100, 0, 1)

/** Returns the offset in minutes. */
function parseOffset(text: string): number | undefined {
  if (/^[Zz]$/.test(text)) return 0
  const hours = Number(text.slice(1, 3))
  const minutes = Number(text.slice(-2))
  if (hours > 23 || minutes > 59) return undefined
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

const DURATION = /^(\d{1,9})(s|m|h|d|w)$/
const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/**
 * Parses a duration such as `90d`, `12h`, `30m`, `45s` or `2w` to milliseconds. A day is 24 hours.
 * Returns undefined for invalid text.
 *
 * @example
 * ```ts
 * import { parseDuration } from 'api-discovery/accounts'
 *
 * parseDuration('2h') // 7200000
 * parseDuration('2 hours') // undefined
 * ```
 */
export function parseDuration(text: string): number | undefined {
  const match = DURATION.exec(text)
  if (!match) return undefined
  // The pattern allows only the units of the table.
  return Number(match[1]) * UNITS[match[2] as keyof typeof UNITS]
}
