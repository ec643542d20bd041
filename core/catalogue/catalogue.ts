import { ServiceError } from '../errors.ts'
import type { Page, PageRequest } from '../shared/pages.ts'
import type { ChosenFacets, Facet } from './facets.ts'
import { type ApiSearchStore, findApis } from './find-apis.ts'
import type { AgreementLink, Api, Endpoint, EndpointSummary } from './records.ts'
import type { ApiFacts, CatalogueStore, EndpointFilter } from './store.ts'

/** Reads of the catalogue for browsing, beyond the API operations. */
export interface Catalogue {
  /**
   * Finds APIs as `searchEndpoints` does, filtered by the chosen facets, with the remaining facet
   * values. An empty `q` lists all APIs by name.
   */
  browse(request: {
    readonly q: string
    readonly chosen: ChosenFacets
    readonly page: PageRequest
  }): Promise<BrowsedApis>
  /** By encrypted or numeric ID. Throws `not_found`. */
  getApi(id: string): Promise<Api>
  /** By short or numeric ID. Throws `not_found`. */
  getEndpoint(id: string): Promise<Endpoint>
  /** In order of ID, inbound ones included. */
  listEndpoints(filter: EndpointFilter, request: PageRequest): Promise<Page<Endpoint>>
  /** Agreements of the API and of its vendor, each in the order they were entered. */
  listAgreements(api: Api): Promise<{
    readonly own: readonly AgreementLink[]
    readonly vendor: readonly AgreementLink[]
  }>
  countApis(): Promise<number>
  /** Facts of all APIs without their descriptions; cached until the catalogue changes. */
  listFacts(): Promise<readonly ApiFacts[]>
  /**
   * Re-indexes APIs whose search terms follow the rules of an earlier release. Searches start it
   * without waiting for it, and read the earlier terms until it ends.
   */
  updateSearch(): Promise<void>
}

/** A page of APIs with facet values. */
export interface BrowsedApis extends Page<BrowsedApi> {
  readonly facets: readonly Facet[]
}

/** An API that was found. */
export interface BrowsedApi {
  readonly api: Api
  readonly facts: Pick<ApiFacts, 'endpoints' | 'deprecated'>
  readonly agreements: readonly AgreementLink[]
  /** The endpoints that match best, at most three, best first; empty for an empty `q`. */
  readonly matched: readonly EndpointSummary[]
}

type CatalogueReadStore = ApiSearchStore &
  Pick<
    CatalogueStore,
    'findApi' | 'findEndpoint' | 'listAgreements' | 'listVendorAgreements' | 'listEndpointPage'
  >

/** Creates the catalogue reads over a store. */
export function createCatalogue(
  store: CatalogueReadStore,
  { updateSearch }: Pick<Catalogue, 'updateSearch'>,
): Catalogue {
  return {
    updateSearch,

    async browse(request) {
      if (request.q !== '') void updateSearch()
      const { apis, total, matched, facets } = await findApis(store, { ...request, filter: {} })
      const [facts, agreements] = await Promise.all([
        store.listFacts(),
        Promise.all(apis.map(async ({ id }) => [id, await store.listAgreements(id)] as const)),
      ])
      const ofApis = new Map(facts.map((each) => [each.id, each]))
      const links = new Map(agreements)
      const items = apis.map((api) => ({
        api,
        facts: ofApis.get(api.id) ?? { endpoints: 0, deprecated: 0 },
        agreements: links.get(api.id) ?? [],
        matched: matched.get(api.id) ?? [],
      }))
      return { items, total, facets }
    },

    async getApi(id) {
      const api = await store.findApi(id)
      if (api) return api
      throw new ServiceError('not_found', 'API not found; it may have been removed')
    },

    async getEndpoint(id) {
      const endpoint = await store.findEndpoint(id)
      if (endpoint) return endpoint
      throw new ServiceError('not_found', 'Endpoint not found; it may have been removed')
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
