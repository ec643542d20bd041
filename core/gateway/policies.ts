import type { AccountStore } from '../accounts/store.ts'
import type { CatalogueStore } from '../catalogue/store.ts'
import { createNotFoundError, type InputIssue, ServiceError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Account } from '../shared/account.ts'
import type { MaybePromise } from '../shared/maybe-promise.ts'
import type { KeyPolicy } from './records.ts'
import { createShortCache } from './short-cache.ts'
import type { GatewayStore } from './store.ts'
import type { GatewayTarget } from './targets.ts'

/** A new policy for a key. Absent members set no limit. */
export interface PolicyRequest {
  readonly keyId: string
  /** Vendor names. */
  readonly vendors?: readonly string[] | undefined
  /** `encrypted_id`s or numeric IDs. */
  readonly apiIds?: readonly string[] | undefined
  /** Upper case. */
  readonly methods?: readonly string[] | undefined
  readonly dailyBudget?: number | undefined
}

/** A policy with the names of its vendors that still exist. */
export interface NamedPolicy {
  readonly policy: KeyPolicy
  readonly vendors: readonly string[]
}

/**
 * Policies of API keys. A change takes effect immediately in this process, within a second in
 * others.
 */
export interface Policies {
  /** Returns the policy of a key; undefined if it has none. */
  find(account: Account, keyId: string): MaybePromise<KeyPolicy | undefined>
  /** Throws `not_found` for an unknown key, `invalid_input` for unknown vendors or APIs. */
  put(account: Account, request: PolicyRequest): Promise<NamedPolicy>
  list(account: Account): Promise<readonly NamedPolicy[]>
  /** Throws `not_found` if the key has none. */
  remove(account: Account, keyId: string): Promise<void>
}

/** Throws `call_not_permitted` unless the policy permits the call. */
export function checkPolicy(
  policy: KeyPolicy,
  { method, apiId, vendorId }: Pick<GatewayTarget, 'method' | 'apiId' | 'vendorId'>,
): void {
  const { apiIds, vendorIds, methods } = policy
  const isListed =
    (apiIds === undefined && vendorIds === undefined) ||
    apiIds?.includes(apiId) === true ||
    vendorIds?.includes(vendorId) === true
  if (!isListed) {
    throw new ServiceError(
      'call_not_permitted',
      'The policy of the key does not include this API. An administrator can change the policy',
    )
  }
  if (methods === undefined || methods.includes(method)) return
  throw new ServiceError(
    'call_not_permitted',
    `The policy of the key does not permit ${method}. Permitted methods: ${methods.join(', ') || 'none'}`,
  )
}

/** Creates the policies. `onChange` is called for every key whose policy is changed here. */
export function createPolicies(deps: {
  readonly store: GatewayStore
  readonly catalogue: Pick<CatalogueStore, 'findVendor' | 'findVendors' | 'findApi'>
  readonly accounts: Pick<AccountStore, 'listKeys'>
  readonly clock: Clock
  readonly onChange: (keyId: string) => void
}): Policies {
  const { store, catalogue, clock } = deps
  const known = createShortCache<KeyPolicy | undefined>(clock)

  function forget(keyId: string): void {
    known.forget()
    deps.onChange(keyId)
  }

  async function findVendorIds(names: readonly string[], issues: InputIssue[]) {
    const ids = new Set<number>()
    for (const name of names) {
      const vendor = await catalogue.findVendor(name)
      if (vendor) ids.add(vendor.id)
      else
        issues.push({
          in: 'body',
          name: 'vendors',
          message: `contains an unknown vendor: "${name}"`,
        })
    }
    return [...ids]
  }

  async function findApiIds(apiIds: readonly string[], issues: InputIssue[]) {
    const ids = new Set<number>()
    for (const id of apiIds) {
      const api = await catalogue.findApi(id)
      if (api) ids.add(api.id)
      else issues.push({ in: 'body', name: 'api_ids', message: `contains an unknown API: "${id}"` })
    }
    return [...ids]
  }

  async function addVendorNames(policies: readonly KeyPolicy[]): Promise<readonly NamedPolicy[]> {
    const ids = [...new Set(policies.flatMap(({ vendorIds }) => vendorIds ?? []))]
    const names = new Map((await catalogue.findVendors(ids)).map(({ id, name }) => [id, name]))
    return policies.map((policy) => ({
      policy,
      vendors: (policy.vendorIds ?? []).flatMap((id) => names.get(id) ?? []),
    }))
  }

  return {
    find(account, keyId) {
      // Key IDs are unique, but a host that authenticates users itself may reuse them.
      const key = `${account.id} ${keyId}`
      const entry = known.peek(key)
      return entry ? entry.value : known.get(key, () => store.findPolicy(account, keyId))
    },

    async put(account, request) {
      const { keyId } = request
      const keys = await deps.accounts.listKeys(account)
      if (!keys.some(({ id }) => id === keyId)) throw createKeyNotFoundError(keyId)
      const issues: InputIssue[] = []
      const policy: KeyPolicy = {
        keyId,
        vendorIds: request.vendors && (await findVendorIds(request.vendors, issues)),
        apiIds: request.apiIds && (await findApiIds(request.apiIds, issues)),
        methods: request.methods && [...new Set(request.methods)],
        dailyBudget: request.dailyBudget,
        updatedAt: clock(),
      }
      const detail = issues.map(({ name, message }) => `${name} ${message}`).join('; ')
      if (issues.length > 0) throw new ServiceError('invalid_input', detail, { issues })
      await store.savePolicy(account, policy).finally(() => forget(keyId))
      const [named] = await addVendorNames([policy])
      return named ?? { policy, vendors: [] }
    },

    async list(account) {
      return addVendorNames(await store.listPolicies(account))
    },

    async remove(account, keyId) {
      const isRemoved = await store.removePolicy(account, keyId).finally(() => forget(keyId))
      if (!isRemoved) throw createNotFoundError('Policy')
    },
  }
}

function createKeyNotFoundError(keyId: string): ServiceError {
  return createNotFoundError('API key', keyId)
}
