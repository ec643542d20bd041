/** When a breaker opens, and for how long. */
export interface BreakerLimits {
  /** Failures within the window that open it, when at least as many calls failed as went well. */
  readonly failures: number
  readonly windowMs: number
  /** How long it stays open before one call may try. */
  readonly openMs: number
}

/** What of a breaker a call must show when it ends, so that late news change nothing. */
export type BreakerTicket = number

// The window moves in tenths: it counts the last nine to ten of them.
const SLOTS = 10
const PROBE_WAIT_MS = 1000

/**
 * Keeps calls away from an origin that fails. Closed, it lets all calls through and counts how they
 * end. It opens when enough of those that ended within the window failed, and at least half of them:
 * an origin that serves many calls well is not closed to all for the few that fail. Open, it refuses
 * all. After `openMs` it lets one call through: when that one fails it stays open for as long again,
 * when it goes well it closes and forgets, and when it ends without either the next call may try.
 * Calls that were let in before the last of these changes say nothing any more. (security.md, row 9)
 */
export class Breaker {
  readonly #limits: BreakerLimits
  readonly #slotMs: number
  readonly #good = new Int32Array(SLOTS)
  readonly #bad = new Int32Array(SLOTS)
  #slot = 0
  #ticket: BreakerTicket = 0
  /** 0 while closed. */
  #openUntil = 0
  /** When the call that tries was let in; undefined when there is none. */
  #probeAt: number | undefined

  constructor(limits: BreakerLimits) {
    this.#limits = limits
    this.#slotMs = limits.windowMs / SLOTS
  }

  /** False from when enough calls failed until a call went well. */
  get isClosed(): boolean {
    return this.#openUntil === 0
  }

  /** True when it remembers nothing. */
  isIdle(now: number): boolean {
    if (!this.isClosed) return false
    this.#moveTo(now)
    return sum(this.#bad) === 0
  }

  /** Milliseconds until a call may be let in; 0 when one may be now. */
  waitMs(now: number): number {
    if (this.#openUntil === 0) return 0
    const leftMs = this.#openUntil - now
    // A clock that was set back must not keep calls away until it has caught up.
    if (leftMs > 0 && leftMs <= this.#limits.openMs) return leftMs
    if (this.#probeAt === undefined) return 0
    const ageMs = now - this.#probeAt
    // One that never tells how it ended must not keep all others away.
    const isLost = ageMs < 0 || ageMs >= this.#limits.openMs
    return isLost ? 0 : Math.min(PROBE_WAIT_MS, this.#limits.openMs - ageMs)
  }

  /** Lets a call in; only when `waitMs` is 0. */
  enter(now: number): BreakerTicket {
    if (this.#openUntil === 0) return this.#ticket
    this.#probeAt = now
    this.#ticket += 1
    return this.#ticket
  }

  /** Tells that a call went well. */
  succeeded(ticket: BreakerTicket, now: number): void {
    if (ticket !== this.#ticket) return
    this.#openUntil = 0
    this.#probeAt = undefined
    this.#moveTo(now)
    const index = this.#slot % SLOTS
    this.#good[index] = (this.#good[index] ?? 0) + 1
  }

  /** Tells that a call failed. */
  failed(ticket: BreakerTicket, now: number): void {
    if (ticket !== this.#ticket) return
    if (this.#openUntil !== 0) {
      this.#open(now)
      return
    }
    this.#moveTo(now)
    const index = this.#slot % SLOTS
    this.#bad[index] = (this.#bad[index] ?? 0) + 1
    const bad = sum(this.#bad)
    if (bad >= this.#limits.failures && bad >= sum(this.#good)) this.#open(now)
  }

  /** Tells that a call ended without saying anything of its origin. */
  dropped(ticket: BreakerTicket): void {
    if (ticket === this.#ticket) this.#probeAt = undefined
  }

  #open(now: number): void {
    this.#openUntil = now + this.#limits.openMs
    this.#probeAt = undefined
    this.#ticket += 1
    this.#forget()
  }

  #moveTo(now: number): void {
    const slot = Math.floor(now / this.#slotMs)
    const steps = slot - this.#slot
    if (steps === 0) return
    if (steps < 0 || steps >= SLOTS) this.#forget()
    else {
      for (let each = this.#slot + 1; each <= slot; each += 1) {
        this.#good[each % SLOTS] = 0
        this.#bad[each % SLOTS] = 0
      }
    }
    this.#slot = slot
  }

  #forget(): void {
    this.#good.fill(0)
    this.#bad.fill(0)
  }
}

function sum(counts: Int32Array): number {
  let total = 0
  for (const count of counts) total += count
  return total
}
