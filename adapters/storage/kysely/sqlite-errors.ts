import { ServiceError } from '../../../core/errors.ts'
import { createUnavailableError, createUnexpectedError } from './errors.ts'

/** Maximum wait for another process that has locked the database. */
export const WAIT_MS = 10_000

/**
 * Retries with a timer while another process has locked the database, up to the time `until` of
 * `performance.now()`. Calls `onWait` once if that takes more than a second.
 */
export async function retryBusy<T>(
  attempt: () => Promise<T>,
  { until, onWait }: { readonly until: number; readonly onWait?: (() => void) | undefined },
): Promise<T> {
  const startedAt = performance.now()
  let isTold = onWait === undefined
  for (let delay = 1; ; delay = Math.min(delay * 2, LONGEST_DELAY_MS)) {
    try {
      return await attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() + delay > until) throw error
      if (!isTold && performance.now() - startedAt > LONG_WAIT_MS) {
        isTold = true
        onWait?.()
      }
      await new Promise((resolve) => setTimeout(resolve, delay))
    }
  }
}

/** Returns whether another connection has locked the database. */
export function isBusy(error: unknown): boolean {
  const inner = error instanceof ServiceError ? error.cause : error
  return inner instanceof Error && primaryCode(inner) === BUSY
}

/** Converts an error of an SQLite driver to a `ServiceError`. */
export function toSqliteError(error: unknown): unknown {
  if (error instanceof ServiceError || !(error instanceof Error)) return error
  const reason = REASONS.get(primaryCode(error) ?? 0)
  return reason === undefined ? createUnexpectedError(error) : createUnavailableError(reason, error)
}

const LONGEST_DELAY_MS = 25
const LONG_WAIT_MS = 1_000
const BUSY = 5

/** Primary result codes (sqlite.org/rescode.html) that are not caused by the statement. */
const REASONS: ReadonlyMap<number, string> = new Map([
  [BUSY, 'another process has locked the database'],
  [8, 'the database is read-only'],
  [10, 'disk I/O error'],
  [11, 'the database file is corrupt'],
  [13, 'the disk is full'],
  [14, 'the database file cannot be opened'],
  [26, 'the file is not a database'],
])

/**
 * The code is in `errcode` for node:sqlite and in `errno` for bun:sqlite; Deno sometimes only sets
 * the message.
 */
function primaryCode(error: Error): number | undefined {
  const code = 'errcode' in error ? error.errcode : 'errno' in error ? error.errno : undefined
  if (typeof code === 'number') return code & 0xff
  if (error.message.includes('database is locked')) return BUSY
  if (error.message.includes('disk is full')) return 13
  return error.message.includes('unable to open database file') ? 14 : undefined
}
