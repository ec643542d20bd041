import { ServiceError } from '../http/problems.ts'
import type { Clock } from '../ports.ts'
import type { Account } from '../shared/account.ts'
import { toTimestamp } from '../shared/dates.ts'
import type { RateLimitStore } from './store.ts'

/** Requests a day (UTC) of all tests together, and what they are set to when nobody says. */
const DEFAULT_DAILY = 2_000

/** What tests may send on a day. */
export interface DailyBudgets {
  readonly account: number
  readonly host: number
}

/**
 * Reads what an operator allows a day: 2,000 each where nothing is said, which may be less and not
 * more. Throws a `RangeError` for anything else.
 */
export function readDaily(given: {
  readonly dailyPerAccount?: number | undefined
  readonly dailyPerHost?: number | undefined
}): DailyBudgets {
  const read = (name: 'dailyPerAccount' | 'dailyPerHost') => {
    const value = given[name] ?? DEFAULT_DAILY
    if (Number.isInteger(value) && value >= 0 && value <= DEFAULT_DAILY) return value
    throw new RangeError(
      `Cannot allow ${value} requests a day: ${name} must be from 0 to ${DEFAULT_DAILY}`,
    )
  }
  return { account: read('dailyPerAccount'), host: read('dailyPerHost') }
}

/** `YYYY-MM-DD`, UTC. */
export function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Throws `budget_exhausted` where a day has less left than a run may send. */
export async function requireDaily(
  deps: {
    readonly store: Pick<RateLimitStore, 'countDay'>
    readonly clock: Clock
    readonly daily: DailyBudgets
  },
  wanted: { readonly account: Account; readonly host: string; readonly requests: number },
): Promise<void> {
  const now = deps.clock()
  const { account, host, requests } = wanted
  const taken = await deps.store.countDay(account, { host, day: toDay(now) })
  for (const budget of ['account', 'host'] as const) {
    const left = Math.max(0, deps.daily[budget] - taken[budget])
    if (left >= requests) continue
    const until = (Math.floor(now / DAY_MS) + 1) * DAY_MS
    const whose = budget === 'account' ? 'The account' : host
    throw new ServiceError(
      'budget_exhausted',
      `${whose} has ${left} requests of rate-limit tests left until ${toTimestamp(until)}: ${requests} are asked for`,
      {
        retryAfter: Math.max(1, Math.ceil((until - now) / 1000)),
        extra: { budget, left, until: toTimestamp(until) },
      },
    )
  }
}

const DAY_MS = 86_400_000
