import { isDay } from '../../shared/dates.ts'

/**
 * Parses an ISO 8601 date and time to milliseconds since the epoch. Seconds, fraction and offset
 * are optional; the default offset is UTC. Undefined if invalid.
 */
export function parseTimestamp(text: string): number | undefined {
  const match = TIMESTAMP.exec(text)
  if (!match || !isDay(text.slice(0, 10))) return undefined
  const [, minutes = '', seconds = ':00', fraction = '', offset = 'Z'] = match
  const ms = Date.parse(minutes + seconds + fraction.slice(0, 4) + offset)
  return Number.isNaN(ms) ? undefined : ms
}

const TIMESTAMP =
  /^(\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d)(?:(:[0-5]\d)(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/
