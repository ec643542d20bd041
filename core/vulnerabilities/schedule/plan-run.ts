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
  const failures = countFailures(runs, nextRun)
  const regularAt = nextRun(endedAt)
  if (failures > MAX_RETRIES) return regularAt
  return findEarlier(endedAt + addJitter(FIRST_DELAY_MS * 2 ** (failures - 1), newest), regularAt)
}

/** Counts the failed runs since the last other one, at most from the last regular start on. */
function countFailures(
  runs: readonly SyncRun[],
  nextRun: VulnerabilitySyncOptions['nextRun'],
): number {
  let count = 0
  for (const [index, { state, startedAt }] of runs.entries()) {
    if (state !== 'failed') break
    count += 1
    const endedBefore = runs[index + 1]?.endedAt
    const regularAt = endedBefore === undefined ? undefined : nextRun(endedBefore)
    if (regularAt !== undefined && regularAt <= startedAt) break
  }
  return count
}

/** Varies a delay by the run, so that servers of one database agree and others differ. */
function addJitter(ms: number, { id, endedAt }: SyncRun): number {
  return Math.round(ms * (0.5 + (hash53(`${id} ${endedAt}`) % 1000) / 2000))
}

function findEarlier(at: number, other: number | undefined): number {
  return other === undefined ? at : Math.min(at, other)
}
