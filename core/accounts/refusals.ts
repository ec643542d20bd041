import { getErrorCode } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Account, Caller } from '../shared/account.ts'
import { createBoundedMap } from '../shared/bounded-map.ts'
import type { Page } from '../shared/pages.ts'
import type { AccountStore, KeyRefusal, RefusalRequest } from './store.ts'

/** Records refused calls by key, for the account that owns the key. */
export interface Refusals {
  /** Counts a refusal, which is stored within a second. Never throws or waits. */
  record(refusal: NewRefusal): void
  /** Counts a refusal of a caller; does nothing for a caller without a key. */
  recordCaller(refused: { readonly caller: Caller } & Omit<NewRefusal, 'account' | 'keyId'>): void
  /** Lists the refusals of the last 90 days, newest first, including those not stored yet. */
  list(account: Account, request: RefusalRequest): Promise<Page<KeyRefusal>>
  /** Stores the remaining refusals and stops the timer for good. */
  close(): Promise<void>
}

/** A refusal to be counted. */
export type NewRefusal = Pick<KeyRefusal, 'keyId' | 'operation' | 'reason'> & {
  readonly account: Account
}

type CountedRefusal = KeyRefusal & { readonly account: Account }

const FLUSH_MS = 1000
/** Maximum number of buffered entries; the least recent are dropped. */
const MAX_BUFFERED = 5000
const REFUSAL_RETENTION_MS = 90 * 86_400_000
const SWEEP_MS = 3_600_000
const SWEEP_LIMIT = 1000

/**
 * Creates the recorder. Refusals of the same key, operation and reason share one row with a count,
 * so that refused requests can't fill the storage. A timer runs only while refusals are buffered.
 */
export function createRefusals(deps: {
  readonly store: Pick<AccountStore, 'addRefusals' | 'listRefusals' | 'sweepRefusals'>
  readonly clock: Clock
  readonly logger: Logger
}): Refusals {
  const { store, clock, logger } = deps
  let buffered = createBoundedMap<string, CountedRefusal>(MAX_BUFFERED)
  let timer: ReturnType<typeof setTimeout> | undefined
  let saving = Promise.resolve()
  let sweptAt = Number.NEGATIVE_INFINITY
  let isClosed = false

  async function save(): Promise<void> {
    const rows = [...buffered.entries()].map(([, row]) => row)
    if (rows.length === 0) return
    buffered = createBoundedMap(MAX_BUFFERED)
    try {
      await store.addRefusals(rows)
      const now = clock()
      if (Math.abs(now - sweptAt) < SWEEP_MS) return
      sweptAt = now
      await store.sweepRefusals({ before: now - REFUSAL_RETENTION_MS, limit: SWEEP_LIMIT })
    } catch (error) {
      const reason = getErrorCode(error)
      logger.log('error', 'refusals_not_saved', { refusals: rows.length, reason })
    }
  }

  /** Saves run in sequence: waiting for the last one means waiting for all. */
  function flush(): Promise<void> {
    if (timer !== undefined) clearTimeout(timer)
    timer = undefined
    saving = saving.then(save)
    return saving
  }

  function note({ account, keyId, operation, reason }: NewRefusal): void {
    const name = `${keyId} ${operation} ${reason}`
    const count = (buffered.get(name)?.count ?? 0) + 1
    buffered.set(name, { account, keyId, operation, reason, count, lastAt: clock() })
    if (!isClosed) timer ??= setTimeout(() => void flush(), FLUSH_MS)
  }

  return {
    record: note,

    recordCaller({ caller: { account, keyId }, operation, reason }) {
      if (keyId !== undefined) note({ account, keyId, operation, reason })
    },

    async list(account, request) {
      await flush()
      return store.listRefusals(account, { ...request, since: clock() - REFUSAL_RETENTION_MS })
    },

    async close() {
      isClosed = true
      await flush()
    },
  }
}
