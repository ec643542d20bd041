import { ServiceError } from '../http/problems.ts'
import type { Clock, Logger } from '../ports.ts'
import type { Account, Caller } from '../shared/account.ts'
import { createBoundedMap } from '../shared/bounded-map.ts'
import type { Page } from '../shared/pages.ts'
import type { AccountStore, KeyRefusal, RefusalRequest } from './store.ts'

/** Keeps what was refused to keys, for those whose keys they are. */
export interface Refusals {
  /** Counts a refusal; it is stored within a second. Never throws and never waits. */
  note(refusal: NewRefusal): void
  /** Likewise, of a caller; nothing where it came without a key. */
  noteCaller(refused: { readonly caller: Caller } & Omit<NewRefusal, 'account' | 'keyId'>): void
  /** Of the last 90 days, the latest first, those included that wait to be stored. */
  list(account: Account, request: RefusalRequest): Promise<Page<KeyRefusal>>
  /** Stores what waits; no timer is started any more. */
  close(): Promise<void>
}

/** A call that was refused just now. */
export type NewRefusal = Pick<KeyRefusal, 'keyId' | 'operation' | 'reason'> & {
  readonly account: Account
}

type Counted = KeyRefusal & { readonly account: Account }

const FLUSH_MS = 1000
/** Kinds of refusals that wait to be stored; the ones longest not seen are given up. */
const MAX_WAITING = 5000
const KEPT_MS = 90 * 86_400_000
const SWEEP_MS = 3_600_000
const SWEPT_ROWS = 1000

/**
 * Creates it. Refusals of one key, operation and reason are one row with their number, so that
 * nobody fills the storage by asking for what is refused. One timer exists while some wait.
 */
export function createRefusals(deps: {
  readonly store: Pick<AccountStore, 'addRefusals' | 'listRefusals' | 'sweepRefusals'>
  readonly clock: Clock
  readonly logger: Logger
}): Refusals {
  const { store, clock, logger } = deps
  let waiting = createBoundedMap<string, Counted>(MAX_WAITING)
  let timer: ReturnType<typeof setTimeout> | undefined
  let saving = Promise.resolve()
  let sweptAt = Number.NEGATIVE_INFINITY
  let isClosed = false

  async function save(): Promise<void> {
    const rows = [...waiting.entries()].map(([, row]) => row)
    if (rows.length === 0) return
    waiting = createBoundedMap(MAX_WAITING)
    try {
      await store.addRefusals(rows)
      const now = clock()
      if (Math.abs(now - sweptAt) < SWEEP_MS) return
      sweptAt = now
      await store.sweepRefusals({ before: now - KEPT_MS, limit: SWEPT_ROWS })
    } catch (error) {
      const reason = error instanceof ServiceError ? error.code : 'unknown'
      logger.log('error', 'refusals_not_saved', { refusals: rows.length, reason })
    }
  }

  /** One after the other, so that whoever waits for the last has waited for all. */
  function flush(): Promise<void> {
    if (timer !== undefined) clearTimeout(timer)
    timer = undefined
    saving = saving.then(save)
    return saving
  }

  function note({ account, keyId, operation, reason }: NewRefusal): void {
    const name = `${keyId} ${operation} ${reason}`
    const count = (waiting.get(name)?.count ?? 0) + 1
    waiting.set(name, { account, keyId, operation, reason, count, lastAt: clock() })
    if (!isClosed) timer ??= setTimeout(() => void flush(), FLUSH_MS)
  }

  return {
    note,

    noteCaller({ caller: { account, keyId }, operation, reason }) {
      if (keyId !== undefined) note({ account, keyId, operation, reason })
    },

    async list(account, request) {
      await flush()
      return store.listRefusals(account, { ...request, since: clock() - KEPT_MS })
    },

    async close() {
      isClosed = true
      await flush()
    },
  }
}
