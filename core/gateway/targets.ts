import type { CallPlan } from '../calls/call.ts'
import { isAuthentication } from '../catalogue/auth-types.ts'
import type { Endpoint } from '../catalogue/records.ts'
import type { CatalogueStore } from '../catalogue/store.ts'
import { ServiceError } from '../http/problems.ts'
import { createBoundedMap } from '../shared/bounded-map.ts'
import type { MaybePromise } from '../shared/maybe-promise.ts'

/** An endpoint that can be called, with what its calls need of its API. */
export interface Target {
  readonly endpoint: Endpoint
  /** Upper case. */
  readonly method: string
  readonly apiId: number
  readonly vendorId: number
  /** The description of its API says of any endpoint how it is let in. */
  readonly hasSchemes: boolean
  readonly plan: CallPlan
}

/** The catalogue's endpoints, made ready to be called. */
export interface Targets {
  /** By short or numeric id. Throws `not_found`, and `no_server` for what only its vendor calls. */
  find(endpointId: string): MaybePromise<Target>
}

const MAX_TARGETS = 1000

/**
 * Creates the targets over a catalogue. They are kept while the catalogue's revision is the same,
 * the 1,000 used last.
 */
export function createTargets(deps: {
  readonly catalogue: Pick<CatalogueStore, 'findEndpoint' | 'findApi'>
  /** Names the catalogue's present content. A hot read. */
  readonly revision: () => MaybePromise<string>
  readonly createPlan: (endpoint: Endpoint) => CallPlan
}): Targets {
  const { catalogue, createPlan } = deps
  let revision: string | undefined
  let known = createBoundedMap<string, Target>(MAX_TARGETS)

  async function load(id: string): Promise<Target> {
    // What is read here may be newer than the revision, never older.
    const map = known
    const endpoint = await catalogue.findEndpoint(id)
    const api = endpoint && (await catalogue.findApi(String(endpoint.apiId)))
    if (!endpoint || !api) throw new ServiceError('not_found', `There is no endpoint "${id}"`)
    if (endpoint.isInbound) {
      throw new ServiceError(
        'no_server',
        `Cannot call endpoint "${id}": it is a webhook, which only its vendor calls`,
      )
    }
    const target: Target = {
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

  function findAt(now: string, id: string): MaybePromise<Target> {
    if (now !== revision) {
      revision = now
      known = createBoundedMap(MAX_TARGETS)
    }
    const target = known.get(id)
    if (!target) return load(id)
    // Only what is used stays where there are too many.
    if (known.size >= MAX_TARGETS) known.set(id, target)
    return target
  }

  return {
    find(id) {
      const now = deps.revision()
      return now instanceof Promise ? now.then((each) => findAt(each, id)) : findAt(now, id)
    },
  }
}
