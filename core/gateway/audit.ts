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
}

const FLUSH_MS = 500
const MAX_BATCH = 500
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

  function start(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      void Promise.all([flush(), onTimer?.()])
    }, FLUSH_MS)
  }

  function flush(): Promise<void> {
    saving ??= save().finally(() => {
      saving = undefined
    })
    return saving
  }

  async function save(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, MAX_BATCH)
        await store.saveCalls(batch)
        waiting = waiting.slice(batch.length)
      }
      await sweep()
    } catch (error) {
      const reason = error instanceof ServiceError ? error.code : 'unknown'
      logger.log('error', 'calls_not_saved', { calls: waiting.length, reason })
      if (waiting.length > 0) start()
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
      // A full batch does not wait for the timer, unless one is being saved already.
      if (waiting.length >= MAX_BATCH && !saving) void flush()
      else start()
    },
    async flush() {
      if (timer !== undefined) clearTimeout(timer)
      timer = undefined
      // What came in while a batch was being saved is not in it.
      if (saving) await saving
      await flush()
    },
  }
}
