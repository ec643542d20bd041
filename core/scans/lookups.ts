import type { AuthType } from '../catalogue/auth-types.ts'
import type { AgreementLink, Api, EndpointSummary } from '../catalogue/records.ts'
import type { CatalogueStore } from '../catalogue/store.ts'
import type { GatewayStore } from '../gateway/store.ts'
import type { HeaderLine } from '../ports/egress.ts'
import type { FindGeolocation, Geolocation } from '../ports/geolocation.ts'
import type { Account } from '../shared/account.ts'
import { memoizeById, memoizeByIds } from '../shared/memoize.ts'
import type { CatalogueMatch } from './records.ts'
import type { ScanStore } from './store.ts'
import { toCapturedIp } from './stored-rows.ts'

/** Catalogue entries of a match. */
export interface MatchedApi {
  readonly api: Api
  /** Undefined if only the API is known, or the endpoint was removed since. */
  readonly endpoint: EndpointSummary | undefined
}

/** Observed facts about an endpoint's server. */
export interface Observation {
  /** Headers of the last recorded or published response. */
  readonly headers: readonly HeaderLine[]
  readonly geolocation: Geolocation | undefined
}

/** Reads the catalogue entries for one response, each only once. Memory is bounded. */
export interface Lookups {
  /**
   * Loads APIs, endpoints, agreements and published headers of a page of matches, one read each.
   */
  prepare(matches: readonly CatalogueMatch[]): Promise<void>
  find(match: CatalogueMatch): Promise<MatchedApi | undefined>
  /** Authentication types of the endpoint, else of the API. */
  authTypes(match: CatalogueMatch): Promise<readonly AuthType[]>
  agreements(apiId: number): Promise<readonly AgreementLink[]>
  observe(match: CatalogueMatch): Promise<Observation>
}

/** Dependencies of the lookups. */
export interface LookupDeps {
  readonly catalogue: Pick<
    CatalogueStore,
    'findApi' | 'findApis' | 'findEndpoint' | 'findEndpointSummaries' | 'listAgreementsOf'
  >
  readonly responses: Pick<GatewayStore, 'listRecordings' | 'findPublishedHeaders'>
  readonly scans: Pick<ScanStore, 'findFlow'>
  readonly places: FindGeolocation | undefined
}

/** Creates the lookups for one response to an account. */
export function createLookups(deps: LookupDeps, account: Account): Lookups {
  const { catalogue, responses, scans, places } = deps
  const findApis = memoizeByIds(async (ids) => indexById(await catalogue.findApis(ids)))
  const findEndpoints = memoizeByIds(async (ids) =>
    indexById(await catalogue.findEndpointSummaries(ids)),
  )
  const findAgreements = memoizeByIds((ids) => catalogue.listAgreementsOf(ids))
  const findPublished = memoizeByIds((ids) => responses.findPublishedHeaders(ids))
  const findAuthTypes = memoizeById(
    async (id) => (await catalogue.findEndpoint(String(id)))?.authTypes,
  )
  let recordings: Promise<ReadonlyMap<number, readonly HeaderLine[]>> | undefined

  /** Returns the newest recording of each endpoint; an account has at most 100. */
  async function readRecordings() {
    const { items } = await responses.listRecordings(account, { size: 100, page: 1 })
    return new Map(items.toReversed().map(({ endpointId, headers }) => [endpointId, headers]))
  }

  async function findHeaders(endpointId: number): Promise<readonly HeaderLine[]> {
    recordings ??= readRecordings()
    const recorded = (await recordings).get(endpointId)
    return recorded ?? (await findPublished([endpointId])).get(endpointId) ?? []
  }

  const findGeolocation = memoizeById(async (apiId) => {
    if (!places) return undefined
    const flow = await scans.findFlow(account, apiId)
    return flow && places(toCapturedIp(flow))
  })

  async function findApi(apiId: number): Promise<Api | undefined> {
    return (await findApis([apiId])).get(apiId)
  }

  return {
    async prepare(matches) {
      const apiIds = matches.map(({ apiId }) => apiId)
      const endpointIds = matches.flatMap(({ endpointId }) => endpointId ?? [])
      await findApis(apiIds)
      await findEndpoints(endpointIds)
      await findAgreements(apiIds)
      await findPublished(endpointIds)
    },
    async find({ apiId, endpointId }) {
      const api = await findApi(apiId)
      const endpoint =
        endpointId === undefined ? undefined : (await findEndpoints([endpointId])).get(endpointId)
      return api && { api, endpoint }
    },
    async authTypes({ apiId, endpointId }) {
      const own = endpointId === undefined ? undefined : await findAuthTypes(endpointId)
      return own ?? (await findApi(apiId))?.authTypes ?? []
    },
    agreements: async (apiId) => (await findAgreements([apiId])).get(apiId) ?? [],
    observe: async ({ apiId, endpointId }) => ({
      headers: endpointId === undefined ? [] : await findHeaders(endpointId),
      geolocation: await findGeolocation(apiId),
    }),
  }
}

function indexById<Item extends { readonly id: number }>(
  items: readonly Item[],
): ReadonlyMap<number, Item> {
  return new Map(items.map((item) => [item.id, item]))
}
