import type { CallPlan } from '../calls/call.ts'
import { adviseClient, formatApiKind } from '../catalogue/api-kinds.ts'
import { isAuthentication } from '../catalogue/auth-types.ts'
import type { Endpoint } from '../catalogue/records.ts'
import type { CatalogueStore } from '../catalogue/store.ts'
import { createNotFoundError, ServiceError } from '../errors.ts'
import { createBoundedMap } from '../shared/bounded-map.ts'
import type { MaybePromise } from '../shared/maybe-promise.ts'

/** A callable endpoint, with the required data of its API. */
export interface GatewayTarget {
  readonly endpoint: Endpoint
  /** Upper case. */
  readonly method: string
  readonly apiId: number
  readonly vendorId: number
  /** True if any endpoint of the API declares a security scheme. */
  readonly hasSchemes: boolean
  readonly plan: CallPlan
}

/** Resolves endpoints of the catalogue for calls. */
export interface GatewayTargets {
  /** Resolves a short or numeric ID. Throws `not_found`, and `no_server` for webhooks and agents. */
  find(endpointId: string): MaybePromise<GatewayTarget>
}

const MAX_TARGETS = 1000

/**
 * Creates the targets of a catalogue. The 1,000 most recently used are cached until the catalogue's
 * revision changes.
 */
export function createTargets(deps: {
  readonly catalogue: Pick<CatalogueStore, 'findEndpoint' | 'findApi'>
  /** Returns the revision of the catalogue's content. A hot read. */
  readonly revision: () => MaybePromise<string>
  readonly createPlan: (endpoint: Endpoint) => CallPlan
}): GatewayTargets {
  const { catalogue, createPlan } = deps
  let revision: string | undefined
  let cache = createBoundedMap<string, GatewayTarget>(MAX_TARGETS)

  async function loadTarget(id: string): Promise<GatewayTarget> {
    // Data that is read here may be newer than the revision, never older.
    const map = cache
    const endpoint = await catalogue.findEndpoint(id)
    const api = endpoint && (await catalogue.findApi(String(endpoint.apiId)))
    if (!endpoint || !api) throw createNotFoundError('Endpoint', id)
    if (endpoint.isInbound) {
      throw new ServiceError(
        'no_server',
        `Cannot call endpoint "${id}": it is a webhook, called by its vendor`,
      )
    }
    if (api.kind !== 'http') {
      throw new ServiceError(
        'no_server',
        `Cannot call endpoint "${id}": it belongs to an ${formatApiKind(api.kind)}. ${adviseClient(api)}`,
      )
    }
    const target: GatewayTarget = {
      endpoint,
      method: endpoint.method.toUpperCase(),
      apiId: endpoint.apiId,
      vendorId: api.vendor.id,
      hasSchemes: api.authTypes.some(isAuthentication),
      plan: createPlan(endpoint),
    }
    map.set(id, target)
    return target
  }

  function findInRevision(now: string, id: string): MaybePromise<GatewayTarget> {
    if (now !== revision) {
      revision = now
      cache = createBoundedMap(MAX_TARGETS)
    }
    const target = cache.get(id)
    if (!target) return loadTarget(id)
    // When the cache is full, re-insert used targets so that unused ones are evicted.
    if (cache.size >= MAX_TARGETS) cache.set(id, target)
    return target
  }

  return {
    find(id) {
      const now = deps.revision()
      return now instanceof Promise
        ? now.then((each) => findInRevision(each, id))
        : findInRevision(now, id)
    },
  }
}
