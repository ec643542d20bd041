import type { EndpointCalls } from '../calls/call-maker.ts'
import type { Account } from '../shared/account.ts'
import { type DailyBudgets, endOfDay, toUtcDay } from './daily-budgets.ts'
import { toHostAndPort } from './hosts.ts'
import type { LeftToday } from './service.ts'
import type { RateLimitStore } from './store.ts'

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
