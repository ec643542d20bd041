/** Thresholds and durations of a circuit breaker. */
export interface BreakerLimits {
  /**
   * Failures within the window that open the breaker, if at least half of the ended calls failed.
   */
  readonly failures: number
  readonly windowMs: number
  /** How long the breaker stays open before it lets a trial call through. */
  readonly openMs: number
}

/** Identifies the breaker state in which a call started, so that outdated results are ignored. */
export type BreakerTicket = number

// The window advances in tenths: it counts the last nine to ten of them.
const SLOTS = 10
const PROBE_WAIT_MS = 1000

/**
 * A circuit breaker that blocks calls to a failing origin. (security.md, row 9)
 *
 * Closed: lets all calls through and counts their results. Opens if at least `failures` calls
 * within the window failed and these are at least half of all calls that ended. An origin that
 * serves most calls well therefore stays reachable.
 * Open: blocks all calls. After `openMs` it lets one trial call through. If that call succeeds, the
 * breaker closes and resets its counts. If it fails, the breaker stays open for another `openMs`.
 * If it ends without a result, the next call may try.
 *
 * Results of calls that started before the last state change are ignored.
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
  /** Start of the running trial call, if any. */
  #probeAt: number | undefined

  constructor(limits: BreakerLimits) {
    this.#limits = limits
    this.#slotMs = limits.windowMs / SLOTS
  }

  /** False from the time the breaker opens until a call succeeds. */
  get isClosed(): boolean {
    return this.#openUntil === 0
  }

  /** True if no failure is recorded. */
  isIdle(now: number): boolean {
    if (!this.isClosed) return false
    this.#moveTo(now)
    return sumCounts(this.#bad) === 0
  }

  /** Milliseconds until a call may start; 0 if it may start now. */
  waitMs(now: number): number {
    if (this.#openUntil === 0) return 0
    const leftMs = this.#openUntil - now
    // After the clock was set back, a stale time must not block calls.
    if (leftMs > 0 && leftMs <= this.#limits.openMs) return leftMs
    if (this.#probeAt === undefined) return 0
    const ageMs = now - this.#probeAt
    // A trial call that never reports its end must not block all others.
    const isLost = ageMs < 0 || ageMs >= this.#limits.openMs
    return isLost ? 0 : Math.min(PROBE_WAIT_MS, this.#limits.openMs - ageMs)
  }

  /** Starts a call. Call it only if `waitMs` is 0. */
  enter(now: number): BreakerTicket {
    if (this.#openUntil === 0) return this.#ticket
    this.#probeAt = now
    this.#ticket += 1
    return this.#ticket
  }

  /** Records a successful call. */
  succeeded(ticket: BreakerTicket, now: number): void {
    if (ticket !== this.#ticket) return
    this.#openUntil = 0
    this.#probeAt = undefined
    this.#moveTo(now)
    const index = this.#slot % SLOTS
    this.#good[index] = (this.#good[index] ?? 0) + 1
  }

  /** Records a failed call. */
  failed(ticket: BreakerTicket, now: number): void {
    if (ticket !== this.#ticket) return
    if (this.#openUntil !== 0) {
      this.#open(now)
      return
    }
    this.#moveTo(now)
    const index = this.#slot % SLOTS
    this.#bad[index] = (this.#bad[index] ?? 0) + 1
    const bad = sumCounts(this.#bad)
    if (bad >= this.#limits.failures && bad >= sumCounts(this.#good)) this.#open(now)
  }

  /** Ends a call whose result says nothing about the origin. */
  aborted(ticket: BreakerTicket): void {
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

function sumCounts(counts: Int32Array): number {
  let total = 0
  for (const count of counts) total += count
  return total
}
