import { ServiceError } from '../http/problems.ts'
import type { Clock, Logger } from '../ports.ts'
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
const MAX_WAITING = 20_000
const KEPT_MS = 90 * 86_400_000
const SWEEP_MS = 3_600_000
const SWEPT_ROWS = 1000

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
  let waiting: AuditRow[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let saving: Promise<void> | undefined
  let sweptAt = Number.NEGATIVE_INFINITY
  let isSweepDue = false
  let isClosed = false

  function start(): void {
    if (isClosed) return
    timer ??= setTimeout(() => {
      timer = undefined
      void Promise.all([save(waiting.length), onTimer?.()])
    }, FLUSH_MS)
  }

  /** Stores up to `rows` buffered rows, in batches. Only one save runs at a time. */
  function save(rows: number): Promise<void> {
    saving ??= saveBatches(rows).finally(() => {
      saving = undefined
      if (waiting.length > 0) start()
    })
    return saving
  }

  async function saveBatches(rows: number): Promise<void> {
    try {
      for (let left = rows; left > 0; left -= MAX_BATCH) {
        const batch = waiting.slice(0, Math.min(left, MAX_BATCH))
        await store.saveCalls(batch)
        waiting = waiting.slice(batch.length)
      }
      await sweep()
    } catch (error) {
      const reason = error instanceof ServiceError ? error.code : 'unknown'
      logger.log('error', 'calls_not_saved', { calls: waiting.length, reason })
    }
  }

  async function sweep(): Promise<void> {
    const now = clock()
    if (!isSweepDue && now - sweptAt < SWEEP_MS) return
    sweptAt = now
    const removed = await store.sweepCalls({ before: now - KEPT_MS, limit: SWEPT_ROWS })
    isSweepDue = removed >= SWEPT_ROWS
  }

  return {
    add(row) {
      waiting.push(row)
      if (waiting.length > MAX_WAITING) {
        const given = waiting.length - MAX_WAITING / 2
        waiting = waiting.slice(given)
        logger.log('error', 'calls_given_up', { calls: given })
      }
      // A full batch is stored at once. Fewer rows wait for the timer, as each batch has a cost.
      if (waiting.length >= MAX_BATCH && !saving && !isClosed) void save(MAX_BATCH)
      else start()
    },

    async flush() {
      if (timer !== undefined) clearTimeout(timer)
      timer = undefined
      // The running save does not include rows that were added since it started.
      if (saving) await saving
      await save(waiting.length)
    },

    close() {
      isClosed = true
      if (timer !== undefined) clearTimeout(timer)
      timer = undefined
    },
  }
}
