import { ServiceError } from '../../errors.ts'
import type { VulnerabilityLoads } from '../service.ts'
import { LOAD_LEASE_MS } from '../store.ts'
import type { OnSyncEvent } from './events.ts'
import type { RetryDeps } from './retry.ts'

/** Dependencies and options of every sync. */
export interface SyncOptions extends RetryDeps {
  readonly vulnerabilities: VulnerabilityLoads
  /** Loads even if another loader seems to be alive. */
  readonly takeOver?: boolean | undefined
}

/** An attempt to load. `begin` reports that it has the lease, so it must not be repeated. */
export type LoadAttempt<T> = (begin: () => void) => Promise<T>

/** Another load has changed the checkpoint between its read and the lease: start over. */
export class ChangedCheckpointError extends ServiceError {
  constructor() {
    super('conflict', 'Another load has changed the state of the source')
  }
}

const POLL_MS = 1_000

/**
 * Loads as soon as no other loader is active. Waits until the lease of a dead loader expires.
 * Throws a `ServiceError` with code `conflict` if another loader is alive, or took over.
 */
export async function waitForTurn<T>(
  attempt: LoadAttempt<T>,
  options: Omit<SyncOptions, 'vulnerabilities'>,
): Promise<T> {
  const { clock, sleep, signal, onEvent, takeOver } = options
  const until = clock() + LOAD_LEASE_MS + 3 * POLL_MS
  for (let isFirst = true; ; isFirst = false) {
    let hasBegun = false
    try {
      return await attempt(() => {
        hasBegun = true
      })
    } catch (error) {
      if (error instanceof ChangedCheckpointError && clock() < until) continue
      const isTaken = error instanceof ServiceError && error.code === 'conflict'
      // A loader that takes over does not retry: two of them would never end.
      if (!isTaken || hasBegun || takeOver || clock() >= until) throw error
      if (isFirst) reportWait(until - clock(), onEvent)
      await sleep(POLL_MS, signal)
    }
  }
}

function reportWait(ms: number, onEvent: OnSyncEvent | undefined): void {
  onEvent?.({ kind: 'waiting', ms, reason: 'Another load seems to be running' })
}
