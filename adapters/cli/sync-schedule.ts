import { createHmac } from 'node:crypto'
import { Cron } from 'croner'
import { UsageError } from './errors.ts'

/** When `serve` syncs vulnerability data. */
export interface SyncSchedule {
  /** Five cron fields, in UTC. */
  readonly expression: string
  /**
   * Returns the first start after `from`, in milliseconds since the epoch; undefined if there is
   * none.
   */
  readonly nextRun: (from: number) => number | undefined
}

/** Sources publish at most a few times a day. */
const MIN_INTERVAL_MS = 3_600_000
/** Number of starts that are checked for their distance: all of a day, and those of most weeks. */
const CHECKED_STARTS = 30
const MINUTES_PER_DAY = 1440

/**
 * Parses `daily` or a cron expression in UTC. The minute of `daily` is derived from the secret: it
 * is the same for all servers of a database and after each restart, and differs between
 * installations. Throws a `UsageError` if the text is invalid or starts would be less than an hour
 * apart.
 */
export function parseSyncSchedule(text: string, secret: Uint8Array): SyncSchedule {
  const expression = text === 'daily' ? toDailyExpression(secret) : text.trim()
  const cron = parseCron(expression)
  const nextRun = (from: number) => cron.nextRun(new Date(from))?.getTime()
  rejectFrequentStarts(text, nextRun)
  return { expression, nextRun }
}

function toDailyExpression(secret: Uint8Array): string {
  const digest = createHmac('sha256', secret).update('minute of the daily sync').digest()
  const minute = digest.readUInt32BE(0) % MINUTES_PER_DAY
  return `${minute % 60} ${Math.floor(minute / 60)} * * *`
}

/** Croner itself also accepts seconds, years and names such as `@hourly`. */
function parseCron(expression: string): Cron {
  if (expression.split(/\s+/).length !== 5) {
    throw createScheduleError(expression, 'it must be "daily" or five cron fields')
  }
  try {
    return new Cron(expression, { paused: true, timezone: 'UTC' })
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'invalid'
    throw createScheduleError(expression, reason)
  }
}

function rejectFrequentStarts(text: string, nextRun: SyncSchedule['nextRun']): void {
  let last = nextRun(Date.now())
  if (last === undefined) throw createScheduleError(text, 'it has no start')
  for (let count = 0; count < CHECKED_STARTS; count += 1) {
    const next = nextRun(last)
    if (next === undefined) return
    if (next - last < MIN_INTERVAL_MS) {
      throw createScheduleError(text, 'starts must be at least an hour apart')
    }
    last = next
  }
}

function createScheduleError(text: string, reason: string): UsageError {
  return new UsageError(`Cannot schedule syncs by "${text}": ${reason}`)
}
