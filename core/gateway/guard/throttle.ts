import type { RateHints, RateQuota } from '../../egress/rate-headers.ts'
import { MAX_WAIT_MS } from '../../egress/rate-values.ts'

/**
 * Counters at the start of a call: all ended calls, and those that ended without rate-limit
 * headers.
 */
export interface ThrottleTicket {
  enteredAt: number
  ended: number
  silent: number
}

/** The last reported limit of a target, and its remaining calls. */
interface Quota {
  readonly name: string
  /** Calls that may still start; never more than the target reported as remaining. */
  left: number
  /** Latest and earliest time of the reset: the difference is the duration of the response. */
  readonly resetAt: number
  readonly earliestResetAt: number
  /** The reported remaining calls, and how many calls had ended at that time. */
  readonly reported: number
  readonly endedAtReport: number
  /** How many calls had ended at the first report, and how many reports there were. */
  readonly endedAtFirstReport: number
  reports: number
}

const MAX_QUOTAS = 8

/** Targets report whole seconds. */
const ROUNDING_MS = 1000

/**
 * Tracks how often one account may call one origin. Blocks calls until the time that the target
 * asked for, and while a quota has no remaining calls.
 *
 * A target reports how many calls remained when it counted one of our calls. Whether that includes
 * concurrent calls is unknown. The reported value is therefore reduced by the calls in flight, and
 * by calls that ended since without a report. Each admitted call reduces it by one. An outdated
 * report, counted before one that already arrived, only removes its call from the calls in flight.
 *
 * Within a window, our calls never exceed the reported limit. Once no call is in flight, the
 * remaining calls are exactly those last reported.
 */
export class Throttle {
  #inFlight = 0
  #ended = 0
  #silent = 0
  #blockedUntil = 0
  #quotas: Quota[] = []

  /** Calls that started and have not ended. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** True if no limit is known and no call is in flight. */
  isIdle(now: number): boolean {
    this.#expire(now)
    return this.#inFlight === 0 && this.#blockedUntil === 0 && this.#quotas.length === 0
  }

  /** Milliseconds until a call may start; 0 if it may start now. */
  waitMs(now: number): number {
    if (this.#blockedUntil === 0 && this.#quotas.length === 0) return 0
    this.#expire(now)
    let until = this.#blockedUntil
    for (const { left, resetAt } of this.#quotas) if (left < 1 && resetAt > until) until = resetAt
    return until === 0 ? 0 : until - now
  }

  /** Starts a call and fills in its `ticket`. Call it only if `waitMs` is 0. */
  enter(ticket: ThrottleTicket, now: number): void {
    ticket.enteredAt = now
    ticket.ended = this.#ended
    ticket.silent = this.#silent
    this.#inFlight += 1
    for (const quota of this.#quotas) quota.left -= 1
  }

  /** Records the rate-limit headers of a response; undefined if it had none. */
  responded(
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
    for (const reportedQuota of hints.quotas) this.#learn(reportedQuota, { ticket, now })
    if (!isWhole) this.#silent += 1
  }

  /** Ends a call without a response. */
  aborted(): void {
    this.#inFlight -= 1
    this.#ended += 1
    this.#silent += 1
  }

  #learn(
    { name, remaining, waitMs }: RateQuota,
    { ticket, now }: { readonly ticket: ThrottleTicket; readonly now: number },
  ): void {
    const known = this.#quotas.find((each) => each.name === name)
    const isOverlapped = known !== undefined && ticket.ended < known.endedAtReport
    if (known) known.reports += 1
    if (isOverlapped && ticket.enteredAt + waitMs <= known.resetAt + ROUNDING_MS) {
      if (remaining > known.reported) {
        known.left += 1
        return
      }
      // The report belongs to an earlier window than the known one.
      if (now + waitMs + ROUNDING_MS < known.earliestResetAt) return
    }
    const { endedAtFirstReport, reports } = known ?? {
      endedAtFirstReport: this.#ended,
      reports: 1,
    }
    const wasKnown = ticket.ended >= endedAtFirstReport
    const silent = wasKnown ? this.#silent - ticket.silent : this.#ended - ticket.ended - reports
    const quota: Quota = {
      name,
      left: remaining - this.#inFlight - silent,
      resetAt: now + waitMs,
      earliestResetAt: ticket.enteredAt + waitMs,
      reported: remaining,
      endedAtReport: this.#ended,
      endedAtFirstReport,
      reports,
    }
    if (known) this.#quotas[this.#quotas.indexOf(known)] = quota
    else if (this.#quotas.length < MAX_QUOTAS) this.#quotas.push(quota)
  }

  /** Removes expired limits, and limits out of range after the clock was set back. */
  #expire(now: number): void {
    const isOver = (until: number) => until <= now || until > now + MAX_WAIT_MS
    if (this.#blockedUntil !== 0 && isOver(this.#blockedUntil)) this.#blockedUntil = 0
    if (this.#quotas.some(({ resetAt }) => isOver(resetAt))) {
      this.#quotas = this.#quotas.filter(({ resetAt }) => !isOver(resetAt))
    }
  }
}
