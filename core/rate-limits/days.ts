import { ServiceError } from '../http/problems.ts'
import { toTimestamp } from '../shared/dates.ts'
import type { AddedRun } from './store.ts'

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

/** When the day ends, in milliseconds since the epoch. */
export function endOfDay(now: number): number {
  return (Math.floor(now / DAY_MS) + 1) * DAY_MS
}

/**
 * The error for a run that wants more of a day than a budget has left: to be tried again at midnight,
 * or in a minute where what open runs have reserved would do.
 */
export function toExhausted(
  found: Exclude<AddedRun, { readonly job: unknown }>,
  wanted: { readonly host: string; readonly requests: number; readonly now: number },
): ServiceError {
  const { short, reserved } = found
  const { host, requests, now } = wanted
  const left = Math.max(0, found.left)
  const whose = short === 'account' ? 'The account' : host
  const has = `${whose} has ${left} requests of rate-limit tests left`
  const more = reserved > 0 ? `, and ${reserved} reserved for runs that have not ended` : ''
  if (found.left + reserved >= requests) {
    return new ServiceError(
      'budget_exhausted',
      `${has}${more}: ${requests} are asked for, and may be there when those end`,
      { retryAfter: RESERVED_RETRY_S, extra: { budget: short, left, reserved } },
    )
  }
  const until = endOfDay(now)
  return new ServiceError(
    'budget_exhausted',
    `${has} until ${toTimestamp(until)}${more}: ${requests} are asked for`,
    {
      retryAfter: Math.max(1, Math.ceil((until - now) / 1000)),
      extra: { budget: short, left, reserved, until: toTimestamp(until) },
    },
  )
}

const DAY_MS = 86_400_000

/** Runs last seconds to minutes. */
const RESERVED_RETRY_S = 60
