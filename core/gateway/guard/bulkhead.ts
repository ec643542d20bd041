/** How many calls may be under way at the same time. */
export interface BulkheadLimits {
  /** To one origin. */
  readonly perOrigin: number
  /** To all of them. */
  readonly total: number
}

/** The calls to one origin that are under way. */
export interface OriginPlaces {
  inFlight: number
}

/**
 * Bounds the calls under way, so that a target that stalls holds up neither the others nor this
 * service. What is over the bound is refused at once: nothing waits in a queue. (security.md, row 9)
 */
export class Bulkhead {
  readonly #limits: BulkheadLimits
  #inFlight = 0

  constructor(limits: BulkheadLimits) {
    this.#limits = limits
  }

  /** Calls under way. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** What has no place left for a call: its origin, or the service. Undefined when it may go. */
  fullness(places: OriginPlaces): 'origin' | 'service' | undefined {
    if (places.inFlight >= this.#limits.perOrigin) return 'origin'
    return this.#inFlight >= this.#limits.total ? 'service' : undefined
  }

  /** Takes a place; only when there is one. */
  enter(places: OriginPlaces): void {
    places.inFlight += 1
    this.#inFlight += 1
  }

  /** Gives a place back; once for each that was taken. */
  leave(places: OriginPlaces): void {
    places.inFlight -= 1
    this.#inFlight -= 1
  }
}
