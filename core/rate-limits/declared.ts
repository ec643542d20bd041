import type { Endpoint } from '../catalogue/records.ts'
import type { GatewayStore } from '../gateway/store.ts'
import type { Account } from '../shared/account.ts'
import type { DeclaredLimits } from './records.ts'

/** Gives what is known of an endpoint's limits without a request; of calls, the account's own. */
export type ReadDeclaredLimits = (account: Account, endpoint: Endpoint) => Promise<DeclaredLimits>

/**
 * Creates the first stage of a rate-limit test: what the endpoint's description declares, and what
 * the account's calls through the gateway met in the last 90 days, as long as the audit goes back.
 * A limit was met where the target answered 429; answers of our own are none of the target.
 */
export function readDeclaredLimits(deps: {
  readonly gateway: Pick<GatewayStore, 'countAnswers'>
}): ReadDeclaredLimits {
  return async (account, endpoint) => {
    const { declaredStatuses, rateLimits } = endpoint
    const answers = await deps.gateway.countAnswers(account, endpoint.id)
    let calls = 0
    for (const count of answers.values()) calls += count
    return {
      has429: declaredStatuses.includes('429'),
      headers: rateLimits?.headers ?? [],
      limits: (rateLimits?.limits ?? []).map(({ calls, windowMs, source }) => {
        return { calls, windowMs, source }
      }),
      seen: { calls, limited: answers.get(429) ?? 0 },
    }
  }
}
