import type { EndpointCalls } from '../calls/call-maker.ts'
import { ServiceError } from '../errors.ts'
import type { Account } from '../shared/account.ts'
import { toTimestamp } from '../shared/dates.ts'
import { toHostAndPort } from './hosts.ts'
import type { LeftToday } from './service.ts'
import type { AddedRun, RateLimitStore } from './store.ts'

/** Default and maximum number of requests per UTC day, across all tests. */
const DEFAULT_DAILY = 2_000

/** Requests per UTC day, across all tests. */
export interface DailyBudgets {
  readonly account: number
  readonly host: number
}

/**
 * Reads the operator's daily budgets. Each defaults to 2,000, which is also the maximum. Throws a
 * `RangeError` for an invalid value.
 */
export function readDailyBudgets(options: {
  readonly dailyPerAccount?: number | undefined
  readonly dailyPerHost?: number | undefined
}): DailyBudgets {
  const read = (name: 'dailyPerAccount' | 'dailyPerHost') => {
    const value = options[name] ?? DEFAULT_DAILY
    if (Number.isInteger(value) && value >= 0 && value <= DEFAULT_DAILY) return value
    throw new RangeError(
      `Invalid ${name} "${value}": must be a whole number from 0 to ${DEFAULT_DAILY}`,
    )
  }
  return { account: read('dailyPerAccount'), host: read('dailyPerHost') }
}

/** Formats a time as `YYYY-MM-DD` in UTC. */
export function toUtcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Returns the end of the UTC day, in milliseconds since the epoch. */
function endOfDay(now: number): number {
  return (Math.floor(now / DAY_MS) + 1) * DAY_MS
}

/**
 * Creates the error for a run that exceeds the remaining daily budget. Suggests a retry after
 * midnight, or in a minute if releasing the reservations of open runs would be enough.
 */
export function createBudgetExhaustedError(
  shortage: Exclude<AddedRun, { readonly job: unknown }>,
  request: { readonly host: string; readonly requests: number; readonly now: number },
): ServiceError {
  const { short, reserved } = shortage
  const { host, requests, now } = request
  const left = Math.max(0, shortage.left)
  const whose = short === 'account' ? 'the account' : host
  const has = `Cannot reserve ${requests} requests: ${whose} has ${left} left for rate-limit tests`
  const more = reserved > 0 ? `, and ${reserved} reserved for open runs` : ''
  if (shortage.left + reserved >= requests) {
    return new ServiceError(
      'budget_exhausted',
      `${has}${more}. Try again when those runs have ended`,
      { retryAfter: RESERVED_RETRY_S, extra: { budget: short, left, reserved } },
    )
  }
  const until = endOfDay(now)
  return new ServiceError('budget_exhausted', `${has} until ${toTimestamp(until)}${more}`, {
    retryAfter: Math.max(1, Math.ceil((until - now) / 1000)),
    extra: { budget: short, left, reserved, until: toTimestamp(until) },
  })
}

const DAY_MS = 86_400_000

/** Runs last seconds to minutes. */
const RESERVED_RETRY_S = 60

/** Returns the remaining budgets of the day for a test of an endpoint. */
export async function readLeftToday(
  deps: {
    readonly store: Pick<RateLimitStore, 'readDay'>
    readonly daily: DailyBudgets
    readonly now: number
  },
  target: { readonly account: Account; readonly calls: EndpointCalls; readonly origin: string },
): Promise<LeftToday> {
  const { store, daily, now } = deps
  const { account, calls, origin } = target
  const host = toHostAndPort(origin)
  const [used, key] = await Promise.all([
    store.readDay({ account, host, day: toUtcDay(now) }),
    calls.left(),
  ])
  return {
    host,
    ofAccount: {
      left: Math.max(0, daily.account - used.ofAccount - used.reserved),
      budget: daily.account,
    },
    reserved: used.reserved,
    ofHost: { left: Math.max(0, daily.host - used.ofHost), budget: daily.host },
    ofKey: key,
    until: endOfDay(now),
  }
}
