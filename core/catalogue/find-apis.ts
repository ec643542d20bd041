import { toInstantRange } from '../shared/dates.ts'
import type { PageRequest } from '../shared/pages.ts'
import {
  type ChosenFacets,
  type Facet,
  type FacetValue,
  type FilteredApis,
  filterByFacets,
} from './facets.ts'
import type { Api, EndpointSummary } from './records.ts'
import { type FoundApis, searchApis } from './search/search-apis.ts'
import type { ApiFacts, ApiFilter, CatalogueStore } from './store.ts'

/** The store methods that API searches need. */
export type ApiSearchStore = Pick<
  CatalogueStore,
  | 'listApis'
  | 'listFacts'
  | 'findPostings'
  | 'findEndpointPostings'
  | 'findApis'
  | 'findVendors'
  | 'findEndpointSummaries'
>

export interface ApiSearch {
  /** If empty, lists all APIs by name. */
  readonly q: string
  readonly filter: ApiFilter
  /** Filters by facets and computes their values; if absent, no facets are computed. */
  readonly chosen?: ChosenFacets | undefined
  readonly page: PageRequest
  /** Maximum number of matched endpoints per API; 3 by default. */
  readonly maxEndpoints?: number | undefined
}

/** A page of APIs, best first. */
export interface FoundPage {
  readonly apis: readonly Api[]
  /** Number of all matches, not only those on this page. */
  readonly total: number
  /** The endpoints of each API on the page that match best, best first. */
  readonly matched: ReadonlyMap<number, readonly EndpointSummary[]>
  /** Empty unless `ApiSearch.chosen` is set. */
  readonly facets: readonly Facet[]
}

/** Finds APIs by words of their own texts and those of their endpoints, filtered by facets. */
export async function findApis(store: ApiSearchStore, search: ApiSearch): Promise<FoundPage> {
  const { q, filter, chosen, page, maxEndpoints } = search
  if (q.trim() === '' && chosen === undefined) {
    const { items, total } = await store.listApis(filter, page)
    return { apis: items, total, matched: new Map(), facets: [] }
  }
  const { facets, ids, total, endpointIds } =
    chosen === undefined
      ? { facets: [], ...(await searchApis({ store, q, filter, request: page, maxEndpoints })) }
      : await findFilteredApis(store, { ...search, chosen })
  const [apis, summaries] = await Promise.all([
    store.findApis(ids),
    store.findEndpointSummaries([...endpointIds.values()].flat()),
  ])
  const byId = new Map(summaries.map((summary) => [summary.id, summary]))
  const matched = new Map<number, readonly EndpointSummary[]>()
  for (const [apiId, ofApi] of endpointIds) {
    matched.set(
      apiId,
      ofApi.flatMap((id) => byId.get(id) ?? []),
    )
  }
  return { apis, total, matched, facets }
}

async function findFilteredApis(
  store: ApiSearchStore,
  { q, filter, chosen, page, maxEndpoints }: ApiSearch & { readonly chosen: ChosenFacets },
): Promise<Omit<FoundApis, 'scores'> & Pick<FoundPage, 'facets'>> {
  const facts = await store.listFacts()
  if (q.trim() === '') {
    const { apis, facets } = filterByFacets(facts.filter(createFilterPredicate(filter)), chosen)
    const start = (page.page - 1) * page.size
    const ids = apis.slice(start, start + page.size).map(({ id }) => id)
    return {
      facets: await labelChosenVendor(store, facets),
      ids,
      total: apis.length,
      endpointIds: new Map(),
    }
  }
  const byId = new Map(facts.map((each) => [each.id, each]))
  let narrowed: FilteredApis = { apis: [], facets: [] }
  const found = await searchApis({
    store,
    q,
    filter,
    request: page,
    maxEndpoints,
    choose(ids) {
      narrowed = filterByFacets(
        ids.flatMap((id) => byId.get(id) ?? []),
        chosen,
      )
      return new Set(narrowed.apis.map(({ id }) => id))
    },
  })
  return { ...found, facets: await labelChosenVendor(store, narrowed.facets) }
}

/** Looks up the name of a chosen vendor without results: no result contains its name. */
async function labelChosenVendor(
  store: ApiSearchStore,
  facets: readonly Facet[],
): Promise<readonly Facet[]> {
  const isNameless = ({ value, count, isChosen }: FacetValue) =>
    isChosen && count === 0 && /^\d{1,15}$/.test(value)
  const ofVendors = facets.find(({ name }) => name === 'vendor')
  const id = ofVendors?.values.find(isNameless)?.value
  if (id === undefined) return facets
  const [vendor] = await store.findVendors([Number(id)])
  if (!vendor) return facets
  const name = (value: FacetValue) => (isNameless(value) ? { ...value, label: vendor.name } : value)
  return facets.map((facet) =>
    facet === ofVendors ? { ...facet, values: facet.values.map(name) } : facet,
  )
}

/** Applies the same conditions as storages do. */
function createFilterPredicate(filter: ApiFilter): (api: ApiFacts) => boolean {
  const { from = -Infinity, before = Infinity } = toInstantRange(filter)
  return ({ createdAt, isPublic }) =>
    createdAt >= from && createdAt < before && (filter.isPublic ?? isPublic) === isPublic
}
