import type { EndpointCalls } from '../calls/call-maker.ts'
import type { Account } from '../shared/account.ts'
import { type DailyBudgets, endOfDay, toDay } from './days.ts'
import { toHost } from './hosts.ts'
import type { LeftToday } from './service.ts'
import type { RateLimitStore } from './store.ts'

/** Returns the remaining budgets of the day for a test of an endpoint. */
export async function tellLeftToday(
  deps: {
    readonly store: Pick<RateLimitStore, 'readDay'>
    readonly daily: DailyBudgets
    readonly now: number
  },
  asked: { readonly account: Account; readonly calls: EndpointCalls; readonly origin: string },
): Promise<LeftToday> {
  const { store, daily, now } = deps
  const { account, calls, origin } = asked
  const host = toHost(origin)
  const [used, key] = await Promise.all([
    store.readDay({ account, host, day: toDay(now) }),
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
