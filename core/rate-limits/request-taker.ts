import type { EndpointCalls } from '../calls/call-maker.ts'
import { ServiceError } from '../errors.ts'
import type { JobClaim } from '../jobs/records.ts'
import type { Clock } from '../ports/clock.ts'
import type { Account } from '../shared/account.ts'
import type { Timers } from '../shared/timers.ts'
import { type DailyBudgets, toUtcDay } from './daily-budgets.ts'
import type { StopReason, TestBudget } from './records.ts'
import type { RateLimitStore, TakenRequests } from './store.ts'

/** Draws a run's requests from its budgets. */
export interface RequestTaker {
  /** Takes one request. Returns true if it may be sent, or else why the run must stop. */
  take(): Promise<true | StopReason>
  /**
   * Fetches in advance the requests needed in `inMs` milliseconds, so that `take` need not wait for
   * the storage.
   */
  prepare(inMs: number): void
  /** Resolves when no storage request is pending. */
  settle(): Promise<void>
  /** Requests taken but not sent, including those left when the UTC day changed. */
  readonly unused: number
}

/**
 * How long in advance requests are taken, which is also the maximum age of a permission to send.
 */
const AHEAD_MS = 200
const MAX_AHEAD = 10
/** Tolerance for late requests, so that they need no other storage request. */
const MARGIN_MS = 20

/**
 * Creates the taker of one attempt. It takes requests from the storage, which counts for all
 * processes, before they are sent. A returned request was taken or confirmed at most 200 ms ago.
 */
export function createRequestTaker(deps: {
  readonly store: Pick<RateLimitStore, 'takeRequests'>
  readonly calls: Pick<EndpointCalls, 'take'>
  readonly claim: JobClaim
  readonly account: Account
  readonly host: string
  readonly budget: TestBudget
  readonly daily: DailyBudgets
  readonly clock: Clock
  readonly timers: Timers
}): RequestTaker {
  const { store, timers, budget, daily } = deps
  const ahead = Math.max(1, Math.min(MAX_AHEAD, Math.ceil((budget.rate * AHEAD_MS) / 1000)))
  let left = 0
  let forgone = 0
  let takenOn = ''
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<TakenRequests['reason']> | undefined

  async function takeFromStore(wanted: number): Promise<TakenRequests['reason']> {
    const day = toUtcDay(deps.clock())
    if (day !== takenOn) {
      forgone += left
      left = 0
      takenOn = day
    }
    const { count, reason } = await store.takeRequests({
      claim: deps.claim,
      account: deps.account,
      host: deps.host,
      day,
      wanted,
      accountBudget: daily.account,
      hostBudget: daily.host,
    })
    left += count
    if (reason === undefined) askedAt = timers.now()
    return reason
  }

  const isFresh = () =>
    left > 0 && timers.now() - askedAt < AHEAD_MS && toUtcDay(deps.clock()) === takenOn

  /** Shares one pending storage request between concurrent callers. */
  function takeOnce(wanted: number): Promise<TakenRequests['reason']> {
    asking ??= takeFromStore(wanted).finally(() => {
      asking = undefined
    })
    return asking
  }

  async function refill(): Promise<StopReason | undefined> {
    const reason = await takeOnce(left > 0 ? 0 : ahead)
    return reason && STOP_REASONS[reason]
  }

  return {
    get unused() {
      return left + forgone
    },
    prepare(inMs) {
      const isOld = timers.now() + inMs >= askedAt + AHEAD_MS - MARGIN_MS
      if (!isOld && left > ahead / 5) return
      // The next `take` reports the error.
      takeOnce(ahead - left).catch(() => undefined)
    },
    async settle() {
      await asking?.catch(() => undefined)
    },
    async take() {
      // Concurrent callers may use up a refill. The bound allows one refill for each of them.
      for (let turn = 0; turn < budget.requests && !isFresh(); turn += 1) {
        const stop = await refill()
        if (stop) return stop
      }
      if (!isFresh()) return 'budget_used'
      left -= 1
      try {
        await deps.calls.take()
        return true
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'budget_exhausted') {
          return 'daily_budget_used'
        }
        throw error
      }
    },
  }
}

const STOP_REASONS = {
  run: 'budget_used',
  account: 'daily_budget_used',
  host: 'daily_budget_used',
  cancelled: 'cancelled',
  lost: 'cancelled',
} as const satisfies Record<NonNullable<TakenRequests['reason']>, StopReason>
