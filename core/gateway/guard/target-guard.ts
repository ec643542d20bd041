import {
  createRateHintReader,
  type RateHints,
  type ReadRateHints,
} from '../../egress/rate-headers.ts'
import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EgressFailure, HeaderLine } from '../../ports/egress.ts'
import type { Account } from '../../shared/account.ts'
import type { Gauge } from '../../shared/gauges.ts'
import { createBoundedStates, RETENTION } from './bounded-states.ts'
import { Breaker, type BreakerLimits, type BreakerTicket } from './breaker.ts'
import {
  Bulkhead,
  type BulkheadLimits,
  type CallCounter,
  type CallCounters,
  type ExceededLimit,
} from './bulkhead.ts'
import { createGuardGauges } from './gauges.ts'
import { Throttle, type ThrottleTicket } from './throttle.ts'

/** Limits of a guard, and how many states it stores. */
export interface GuardLimits extends BreakerLimits, BulkheadLimits {
  /** Maximum number of origins with stored state. */
  readonly maxOrigins: number
  /** Maximum number of pairs of account and origin with stored state. */
  readonly maxPairs: number
}

/** Defaults. (security.md, row 9) */
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
  /** From `CallPlan.originOf`, for example `https://api.example.com`. */
  readonly origin: string
  readonly account: Pick<Account, 'id'>
}

/** A call that the guard admitted. Reports after `leave` have no effect. */
export interface GuardPass {
  /** Reports the status and headers of the response. */
  responded(status: number, headers: readonly HeaderLine[]): void
  /** Reports that there was no response, that its body broke off, or that the caller left. */
  failed(failure: EgressFailure | 'aborted'): void
  /** Ends the call. Always call it; further calls have no effect. */
  leave(): void
}

/** Protects targets from too many calls, and this service from failing targets. */
export interface TargetGuard {
  /**
   * Admits a call. Throws `target_throttled` if the target asked this account to slow down, and
   * `target_unavailable` if it failed too often, both with `retryAfter`. Throws `overloaded` if too
   * many calls are in flight: to the origin, in total, or from the account.
   */
  enter(call: GuardedCall): GuardPass
  /** Gauges for the metrics: at most 20 origins each, no accounts. */
  gauges(): readonly Gauge[]
}

/** State of an origin. */
export interface OriginState extends CallCounter {
  readonly breaker: Breaker
}

/** State of an account's calls to an origin. */
export interface PairState extends CallCounter {
  readonly throttle: Throttle
  readonly breaker: Breaker
}

interface GuardContext {
  readonly clock: Clock
  readonly bulkhead: Bulkhead
  readonly readHints: ReadRateHints
}

/**
 * Creates a guard with the state of this process only.
 *
 * If calls of one account fail, only that account is blocked from the origin: its endpoint or its
 * values may be the cause. All accounts are blocked once calls of several fail.
 * The number of stored states is bounded. Idle states are evicted first, then states that block no
 * calls; states with calls in flight stay.
 */
export function createTargetGuard(options: {
  readonly clock: Clock
  readonly limits?: Partial<GuardLimits> | undefined
}): TargetGuard {
  const { clock } = options
  const limits = { ...DEFAULT_GUARD_LIMITS, ...options.limits }
  const bulkhead = new Bulkhead(limits)
  const guarded: GuardContext = { clock, bulkhead, readHints: createRateHintReader() }
  const origins = createBoundedStates<OriginState>({
    capacity: limits.maxOrigins,
    create: () => ({ inFlight: 0, breaker: new Breaker(limits) }),
    retentionOf: ({ inFlight, breaker }) => {
      if (inFlight > 0) return RETENTION.inUse
      if (!breaker.isClosed) return RETENTION.blocking
      return breaker.isIdle(clock()) ? RETENTION.idle : RETENTION.counting
    },
  })
  const pairs = createBoundedStates<PairState>({
    capacity: limits.maxPairs,
    create: () => ({ inFlight: 0, throttle: new Throttle(), breaker: new Breaker(limits) }),
    retentionOf: ({ inFlight, throttle, breaker }) => {
      if (inFlight > 0) return RETENTION.inUse
      const now = clock()
      if (!breaker.isClosed || throttle.waitMs(now) > 0) return RETENTION.blocking
      return throttle.isIdle(now) && breaker.isIdle(now) ? RETENTION.idle : RETENTION.counting
    },
  })
  return {
    enter({ origin, account }) {
      const now = clock()
      const state = origins.get(origin)
      const pair = pairs.get(`${account.id} ${origin}`)
      const throttledMs = pair.throttle.waitMs(now)
      if (throttledMs > 0) throw createThrottledError(origin, throttledMs)
      const brokenMs = Math.max(state.breaker.waitMs(now), pair.breaker.waitMs(now))
      if (brokenMs > 0) throw createUnavailableError(origin, brokenMs)
      const counters: CallCounters = { origin: state, own: pair, accountId: account.id }
      const exceeded = bulkhead.findExceededLimit(counters)
      if (exceeded) throw createGuardOverloadedError(exceeded, origin)
      bulkhead.enter(counters)
      const pass = new TargetPass(guarded, { state, pair, places: counters, now })
      pair.throttle.enter(pass, now)
      return pass
    },
    gauges: () => createGuardGauges({ bulkhead, origins, pairs, now: clock() }),
  }
}

/** Responses which say that the origin, or a proxy in front of it, is unavailable. */
const FAILED_STATUSES = new Set([502, 503, 504])

/**
 * Failures that count against the target. An address that we refuse or a response above our size
 * limit does not. After the response began, `total_timeout` may also be due to a slow caller.
 */
const FAILURES_BEFORE_RESPONSE = new Set<EgressFailure | 'aborted'>([
  'unresolved',
  'connect_failed',
  'connect_timeout',
  'first_byte_timeout',
  'total_timeout',
  'malformed_answer',
  'too_slow',
])
const FAILURES_AFTER_RESPONSE = new Set<EgressFailure | 'aborted'>([
  'connect_failed',
  'malformed_answer',
  'too_slow',
])

class TargetPass implements GuardPass, ThrottleTicket {
  enteredAt = 0
  ended = 0
  silent = 0
  readonly #guarded: GuardContext
  readonly #state: OriginState
  readonly #pair: PairState
  readonly #places: CallCounters
  readonly #ticket: BreakerTicket
  readonly #pairTicket: BreakerTicket
  #isAnswered = false
  #hasFailed = false
  #isOver = false

  constructor(
    guarded: GuardContext,
    own: {
      readonly state: OriginState
      readonly pair: PairState
      readonly places: CallCounters
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

  responded(status: number, headers: readonly HeaderLine[]): void {
    if (this.#isAnswered || this.#hasFailed || this.#isOver) return
    this.#isAnswered = true
    const now = this.#guarded.clock()
    const hints = this.#guarded.readHints(headers, { status, now })
    this.#pair.throttle.responded(this, { hints, now })
    if (isFailedResponse(status, hints)) this.#fail(now)
    else {
      this.#state.breaker.succeeded(this.#ticket, now)
      this.#pair.breaker.succeeded(this.#pairTicket, now)
    }
  }

  failed(failure: EgressFailure | 'aborted'): void {
    if (this.#hasFailed || this.#isOver) return
    this.#hasFailed = true
    const isTargets = (this.#isAnswered ? FAILURES_AFTER_RESPONSE : FAILURES_BEFORE_RESPONSE).has(
      failure,
    )
    if (isTargets) this.#fail(this.#guarded.clock())
    else if (!this.#isAnswered) this.#drop()
  }

  leave(): void {
    if (this.#isOver) return
    if (!this.#isAnswered) {
      this.#pair.throttle.aborted()
      if (!this.#hasFailed) this.#drop()
    }
    this.#isOver = true
    this.#guarded.bulkhead.leave(this.#places)
  }

  /**
   * While the account is blocked, its failures don't count for all: so one account can't open the
   * breaker for all accounts.
   */
  #fail(now: number): void {
    const { breaker } = this.#pair
    breaker.failed(this.#pairTicket, now)
    if (breaker.isClosed) this.#state.breaker.failed(this.#ticket, now)
    else this.#state.breaker.aborted(this.#ticket)
  }

  #drop(): void {
    this.#state.breaker.aborted(this.#ticket)
    this.#pair.breaker.aborted(this.#pairTicket)
  }
}

/** A response with a retry time asks one account to slow down: the origin has not failed. */
function isFailedResponse(status: number, hints: RateHints | undefined): boolean {
  return FAILED_STATUSES.has(status) && hints?.retryAfterMs === undefined
}

function createThrottledError(origin: string, waitMs: number): ServiceError {
  return new ServiceError('target_throttled', `Cannot call ${origin}: its rate limit is reached`, {
    retryAfter: Math.ceil(waitMs / 1000),
  })
}

function createUnavailableError(origin: string, waitMs: number): ServiceError {
  return new ServiceError(
    'target_unavailable',
    `Cannot call ${origin}: too many recent calls failed`,
    { retryAfter: Math.ceil(waitMs / 1000) },
  )
}

function createGuardOverloadedError(full: ExceededLimit, origin: string): ServiceError {
  const calls = full.startsWith('own') ? "of the account's calls" : 'calls'
  const to = full.endsWith('origin') ? ` to ${origin}` : ''
  return new ServiceError(
    'overloaded',
    `Cannot start the call: too many ${calls}${to} are in flight`,
    {
      retryAfter: 1,
    },
  )
}
