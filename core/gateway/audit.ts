import { getErrorCode } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Account } from '../shared/account.ts'
import type { CallRecord } from './records.ts'
import type { GatewayStore } from './store.ts'

/** A call with its account. */
export type AuditRow = CallRecord & { readonly account: Account }

/** Stores a record of every call, in batches. */
export interface Audit {
  /** Adds a call, which is stored within a second. Never throws or waits. */
  add(row: AuditRow): void
  /** Stores the buffered rows. Resolves after the attempt, also if it fails. */
  flush(): Promise<void>
  /** Stops the timer for good. */
  close(): void
}

const FLUSH_MS = 500
const MAX_BATCH = 2000
/** If storing fails, the oldest rows beyond this number are dropped. */
const MAX_BUFFERED = 20_000
const AUDIT_RETENTION_MS = 90 * 86_400_000
const SWEEP_MS = 3_600_000
const SWEEP_LIMIT = 1000

/**
 * Creates the audit. A timer runs only while rows are buffered; it also calls `onTimer`. Rows older
 * than 90 days are removed, a thousand per hour; with every batch if more are due.
 */
export function createAudit(deps: {
  readonly store: Pick<GatewayStore, 'saveCalls' | 'sweepCalls'>
  readonly clock: Clock
  readonly logger: Logger
  readonly onTimer?: () => Promise<void>
}): Audit {
  const { store, clock, logger, onTimer } = deps
  let buffered: AuditRow[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let saving: Promise<void> | undefined
  let sweptAt = Number.NEGATIVE_INFINITY
  let isSweepDue = false
  let isClosed = false

  function startTimer(): void {
    if (isClosed) return
    timer ??= setTimeout(() => {
      timer = undefined
      void Promise.all([saveBuffered(buffered.length), onTimer?.()])
    }, FLUSH_MS)
  }

  /** Stores up to `rows` buffered rows, in batches. Only one save runs at a time. */
  function saveBuffered(rows: number): Promise<void> {
    saving ??= saveBatches(rows).finally(() => {
      saving = undefined
      if (buffered.length > 0) startTimer()
    })
    return saving
  }

  async function saveBatches(rows: number): Promise<void> {
    try {
      for (let left = rows; left > 0; left -= MAX_BATCH) {
        const batch = buffered.slice(0, Math.min(left, MAX_BATCH))
        await store.saveCalls(batch)
        buffered = buffered.slice(batch.length)
      }
      await sweep()
    } catch (error) {
      const reason = getErrorCode(error)
      logger.log('error', 'calls_not_saved', { calls: buffered.length, reason })
    }
  }

  async function sweep(): Promise<void> {
    const now = clock()
    if (!isSweepDue && now - sweptAt < SWEEP_MS) return
    sweptAt = now
    const removed = await store.sweepCalls({ before: now - AUDIT_RETENTION_MS, limit: SWEEP_LIMIT })
    isSweepDue = removed >= SWEEP_LIMIT
  }

  return {
    add(row) {
      buffered.push(row)
      if (buffered.length > MAX_BUFFERED) {
        const dropped = buffered.length - MAX_BUFFERED / 2
        buffered = buffered.slice(dropped)
        logger.log('error', 'calls_given_up', { calls: dropped })
      }
      // A full batch is stored at once. Fewer rows wait for the timer, as each batch has a cost.
      if (buffered.length >= MAX_BATCH && !saving && !isClosed) void saveBuffered(MAX_BATCH)
      else startTimer()
    },

    async flush() {
      if (timer !== undefined) clearTimeout(timer)
      timer = undefined
      // The running save does not include rows that were added since it started.
      if (saving) await saving
      await saveBuffered(buffered.length)
    },

    close() {
      isClosed = true
      if (timer !== undefined) clearTimeout(timer)
      timer = undefined
    },
  }
}
