import { ServiceError } from '../http/problems.ts'
import type { Clock, Logger } from '../ports.ts'
import type { Account } from '../shared/account.ts'
import type { CallRecord } from './records.ts'
import type { GatewayStore } from './store.ts'

/** A call with the account whose it was. */
export type AuditRow = CallRecord & { readonly account: Account }

/** Keeps who called what, in batches. */
export interface Audit {
  /** Keeps a call; it is stored within a second. Never throws and never waits. */
  add(row: AuditRow): void
  /** Stores what waits. Resolves when that was tried. */
  flush(): Promise<void>
  /** Starts no timer any more. */
  close(): void
}

const FLUSH_MS = 500
const MAX_BATCH = 2000
/** While the storage does not answer, the oldest rows beyond these are given up. */
const MAX_WAITING = 20_000
const KEPT_MS = 90 * 86_400_000
const SWEEP_MS = 3_600_000
const SWEPT_ROWS = 1000

/**
 * Creates the audit. One timer exists while rows wait; `onTimer` is called with it. Rows older
 * than 90 days are removed, a thousand an hour or, while there are more, with every batch.
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

  /** Stores so many rows of those that wait, in batches. One save runs at a time. */
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
      // A full batch does not wait for the timer; few rows do, as each batch has its price.
      if (waiting.length >= MAX_BATCH && !saving && !isClosed) void save(MAX_BATCH)
      else start()
    },

    async flush() {
      if (timer !== undefined) clearTimeout(timer)
      timer = undefined
      // What came in while others were being saved is not among them.
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
