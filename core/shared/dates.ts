const DAY = /^(\d{4})-(\d{2})-(\d{2})$/

/** True for an instant by a clock that was set. Captures of devices without one begin in 1970. */
export function isKnownTime(ms: number): boolean {
  return ms >= EARLIEST_KNOWN
}

const EARLIEST_KNOWN = Date.UTC(1990)

/** True for `YYYY-MM-DD` that names a real calendar day. */
export function isDay(text: string): boolean {
  return parseDay(text) !== undefined
}

/** Milliseconds since the epoch at which the day begins in UTC; undefined for what is no day. */
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

/** Bounds of a day range in milliseconds: from (included) and before (excluded). */
export function toInstantRange(range: {
  readonly startDate?: string | undefined
  readonly endDate?: string | undefined
}): { readonly from?: number | undefined; readonly before?: number | undefined } {
  const from = range.startDate === undefined ? undefined : parseDay(range.startDate)
  const last = range.endDate === undefined ? undefined : parseDay(range.endDate)
  return { from, before: last === undefined ? undefined : last + 86_400_000 }
}

/** `YYYY-MM-DDTHH:MM:SS+00:00`, as the contract writes instants. */
export function toTimestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+00:00`
}

/** `YYYY-M-D` in UTC, without zero padding (Specification 2.12). */
export function toUnpaddedDay(ms: number): string {
  const date = new Date(ms)
  return `${date.getUTCFullYear()}-${date.getUTCMonth() + 1}-${date.getUTCDate()}`
}

/** `YYYY-MM-DDTHH:MM:SS.ffffff+00:00` (Specification 2.6 `start_time`). */
export function toPreciseTimestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000+00:00`
}

/** `YYYY-MM-DDTHH:MM:SS` in UTC: the contract's timestamps without an offset. */
export function toPlainTimestamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19)
}

/** `YYYY-MM-DD HH:MM` in UTC (Specification 2.8). */
export function toMinute(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
}

/**
 * Milliseconds since the epoch of a timestamp: a calendar day with `T` or a blank and a time, to the
 * minute, second or a fraction of it, and an offset; UTC without one. Undefined for what is none.
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

/** From the year 1000 on: years of four digits. */
const FIRST_INSTANT = Date.UTC(1000, 0, 1)
/** Milliseconds since the epoch; instants are before it: years have four digits. */
export const END_OF_INSTANTS = Date.UTC(10_000, 0, 1)

/** Milliseconds since the epoch; what a scan tells of is before it: a later clock is wrong. */
export const END_OF_SCANS = Date.UTC(2100, 0, 1)

/** In minutes. */
function parseOffset(text: string): number | undefined {
  if (/^[Zz]$/.test(text)) return 0
  const hours = Number(text.slice(1, 3))
  const minutes = Number(text.slice(-2))
  if (hours > 23 || minutes > 59) return undefined
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
