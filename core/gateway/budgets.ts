import { getErrorCode, ServiceError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Account } from '../shared/account.ts'
import type { MaybePromise } from '../shared/maybe-promise.ts'
import type { GatewayStore } from './store.ts'

/** Daily budgets of API keys, shared by all processes that use the same storage. */
export interface Budgets {
  /**
   * Takes one call; synchronously while calls are reserved. Returns the day of the budget, in days
   * since the epoch. Throws or rejects with `budget_exhausted`; `retryAfter` ends at midnight UTC.
   */
  take(account: Account, request: BudgetRequest): MaybePromise<number>
  /** Returns a call that was taken from that day's budget and not made. */
  returnCall(account: Account, call: { readonly keyId: string; readonly day: number }): void
  /** Returns today's remaining calls, without those that other processes reserved. Takes none. */
  countLeft(account: Account, request: BudgetRequest): Promise<number>
  /** Releases the reserved calls of a key. Call it after a change of its policy. */
  release(keyId: string): void
  /** Returns all reserved calls to the storage. */
  flush(): Promise<void>
}

export interface BudgetRequest {
  readonly keyId: string
  /** Calls per day. */
  readonly budget: number
}

/** Calls of one key and day that are counted in the storage but not made yet. */
interface Reserve {
  readonly account: Account
  readonly keyId: string
  readonly budget: number
  /** Days since the epoch. */
  readonly day: number
  left: number
  /** Number of calls to reserve next. */
  chunk: number
  refilledAt: number
  /** Until this time the storage is not queried, as it has no calls left. */
  emptyUntil: number
  waiting: number
  refilling: Promise<void> | undefined
  /** A newer reserve replaced this one: calls that still arrive are returned. */
  isClosed: boolean
}

interface BudgetDeps {
  readonly store: Pick<GatewayStore, 'takeCalls' | 'returnCalls' | 'countTakenCalls'>
  readonly clock: Clock
  readonly logger: Logger
}

const DAY_MS = 86_400_000
const MAX_CHUNK = 1000
const RECHECK_MS = 1000
/** A reserve that is used up faster than this grows. */
const FAST_MS = 1000
const MAX_ATTEMPTS = 100

/**
 * Creates the budgets. Calls are reserved in chunks of at most a twentieth of the budget, and one
 * by one near its end. So other processes can use nearly all of the budget. Unused calls are
 * returned at the next `flush`. A process that dies loses its reserved calls.
 */
export function createBudgets(deps: BudgetDeps): Budgets {
  const { store, clock } = deps
  const reserves = new Map<string, Reserve>()

  function openReserve(account: Account, { keyId, budget }: BudgetRequest, day: number): Reserve {
    const former = reserves.get(keyId)
    if (former) closeReserve(former)
    const reserve = createReserve(account, { keyId, budget, day })
    reserves.set(keyId, reserve)
    return reserve
  }

  function closeReserve(reserve: Reserve): void {
    reserve.isClosed = true
    reserves.delete(reserve.keyId)
    void returnLeft(deps, reserve)
  }

  async function takeOne(reserve: Reserve): Promise<number> {
    reserve.waiting += 1
    try {
      for (let attempt = 0; attempt < MAX_ATTEMPTS && !reserve.isClosed; attempt += 1) {
        if (reserve.left > 0) {
          reserve.left -= 1
          return reserve.day
        }
        if (clock() < reserve.emptyUntil) throw createBudgetExhaustedError(reserve, clock())
        reserve.refilling ??= refill(deps, reserve).finally(() => {
          reserve.refilling = undefined
        })
        await reserve.refilling
      }
    } finally {
      reserve.waiting -= 1
    }
    const { account, keyId, budget } = reserve
    const day = formatBudgetDay(reserve.day)
    const got = await store.takeCalls(account, { keyId, day, wanted: 1, budget })
    if (got === 0) throw createBudgetExhaustedError(reserve, clock())
    return reserve.day
  }

  return {
    take(account, request) {
      const now = clock()
      const day = Math.floor(now / DAY_MS)
      const found = reserves.get(request.keyId)
      const isSame =
        found?.day === day && found.budget === request.budget && found.account.id === account.id
      const reserve = found && isSame ? found : openReserve(account, request, day)
      if (reserve.left > 0) {
        reserve.left -= 1
        return day
      }
      if (now < reserve.emptyUntil) throw createBudgetExhaustedError(reserve, now)
      return takeOne(reserve)
    },

    returnCall(account, { keyId, day }) {
      const reserve = reserves.get(keyId)
      if (reserve?.day === day && reserve.account.id === account.id) reserve.left += 1
      else void returnCalls(deps, { account, keyId, day, count: 1 })
    },

    async countLeft(account, { keyId, budget }) {
      const day = Math.floor(clock() / DAY_MS)
      const taken = await store.countTakenCalls(account, { keyId, day: formatBudgetDay(day) })
      const own = reserves.get(keyId)
      const reserved = own?.day === day && own.account.id === account.id ? own.left : 0
      return Math.max(0, budget - taken + reserved)
    },

    release(keyId) {
      const reserve = reserves.get(keyId)
      if (reserve) closeReserve(reserve)
    },

    async flush() {
      for (const reserve of [...reserves.values()]) {
        const isIdle = reserve.waiting === 0 && clock() - reserve.refilledAt >= RECHECK_MS
        await returnLeft(deps, reserve)
        if (isIdle && reserve.left === 0 && reserve.waiting === 0) {
          reserve.isClosed = true
          if (reserves.get(reserve.keyId) === reserve) reserves.delete(reserve.keyId)
        }
      }
    },
  }
}

function createReserve(
  account: Account,
  { keyId, budget, day }: Pick<Reserve, 'keyId' | 'budget' | 'day'>,
): Reserve {
  return {
    account,
    keyId,
    budget,
    day,
    left: 0,
    chunk: Math.min(8, toMaxChunk(budget)),
    refilledAt: Number.NEGATIVE_INFINITY,
    emptyUntil: Number.NEGATIVE_INFINITY,
    waiting: 0,
    refilling: undefined,
    isClosed: false,
  }
}

async function refill(deps: BudgetDeps, reserve: Reserve): Promise<void> {
  const { account, keyId, budget } = reserve
  const now = deps.clock()
  const isFast = now - reserve.refilledAt < FAST_MS
  if (isFast) reserve.chunk = Math.min(reserve.chunk * 2, toMaxChunk(budget))
  reserve.refilledAt = now
  const wanted = Math.max(reserve.chunk, reserve.waiting)
  const day = formatBudgetDay(reserve.day)
  const taken = await deps.store.takeCalls(account, { keyId, day, wanted, budget })
  reserve.left += taken
  if (taken < wanted) reserve.chunk = 1
  if (taken === 0) reserve.emptyUntil = deps.clock() + RECHECK_MS
  if (reserve.isClosed) await returnLeft(deps, reserve)
}

async function returnLeft(deps: BudgetDeps, reserve: Reserve): Promise<void> {
  const { account, keyId, day, left } = reserve
  if (left === 0) return
  reserve.left = 0
  await returnCalls(deps, { account, keyId, day, count: left })
}

async function returnCalls(
  { store, logger }: BudgetDeps,
  calls: Pick<Reserve, 'account' | 'keyId' | 'day'> & { readonly count: number },
): Promise<void> {
  const { account, keyId, day, count } = calls
  try {
    await store.returnCalls(account, { keyId, day: formatBudgetDay(day), count })
  } catch (error) {
    // Unreturned calls count as made: a budget may end early, never late.
    logger.log('warn', 'budget_not_returned', { keyId, count, reason: getErrorCode(error) })
  }
}

function toMaxChunk(budget: number): number {
  return Math.min(Math.max(1, Math.floor(budget / 20)), MAX_CHUNK)
}

function formatBudgetDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

function createBudgetExhaustedError({ budget, day }: Reserve, now: number): ServiceError {
  return new ServiceError(
    'budget_exhausted',
    `Daily budget exhausted: the key has used its ${budget} calls for ${formatBudgetDay(day)}. Try again after midnight UTC`,
    { retryAfter: Math.max(1, Math.ceil(((day + 1) * DAY_MS - now) / 1000)) },
  )
}
