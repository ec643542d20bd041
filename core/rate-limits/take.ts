import type { EndpointCalls } from '../calls/call-maker.ts'
import { ServiceError } from '../http/problems.ts'
import type { JobClaim } from '../jobs/records.ts'
import type { Clock } from '../ports.ts'
import type { Account } from '../shared/account.ts'
import type { Timers } from '../shared/timers.ts'
import { type DailyBudgets, toDay } from './days.ts'
import type { StopReason, TestBudget } from './records.ts'
import type { RateLimitStore, TakenRequests } from './store.ts'

/** What a run has been given of its budgets. */
export interface Taker {
  /** One request: true where it may be sent, else why none may be. */
  take(): Promise<true | StopReason>
  /** Asks for what is taken in so many milliseconds, so that nobody waits for the storage then. */
  prepare(inMs: number): void
  /** Resolves when nothing is being asked for. */
  settle(): Promise<void>
  /** Taken, and not handed out: what is left at midnight is not, as it was counted before. */
  readonly unused: number
}

/** For how long requests are taken ahead, and so how old the permission to send one may be. */
const AHEAD_MS = 200
const MAX_AHEAD = 10
/** Requests may be late by so much without having to ask again. */
const MARGIN_MS = 20

/**
 * Creates the taker of one attempt. Requests are taken before they are sent, in the storage, where
 * all processes count; what is handed out was given, or allowed anew, at most 200 ms ago.
 */
export function createTaker(deps: {
  readonly store: Pick<RateLimitStore, 'takeRequests'>
  readonly calls: Pick<EndpointCalls, 'take'>
  readonly claim: JobClaim
  readonly account: Account
  readonly host: string
  readonly budget: TestBudget
  readonly daily: DailyBudgets
  readonly clock: Clock
  readonly timers: Timers
}): Taker {
  const { store, timers, budget, daily } = deps
  const ahead = Math.max(1, Math.min(MAX_AHEAD, Math.ceil((budget.rate * AHEAD_MS) / 1000)))
  let left = 0
  let forgone = 0
  let takenOn = ''
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<TakenRequests['reason']> | undefined

  async function ask(wanted: number): Promise<TakenRequests['reason']> {
    const day = toDay(deps.clock())
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
    left > 0 && timers.now() - askedAt < AHEAD_MS && toDay(deps.clock()) === takenOn

  /** One question is under way at a time, whoever waits for it. */
  function askOnce(wanted: number): Promise<TakenRequests['reason']> {
    asking ??= ask(wanted).finally(() => {
      asking = undefined
    })
    return asking
  }

  async function refill(): Promise<StopReason | undefined> {
    const reason = await askOnce(left > 0 ? 0 : ahead)
    return reason && STOPS[reason]
  }

  return {
    get unused() {
      return left + forgone
    },
    prepare(inMs) {
      const isOld = timers.now() + inMs >= askedAt + AHEAD_MS - MARGIN_MS
      if (!isOld && left > ahead / 5) return
      // What is wrong, the next one who takes hears.
      askOnce(ahead - left).catch(() => undefined)
    },
    async settle() {
      await asking?.catch(() => undefined)
    },
    async take() {
      // Once for each who waits at the same time, at most.
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

const STOPS = {
  run: 'budget_used',
  account: 'daily_budget_used',
  host: 'daily_budget_used',
  cancelled: 'cancelled',
  lost: 'cancelled',
} as const satisfies Record<NonNullable<TakenRequests['reason']>, StopReason>
