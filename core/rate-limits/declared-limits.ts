import type { Endpoint } from '../catalogue/records.ts'
import type { GatewayStore } from '../gateway/store.ts'
import type { Account } from '../shared/account.ts'
import type { DeclaredLimits } from './records.ts'

/**
 * Reads the known limits of an endpoint without sending a request. Earlier calls are those of the
 * account.
 */
export type ReadDeclaredLimits = (account: Account, endpoint: Endpoint) => Promise<DeclaredLimits>

/**
 * Creates the first stage of a rate-limit test. It reads the limits that the endpoint's description
 * declares. It also counts the account's gateway calls of the last 90 days, if the audit log covers
 * them. A call was limited if the target responded with 429; 429 responses by this service do not
 * count.
 */
export function createDeclaredLimitsReader(deps: {
  readonly gateway: Pick<GatewayStore, 'countResponses'>
}): ReadDeclaredLimits {
  return async (account, endpoint) => {
    const { declaredStatuses, rateLimits } = endpoint
    const answers = await deps.gateway.countResponses(account, endpoint.id)
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
