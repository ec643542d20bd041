import { ServiceError } from '../http/problems.ts'
import type { Page, PageRequest } from '../shared/pages.ts'
import { type ChosenFacets, type Facet, type Narrowed, narrowDown } from './facets.ts'
import type { AgreementLink, Api, Endpoint, EndpointSummary } from './records.ts'
import { searchApis } from './search/query.ts'
import type { ApiFacts, CatalogueStore, EndpointFilter } from './store.ts'

/** Reads of the catalogue beyond its operations, for people who look around in it. */
export interface Catalogue {
  /**
   * Finds APIs as `searchEndpoints` does, narrowed down by what is chosen, with what else can be
   * chosen. An empty `q`: all by name.
   */
  browse(request: {
    readonly q: string
    readonly chosen: ChosenFacets
    readonly page: PageRequest
  }): Promise<BrowsedApis>
  /** By encrypted or numeric id. Throws `not_found`. */
  getApi(id: string): Promise<Api>
  /** By short or numeric id. Throws `not_found`. */
  getEndpoint(id: string): Promise<Endpoint>
  /** In order of id, inbound ones included. */
  listEndpoints(filter: EndpointFilter, request: PageRequest): Promise<Page<Endpoint>>
  /** Of the API and of its vendor, in the order they were entered. */
  listAgreements(api: Api): Promise<{
    readonly own: readonly AgreementLink[]
    readonly vendor: readonly AgreementLink[]
  }>
  /** How many APIs there are. */
  countApis(): Promise<number>
  /** What is known of all APIs without their descriptions; kept until the catalogue changes. */
  listFacts(): Promise<readonly ApiFacts[]>
}

/** A page of APIs, and what can be chosen. */
export interface BrowsedApis extends Page<BrowsedApi> {
  readonly facets: readonly Facet[]
}

/** An API that was found. */
export interface BrowsedApi {
  readonly api: Api
  readonly facts: Pick<ApiFacts, 'endpoints' | 'deprecated'>
  readonly agreements: readonly AgreementLink[]
  /** Its endpoints that match best, at most three, best first; none for an empty `q`. */
  readonly matched: readonly EndpointSummary[]
}

type Store = Pick<
  CatalogueStore,
  | 'listFacts'
  | 'findPostings'
  | 'findEndpointPostings'
  | 'findApis'
  | 'findApi'
  | 'findEndpoint'
  | 'findEndpointSummaries'
  | 'listAgreements'
  | 'listVendorAgreements'
  | 'listEndpointPage'
>

/** Creates the reads over the catalogue's repository. */
export function createCatalogue(store: Store): Catalogue {
  async function find({ q, chosen, page }: Parameters<Catalogue['browse']>[0]) {
    const facts = await store.listFacts()
    if (q.trim() === '') {
      const { fitting, facets } = narrowDown(facts, chosen)
      const start = (page.page - 1) * page.size
      const ids = fitting.slice(start, start + page.size).map(({ id }) => id)
      const endpointIds: ReadonlyMap<number, readonly number[]> = new Map()
      return { facts, facets, found: { ids, total: fitting.length, endpointIds } }
    }
    const byId = new Map(facts.map((each) => [each.id, each]))
    let narrowed: Narrowed = { fitting: [], facets: [] }
    const found = await searchApis({
      store,
      q,
      filter: {},
      request: page,
      choose(ids) {
        narrowed = narrowDown(
          ids.flatMap((id) => byId.get(id) ?? []),
          chosen,
        )
        return new Set(narrowed.fitting.map(({ id }) => id))
      },
    })
    return { facts, facets: narrowed.facets, found }
  }

  return {
    async browse(request) {
      const { facts, facets, found } = await find(request)
      const { ids, total, endpointIds } = found
      const [apis, summaries, agreements] = await Promise.all([
        store.findApis(ids),
        store.findEndpointSummaries([...endpointIds.values()].flat()),
        Promise.all(ids.map(async (id) => [id, await store.listAgreements(id)] as const)),
      ])
      const ofApis = new Map(facts.map((each) => [each.id, each]))
      const byId = new Map(summaries.map((each) => [each.id, each]))
      const links = new Map(agreements)
      const items = apis.map((api) => ({
        api,
        facts: ofApis.get(api.id) ?? { endpoints: 0, deprecated: 0 },
        agreements: links.get(api.id) ?? [],
        matched: (endpointIds.get(api.id) ?? []).flatMap((id) => byId.get(id) ?? []),
      }))
      return { items, total, facets }
    },

    async getApi(id) {
      const api = await store.findApi(id)
      if (api) return api
      throw new ServiceError('not_found', 'There is no such API; it may have been removed')
    },

    async getEndpoint(id) {
      const endpoint = await store.findEndpoint(id)
      if (endpoint) return endpoint
      throw new ServiceError('not_found', 'There is no such endpoint; it may have been removed')
    },

    listEndpoints: (filter, request) => store.listEndpointPage(filter, request),

    async listAgreements({ id, vendor }) {
      const [own, ofVendor] = await Promise.all([
        store.listAgreements(id),
        store.listVendorAgreements(vendor.id),
      ])
      return { own, vendor: ofVendor }
    },

    countApis: async () => (await store.listFacts()).length,

    listFacts: () => store.listFacts(),
  }
}
