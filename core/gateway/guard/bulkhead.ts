/** Limits on the number of concurrent calls. */
export interface BulkheadLimits {
  /** Maximum for one origin. */
  readonly perOrigin: number
  /** Maximum for all origins together. */
  readonly total: number
}

/** A counter of calls in flight. */
export interface CallCounter {
  inFlight: number
}

/** The counters that a call belongs to. */
export interface CallCounters {
  /** All calls to the origin. */
  readonly origin: CallCounter
  /** The account's calls to the origin. */
  readonly own: CallCounter
  readonly accountId: string
}

/** Which limit is reached: for all accounts, or for the own account. */
export type ExceededLimit = 'origin' | 'service' | 'own_origin' | 'own_service'

/**
 * Limits concurrent calls, so that a stalled target blocks neither other targets nor this service.
 * One account can use at most three quarters of an origin's slots and half of all slots. Calls
 * above a limit are rejected at once: there is no queue. (security.md, row 9)
 */
export class Bulkhead {
  readonly #limits: BulkheadLimits
  readonly #ownLimits: BulkheadLimits
  #inFlight = 0
  readonly #byAccount = new Map<string, number>()

  constructor(limits: BulkheadLimits) {
    this.#limits = limits
    this.#ownLimits = {
      perOrigin: Math.max(1, Math.ceil(limits.perOrigin * 0.75)),
      total: Math.max(1, Math.ceil(limits.total / 2)),
    }
  }

  /** Calls in flight. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** Returns the limit that is reached; undefined if the call may start. */
  findExceededLimit({ origin, own, accountId }: CallCounters): ExceededLimit | undefined {
    if (own.inFlight >= this.#ownLimits.perOrigin) return 'own_origin'
    if (origin.inFlight >= this.#limits.perOrigin) return 'origin'
    if ((this.#byAccount.get(accountId) ?? 0) >= this.#ownLimits.total) return 'own_service'
    return this.#inFlight >= this.#limits.total ? 'service' : undefined
  }

  /** Acquires a slot. Call it only if `findExceededLimit` returns undefined. */
  enter(places: CallCounters): void {
    this.#add(places, 1)
  }

  /** Releases a slot. Call it once per acquired slot. */
  leave(places: CallCounters): void {
    this.#add(places, -1)
  }

  #add({ origin, own, accountId }: CallCounters, count: 1 | -1): void {
    origin.inFlight += count
    own.inFlight += count
    this.#inFlight += count
    const left = (this.#byAccount.get(accountId) ?? 0) + count
    if (left > 0) this.#byAccount.set(accountId, left)
    else this.#byAccount.delete(accountId)
  }
}
