import type { EgressFailure, HeaderLine } from '../../egress/egress.ts'
import {
  createRateHintReader,
  type RateHints,
  type ReadRateHints,
} from '../../egress/rate-headers.ts'
import { ServiceError } from '../../http/problems.ts'
import type { Clock } from '../../ports.ts'
import type { Account } from '../../shared/account.ts'
import type { Gauge } from '../../shared/gauges.ts'
import { createBoundedStates, WORTH } from './bounded-states.ts'
import { Breaker, type BreakerLimits, type BreakerTicket } from './breaker.ts'
import {
  Bulkhead,
  type BulkheadLimits,
  type CallPlaces,
  type Fullness,
  type Places,
} from './bulkhead.ts'
import { toGauges } from './gauges.ts'
import { Throttle, type ThrottleTicket } from './throttle.ts'

/** What a guard allows, and how much it remembers. */
export interface GuardLimits extends BreakerLimits, BulkheadLimits {
  /** Origins that are remembered. */
  readonly maxOrigins: number
  /** Pairs of account and origin whose limits are remembered. */
  readonly maxPairs: number
}

/** The limits that hold unless a host sets others. (security.md, row 9) */
const DEFAULT_GUARD_LIMITS: GuardLimits = {
  failures: 5,
  windowMs: 30_000,
  openMs: 30_000,
  perOrigin: 20,
  total: 200,
  maxOrigins: 2000,
  maxPairs: 10_000,
}

/** A call to a target. */
export interface GuardedCall {
  /** As `CallPlan.originOf` tells it: `https://api.example.com`. */
  readonly origin: string
  readonly account: Pick<Account, 'id'>
}

/** A call that was let in. What is told after `leave` changes nothing. */
export interface Pass {
  /** The head of the answer is there. */
  answered(status: number, headers: readonly HeaderLine[]): void
  /** No answer came, its body broke off, or the caller left. */
  failed(failure: EgressFailure | 'aborted'): void
  /** The call is over, in whichever way: to be told always; further calls do nothing. */
  leave(): void
}

/** Stands between the gateway and the targets. */
export interface TargetGuard {
  /**
   * Lets a call in. Throws `target_throttled` when the target has asked this account for fewer
   * calls, `target_unavailable` when it has failed too often, both with `retryAfter`, and
   * `overloaded` when too many calls are under way, to it or in all, or too many of the account's.
   */
  enter(call: GuardedCall): Pass
  /** For the metrics: names at most 20 origins each, and no accounts. */
  gauges(): readonly Gauge[]
}

/** What is known of an origin. */
export interface OriginState extends Places {
  readonly breaker: Breaker
}

/** What is known of an account's calls to an origin. */
export interface PairState extends Places {
  readonly throttle: Throttle
  readonly breaker: Breaker
}

interface Guarded {
  readonly clock: Clock
  readonly bulkhead: Bulkhead
  readonly readHints: ReadRateHints
}

/**
 * Creates a guard, which counts for this process alone. An account whose calls to an origin fail is
 * kept away from it alone; all are once the calls of several do, as what one calls, and with which
 * values, may be what fails. It remembers a bounded number of origins and
 * of pairs of account and origin: those with nothing to tell make room first, then those that refuse
 * no calls; those with calls under way stay.
 */
export function createTargetGuard(options: {
  readonly clock: Clock
  readonly limits?: Partial<GuardLimits> | undefined
}): TargetGuard {
  const { clock } = options
  const limits = { ...DEFAULT_GUARD_LIMITS, ...options.limits }
  const bulkhead = new Bulkhead(limits)
  const guarded: Guarded = { clock, bulkhead, readHints: createRateHintReader() }
  const origins = createBoundedStates<OriginState>({
    capacity: limits.maxOrigins,
    create: () => ({ inFlight: 0, breaker: new Breaker(limits) }),
    worthOf: ({ inFlight, breaker }) => {
      if (inFlight > 0) return WORTH.use
      if (!breaker.isClosed) return WORTH.refusal
      return breaker.isIdle(clock()) ? WORTH.nothing : WORTH.news
    },
  })
  const pairs = createBoundedStates<PairState>({
    capacity: limits.maxPairs,
    create: () => ({ inFlight: 0, throttle: new Throttle(), breaker: new Breaker(limits) }),
    worthOf: ({ inFlight, throttle, breaker }) => {
      if (inFlight > 0) return WORTH.use
      const now = clock()
      if (!breaker.isClosed || throttle.waitMs(now) > 0) return WORTH.refusal
      return throttle.isIdle(now) && breaker.isIdle(now) ? WORTH.nothing : WORTH.news
    },
  })
  return {
    enter({ origin, account }) {
      const now = clock()
      const state = origins.get(origin)
      const pair = pairs.get(`${account.id} ${origin}`)
      const askedMs = pair.throttle.waitMs(now)
      if (askedMs > 0) throw toThrottled(origin, askedMs)
      const brokenMs = Math.max(state.breaker.waitMs(now), pair.breaker.waitMs(now))
      if (brokenMs > 0) throw toUnavailable(origin, brokenMs)
      const places: CallPlaces = { origin: state, own: pair, accountId: account.id }
      const full = bulkhead.fullness(places)
      if (full) throw toOverloaded(full, origin)
      bulkhead.enter(places)
      const pass = new TargetPass(guarded, { state, pair, places, now })
      pair.throttle.enter(pass, now)
      return pass
    },
    gauges: () => toGauges({ bulkhead, origins, pairs, now: clock() }),
  }
}

/** Says that the origin itself, or what stands before it, does not serve. */
const FAILED_STATUSES = new Set([502, 503, 504])

/**
 * What of the failures is the target's: not that we refuse an address, nor that an answer is longer
 * than we take. Once an answer has begun the whole time may also have run out on a caller that paused.
 */
const FAILED_BEFORE = new Set<EgressFailure | 'aborted'>([
  'unresolved',
  'connect_failed',
  'connect_timeout',
  'first_byte_timeout',
  'total_timeout',
  'malformed_answer',
  'too_slow',
])
const FAILED_AFTER = new Set<EgressFailure | 'aborted'>([
  'connect_failed',
  'malformed_answer',
  'too_slow',
])

class TargetPass implements Pass, ThrottleTicket {
  enteredAt = 0
  ended = 0
  silent = 0
  readonly #guarded: Guarded
  readonly #state: OriginState
  readonly #pair: PairState
  readonly #places: CallPlaces
  readonly #ticket: BreakerTicket
  readonly #pairTicket: BreakerTicket
  #isAnswered = false
  #hasFailed = false
  #isOver = false

  constructor(
    guarded: Guarded,
    own: {
      readonly state: OriginState
      readonly pair: PairState
      readonly places: CallPlaces
      readonly now: number
    },
  ) {
    const { state, pair, now } = own
    this.#guarded = guarded
    this.#state = state
    this.#pair = pair
    this.#places = own.places
    this.#ticket = state.breaker.enter(now)
    this.#pairTicket = pair.breaker.enter(now)
  }

  answered(status: number, headers: readonly HeaderLine[]): void {
    if (this.#isAnswered || this.#hasFailed || this.#isOver) return
    this.#isAnswered = true
    const now = this.#guarded.clock()
    const hints = this.#guarded.readHints(headers, { status, now })
    this.#pair.throttle.answered(this, { hints, now })
    if (isFailure(status, hints)) this.#fail(now)
    else {
      this.#state.breaker.succeeded(this.#ticket, now)
      this.#pair.breaker.succeeded(this.#pairTicket, now)
    }
  }

  failed(failure: EgressFailure | 'aborted'): void {
    if (this.#hasFailed || this.#isOver) return
    this.#hasFailed = true
    const isTargets = (this.#isAnswered ? FAILED_AFTER : FAILED_BEFORE).has(failure)
    if (isTargets) this.#fail(this.#guarded.clock())
    else if (!this.#isAnswered) this.#drop()
  }

  leave(): void {
    if (this.#isOver) return
    if (!this.#isAnswered) {
      this.#pair.throttle.dropped()
      if (!this.#hasFailed) this.#drop()
    }
    this.#isOver = true
    this.#guarded.bulkhead.leave(this.#places)
  }

  /** What keeps the account away does not count for all: so no account alone opens their breaker. */
  #fail(now: number): void {
    const { breaker } = this.#pair
    breaker.failed(this.#pairTicket, now)
    if (breaker.isClosed) this.#state.breaker.failed(this.#ticket, now)
    else this.#state.breaker.dropped(this.#ticket)
  }

  #drop(): void {
    this.#state.breaker.dropped(this.#ticket)
    this.#pair.breaker.dropped(this.#pairTicket)
  }
}

/** An origin that says when to come back asks one account for fewer calls: it has not failed. */
function isFailure(status: number, hints: RateHints | undefined): boolean {
  return FAILED_STATUSES.has(status) && hints?.retryAfterMs === undefined
}

function toThrottled(origin: string, waitMs: number): ServiceError {
  return new ServiceError(
    'target_throttled',
    `Cannot call ${origin} now: it has asked for fewer calls`,
    { retryAfter: Math.ceil(waitMs / 1000) },
  )
}

function toUnavailable(origin: string, waitMs: number): ServiceError {
  return new ServiceError(
    'target_unavailable',
    `Cannot call ${origin} now: too many of the latest calls to it failed`,
    { retryAfter: Math.ceil(waitMs / 1000) },
  )
}

function toOverloaded(full: Fullness, origin: string): ServiceError {
  const calls = full.startsWith('own') ? "of the account's calls" : 'calls'
  const to = full.endsWith('origin') ? ` to ${origin}` : ''
  return new ServiceError('overloaded', `Cannot call now: too many ${calls}${to} are under way`, {
    retryAfter: 1,
  })
}
