/** Milliseconds per unit of time; a month is 30 days, a year 365. */
const UNIT_MS = new Map<string, number>([
  ['ms', 1],
  ['millisecond', 1],
  ['s', 1000],
  ['sec', 1000],
  ['second', 1000],
  ['m', 60_000],
  ['min', 60_000],
  ['minute', 60_000],
  ['h', 3_600_000],
  ['hr', 3_600_000],
  ['hour', 3_600_000],
  ['d', 86_400_000],
  ['day', 86_400_000],
  ['w', 604_800_000],
  ['week', 604_800_000],
  ['month', 2_592_000_000],
  ['year', 31_536_000_000],
])

const OTHER_FORMS = new Map<string, string>([
  ['daily', 'day'],
  ['hourly', 'hour'],
  ['minutely', 'minute'],
  ['monthly', 'month'],
  ['secondly', 'second'],
  ['weekly', 'week'],
  ['yearly', 'year'],
])

const MAX_TEXT = 40
const DURATION = /^(?:per |every |1\/)?(\d{1,9}(?:\.\d{1,3})?)?[ -]?([a-z]{1,12})$/
/** ISO 8601 with one unit: `PT1M`, `P1D`. */
const ISO = /^p(?:(\d{1,9})([dw])|t(\d{1,9})([hms]))$/

/**
 * Converts a unit of time in any spelling to milliseconds: `s`, `Minutes`, `hourly`. Undefined if
 * unknown.
 */
export function parseUnitMs(word: string): number | undefined {
  const plain = word.toLowerCase()
  return UNIT_MS.get(OTHER_FORMS.get(plain) ?? plain) ?? UNIT_MS.get(plain.replace(/s$/, ''))
}

/**
 * Parses a duration to milliseconds: `minute`, `60s`, `15 minutes`, `PT1M`. Undefined if invalid.
 */
export function parseDurationMs(text: string): number | undefined {
  if (text.length > MAX_TEXT) return undefined
  const plain = text.trim().toLowerCase()
  const iso = ISO.exec(plain)
  if (iso) return toDurationMs(iso[1] ?? iso[3], iso[2] ?? iso[4])
  const match = DURATION.exec(plain)
  return match ? toDurationMs(match[1], match[2]) : undefined
}

function toDurationMs(count: string | undefined, unit: string | undefined): number | undefined {
  const unitMs = parseUnitMs(unit ?? '')
  const ms = unitMs === undefined ? 0 : unitMs * Number(count ?? 1)
  return ms > 0 ? ms : undefined
}
