/** How many calls may be under way at the same time. */
export interface BulkheadLimits {
  /** To one origin. */
  readonly perOrigin: number
  /** To all of them. */
  readonly total: number
}

/** Calls under way, as many as a bound is for. */
export interface Places {
  inFlight: number
}

/** Where a call goes, and whose it is. */
export interface CallPlaces {
  /** Of all calls to the origin. */
  readonly origin: Places
  /** Of those that are the account's. */
  readonly own: Places
  readonly accountId: string
}

/** What has no place left for a call: of all, or of those that one account may have. */
export type Fullness = 'origin' | 'service' | 'own_origin' | 'own_service'

/**
 * Bounds the calls under way, so that a target that stalls holds up neither the others nor this
 * service, nor one account the others: it has at most three quarters of an origin's places and half
 * of all. What is over a bound is refused at once: nothing waits in a queue. (security.md, row 9)
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

  /** Calls under way. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** Undefined when a call may go. */
  fullness({ origin, own, accountId }: CallPlaces): Fullness | undefined {
    if (own.inFlight >= this.#ownLimits.perOrigin) return 'own_origin'
    if (origin.inFlight >= this.#limits.perOrigin) return 'origin'
    if ((this.#byAccount.get(accountId) ?? 0) >= this.#ownLimits.total) return 'own_service'
    return this.#inFlight >= this.#limits.total ? 'service' : undefined
  }

  /** Takes a place; only when there is one. */
  enter(places: CallPlaces): void {
    this.#add(places, 1)
  }

  /** Gives a place back; once for each that was taken. */
  leave(places: CallPlaces): void {
    this.#add(places, -1)
  }

  #add({ origin, own, accountId }: CallPlaces, count: 1 | -1): void {
    origin.inFlight += count
    own.inFlight += count
    this.#inFlight += count
    const left = (this.#byAccount.get(accountId) ?? 0) + count
    if (left > 0) this.#byAccount.set(accountId, left)
    else this.#byAccount.delete(accountId)
  }
}
