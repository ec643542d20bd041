const DAY = /^(\d{4})-(\d{2})-(\d{2})$/

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
