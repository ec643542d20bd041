import { isDay } from '../../shared/dates.ts'

/**
 * Milliseconds since the epoch of an ISO 8601 date and time, whose seconds, fraction and offset may
 * be missing: without offset it is UTC. Undefined for what is none.
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
