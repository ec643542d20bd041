import { ServiceError } from '../../http/problems.ts'
import type { VulnerabilityLoads } from '../service.ts'
import { LOAD_LEASE_MS } from '../store.ts'
import type { OnSyncEvent } from './events.ts'
import type { RetryDeps } from './retry.ts'

/** What every sync needs and may be told. */
export interface SyncOptions extends RetryDeps {
  readonly vulnerabilities: VulnerabilityLoads
  /** Loads although another loader seems to be alive. */
  readonly takeOver?: boolean | undefined
}

/** One attempt of a load; `begin` tells that it got its turn and cannot be attempted again. */
export type LoadAttempt<T> = (begin: () => void) => Promise<T>

const POLL_MS = 1_000

/**
 * Loads as soon as no other loader does. One that died is waited for until that is certain; throws
 * a `ServiceError` with code `conflict` when another one lives, or took over.
 */
export async function takeTurn<T>(attempt: LoadAttempt<T>, options: SyncOptions): Promise<T> {
  const { clock, sleep, signal, onEvent, takeOver } = options
  const until = clock() + LOAD_LEASE_MS + 3 * POLL_MS
  for (let isFirst = true; ; isFirst = false) {
    let hasBegun = false
    try {
      return await attempt(() => {
        hasBegun = true
      })
    } catch (error) {
      const isTaken = error instanceof ServiceError && error.code === 'conflict'
      // Who took over was asked to: two that take over would never end.
      if (!isTaken || hasBegun || takeOver || clock() >= until) throw error
      if (isFirst) tellOfWaiting(until - clock(), onEvent)
      await sleep(POLL_MS, signal)
    }
  }
}

function tellOfWaiting(ms: number, onEvent: OnSyncEvent | undefined): void {
  onEvent?.({ kind: 'waiting', ms, reason: 'Another load seems to be under way' })
}
