import { hash53 } from '../../shared/ids.ts'
import type { VulnerabilitySyncOptions } from './options.ts'
import type { SyncRun } from './sync-history.ts'

/** Delay before the first retry, in milliseconds; each further one doubles it. */
const FIRST_DELAY_MS = 5 * 60_000
/** Retries after a failed regular run: about five hours. The next regular run follows. */
const MAX_RETRIES = 6
/** Delay in milliseconds while another process is loading. */
const BUSY_DELAY_MS = 10 * 60_000

/**
 * Plans the next run from the ended runs, newest first; undefined if there is none. The result may
 * be in the past: the run is due then, also after a restart.
 *
 * - After a success: the first regular start after the start of that run.
 * - After a failure: a delay that doubles from 5 to 160 minutes, with jitter of up to half, but not
 *   later than the next regular start. After six retries, the next regular start.
 * - Without any success: now.
 */
export function planRun(
  runs: readonly SyncRun[],
  { now, nextRun }: { readonly now: number } & Pick<VulnerabilitySyncOptions, 'nextRun'>,
): number | undefined {
  const [newest] = runs
  if (newest?.endedAt === undefined) return now
  // A run in the future started before the clock was set back.
  const startedAt = Math.min(newest.startedAt, now)
  const endedAt = Math.min(newest.endedAt, now)
  if (newest.state !== 'failed') {
    const isBusy = newest.results.some(({ state }) => state === 'busy')
    if (!isBusy) return nextRun(startedAt)
    return findEarlier(endedAt + addJitter(BUSY_DELAY_MS, newest), nextRun(endedAt))
  }
  const retry = countFailures(runs) % (MAX_RETRIES + 1)
  const regularAt = nextRun(endedAt)
  if (retry === 0) return regularAt
  return findEarlier(endedAt + addJitter(FIRST_DELAY_MS * 2 ** (retry - 1), newest), regularAt)
}

/** Counts the failed runs since the last other one. */
function countFailures(runs: readonly SyncRun[]): number {
  const count = runs.findIndex(({ state }) => state !== 'failed')
  return count === -1 ? runs.length : count
}

/** Varies a delay by the run, so that servers of one database agree and others differ. */
function addJitter(ms: number, { id, endedAt }: SyncRun): number {
  return Math.round(ms * (0.5 + (hash53(`${id} ${endedAt}`) % 1000) / 2000))
}

function findEarlier(at: number, other: number | undefined): number {
  return other === undefined ? at : Math.min(at, other)
}
