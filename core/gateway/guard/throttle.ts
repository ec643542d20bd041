import type { RateHints, RateQuota } from '../../egress/rate-headers.ts'
import { MAX_WAIT_MS } from '../../egress/rate-values.ts'

/** What a call must show when it ends: how many had ended, and how many silently, before it. */
export interface ThrottleTicket {
  enteredAt: number
  ended: number
  silent: number
}

/** A limit as it was told last, and what is left of it. */
interface Quota {
  readonly name: string
  /** Calls that may still be let in; never more than the target has left. */
  left: number
  /** When there are more at the latest, and at the earliest: an answer takes its time. */
  readonly resetAt: number
  readonly earliestResetAt: number
  /** What the target told, and how many calls had ended by then. */
  readonly told: number
  readonly toldEnded: number
  /** How many calls had ended when it was told first, and how many have told of it. */
  readonly learnedEnded: number
  tells: number
}

const MAX_QUOTAS = 8

/** Targets tell whole seconds. */
const ROUNDING_MS = 1000

/**
 * What one account has learned of how much it may call one origin. Refuses calls for as long as the
 * target asked for, and those that its limits have nothing left for.
 *
 * A target tells what was left when it counted one of our calls, and we can't see whether it had
 * counted the others that were under way. So what it tells is lowered by those that still are, and
 * by those that ended meanwhile without telling; every call that is let in lowers it by one; and what
 * a call tells that was counted before another that has told already only takes that call out of the
 * ones under way. So within a window the target is never called more than it said, as far as our
 * calls go, and once none is under way what is left is exactly what it told last.
 */
export class Throttle {
  #inFlight = 0
  #ended = 0
  #silent = 0
  #blockedUntil = 0
  #quotas: Quota[] = []

  /** Calls that were let in and of which nothing has been told yet. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** True when no limit is known. */
  isIdle(now: number): boolean {
    this.#expire(now)
    return this.#inFlight === 0 && this.#blockedUntil === 0 && this.#quotas.length === 0
  }

  /** Milliseconds until a call may be let in; 0 when one may be now. */
  waitMs(now: number): number {
    if (this.#blockedUntil === 0 && this.#quotas.length === 0) return 0
    this.#expire(now)
    let until = this.#blockedUntil
    for (const { left, resetAt } of this.#quotas) if (left < 1 && resetAt > until) until = resetAt
    return until === 0 ? 0 : until - now
  }

  /** Lets a call in; only when `waitMs` is 0. Writes into `ticket` what it must show later. */
  enter(ticket: ThrottleTicket, now: number): void {
    ticket.enteredAt = now
    ticket.ended = this.#ended
    ticket.silent = this.#silent
    this.#inFlight += 1
    for (const quota of this.#quotas) quota.left -= 1
  }

  /** Takes in what an answer told; undefined when that was nothing. */
  answered(
    ticket: ThrottleTicket,
    news: { readonly hints: RateHints | undefined; readonly now: number },
  ): void {
    const { hints, now } = news
    this.#inFlight -= 1
    this.#ended += 1
    if (!hints) {
      this.#silent += 1
      return
    }
    if (hints.retryAfterMs !== undefined) {
      this.#blockedUntil = Math.max(this.#blockedUntil, now + hints.retryAfterMs)
      this.#quotas = []
      this.#silent += 1
      return
    }
    this.#expire(now)
    const isWhole = this.#quotas.every(({ name }) =>
      hints.quotas.some((each) => each.name === name),
    )
    for (const told of hints.quotas) this.#learn(told, { ticket, now })
    if (!isWhole) this.#silent += 1
  }

  /** Tells that a call ended without an answer. */
  dropped(): void {
    this.#inFlight -= 1
    this.#ended += 1
    this.#silent += 1
  }

  #learn(
    { name, remaining, waitMs }: RateQuota,
    { ticket, now }: { readonly ticket: ThrottleTicket; readonly now: number },
  ): void {
    const known = this.#quotas.find((each) => each.name === name)
    const isOverlapped = known !== undefined && ticket.ended < known.toldEnded
    if (known) known.tells += 1
    if (isOverlapped && ticket.enteredAt + waitMs <= known.resetAt + ROUNDING_MS) {
      if (remaining > known.told) {
        known.left += 1
        return
      }
      // It is of a window that has ended: what is known is newer.
      if (now + waitMs + ROUNDING_MS < known.earliestResetAt) return
    }
    const { learnedEnded, tells } = known ?? { learnedEnded: this.#ended, tells: 1 }
    const wasKnown = ticket.ended >= learnedEnded
    const silent = wasKnown ? this.#silent - ticket.silent : this.#ended - ticket.ended - tells
    const quota: Quota = {
      name,
      left: remaining - this.#inFlight - silent,
      resetAt: now + waitMs,
      earliestResetAt: ticket.enteredAt + waitMs,
      told: remaining,
      toldEnded: this.#ended,
      learnedEnded,
      tells,
    }
    if (known) this.#quotas[this.#quotas.indexOf(known)] = quota
    else if (this.#quotas.length < MAX_QUOTAS) this.#quotas.push(quota)
  }

  /** Forgets what has ended, and what a clock that was set back has moved out of all bounds. */
  #expire(now: number): void {
    const isOver = (until: number) => until <= now || until > now + MAX_WAIT_MS
    if (this.#blockedUntil !== 0 && isOver(this.#blockedUntil)) this.#blockedUntil = 0
    if (this.#quotas.some(({ resetAt }) => isOver(resetAt))) {
      this.#quotas = this.#quotas.filter(({ resetAt }) => !isOver(resetAt))
    }
  }
}
