import { getErrorCode } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { ScanStore } from './store.ts'

/** Removes expired rows without timers: runs as part of reads and writes of scans. */
export interface ScanSweeper {
  /**
   * Removes a limited number of rows, if an hour has passed or more removals are due. Never throws.
   */
  sweep(): Promise<void>
  /** Makes the next `sweep` run. */
  markDue(): void
}

/** Creates the sweeper. Without `keepMs`, scans don't expire. */
export function createScanSweeper(deps: {
  readonly store: Pick<ScanStore, 'sweep'>
  readonly clock: Clock
  readonly logger: Logger
  /** Retention after the last addition to a scan, in milliseconds. */
  readonly keepMs: number | undefined
}): ScanSweeper {
  const { store, clock, logger, keepMs } = deps
  let sweptAt = Number.NEGATIVE_INFINITY
  let isDue = false
  let running: Promise<void> | undefined

  async function runSweep(now: number): Promise<void> {
    sweptAt = now
    isDue = false
    try {
      const removed = await store.sweep({
        staleBefore: now - STALE_MS,
        keptSince: keepMs === undefined ? undefined : now - keepMs,
        limit: ROWS_PER_SWEEP,
      })
      if (removed >= ROWS_PER_SWEEP) isDue = true
    } catch (error) {
      logger.log('error', 'scans_not_swept', { reason: getErrorCode(error) })
    }
  }

  return {
    async sweep() {
      const now = clock()
      const isTime = now - sweptAt >= SWEEP_MS || now < sweptAt
      if (!running && !isDue && !isTime) return
      running ??= runSweep(now).finally(() => {
        running = undefined
      })
      await running
    },
    markDue() {
      isDue = true
    },
  }
}

/** An upload without progress for this long is abandoned. */
const STALE_MS = 3_600_000
const SWEEP_MS = 3_600_000
const ROWS_PER_SWEEP = 10_000
