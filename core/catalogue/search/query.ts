import type { PageRequest } from '../../shared/pages.ts'
import type { ApiFilter, CatalogueStore, EndpointPosting } from '../store.ts'
import { API_ITSELF } from './packing.ts'
import {
  type ApiRanking,
  compareApis,
  planTerms,
  type RankedApi,
  type RankedEndpoint,
  rankApis,
  rankEndpoints,
  type TermPlan,
  WEAK_RARITY,
} from './ranking.ts'
import { type QueryWord, toQueryWords } from './words.ts'

/** What a search reads of the catalogue. */
export type SearchStore = Pick<CatalogueStore, 'findPostings' | 'findEndpointPostings'>

/** One page of found APIs. */
export interface FoundApis {
  /** The page's APIs, best first. */
  readonly ids: readonly number[]
  /** All APIs that hold at least one word that finds. */
  readonly total: number
  /** By API of the page: its endpoints that match best, at most three, best first. */
  readonly endpointIds: ReadonlyMap<number, readonly number[]>
}

/**
 * Finds APIs by any word of what is known of them and their endpoints (contract 4.3), best
 * first, then by folded name, then by id; the order does not depend on the page asked for. At
 * most 16 words of the first 256 characters are looked at. No word: nothing is found.
 */
export async function searchApis(search: {
  readonly store: SearchStore
  readonly q: string
  readonly filter: ApiFilter
  readonly request: PageRequest
}): Promise<FoundApis> {
  const { store, request } = search
  const found = await findRanking(search)
  const start = (request.page - 1) * request.size
  const end = start + request.size
  const isNear = start < WINDOW
  const window = found.apis.slice(isNear ? 0 : start, isNear ? Math.max(WINDOW, end) : end)
  const endpoints = await findEndpoints(store, { ...found, apis: window })
  const near = window
    .slice(0, isNear ? WINDOW : 0)
    .map((api) => ({
      ...api,
      score: api.score + ENDPOINT_SHARE * (endpoints.get(api.id)?.[0]?.score ?? 0),
    }))
    .sort(compareApis)
  const ranked = [...near, ...found.apis.slice(near.length)]
  const ids = ranked.slice(start, end).map(({ id }) => id)
  const endpointIds = new Map(
    ids.map((id) => [
      id,
      (endpoints.get(id) ?? [])
        .filter(isEndpoint)
        .slice(0, 3)
        .map((endpoint) => endpoint.id),
    ]),
  )
  return { ids, total: found.apis.length, endpointIds }
}

/** Finds endpoints in the APIs that match best: best first, then by the API's name, then by id. */
export async function searchEndpoints(search: {
  readonly store: SearchStore
  readonly q: string
  /** At most so many. */
  readonly size: number
}): Promise<readonly { readonly apiId: number; readonly endpointId: number }[]> {
  const found = await findRanking({ ...search, filter: {} })
  const apis = found.apis.slice(0, WINDOW)
  const endpoints = await findEndpoints(search.store, { ...found, apis })
  return apis
    .flatMap(({ id, name, score }) =>
      (endpoints.get(id) ?? [])
        .filter(isEndpoint)
        .slice(0, search.size)
        .map((endpoint) => ({ endpoint, apiId: id, name, score: API_SHARE * score })),
    )
    .map((entry) => ({
      ...entry,
      id: entry.endpoint.id,
      score: entry.score + entry.endpoint.score,
    }))
    .sort(compareApis)
    .slice(0, search.size)
    .map(({ apiId, id }) => ({ apiId, endpointId: id }))
}

/** So many of the APIs that look best are ordered anew by their endpoints. */
const WINDOW = 100
/** What the best endpoint counts beside its API, and the API beside its endpoint. */
const ENDPOINT_SHARE = 1
const API_SHARE = 0.5

const isEndpoint = ({ id }: RankedEndpoint) => id !== API_ITSELF

interface Ranking extends ApiRanking {
  readonly words: readonly QueryWord[]
}

/** APIs by the words that find; by the weak ones when those find nothing. */
async function findRanking(search: {
  readonly store: SearchStore
  readonly q: string
  readonly filter: ApiFilter
}): Promise<Ranking> {
  const words = toQueryWords(search.q)
  const strong = words.filter(({ isWeak }) => !isWeak)
  const weak = words.filter(({ isWeak }) => isWeak)
  const ranking = await rank(search, strong)
  if (ranking.apis.length === 0 && weak.length > 0) {
    return { words: weak, ...(await rank(search, weak)) }
  }
  const rarities = [...ranking.rarities, ...weak.map(() => WEAK_RARITY)]
  return { words: [...strong, ...weak], apis: ranking.apis, rarities }
}

async function rank(
  search: { readonly store: SearchStore; readonly filter: ApiFilter },
  words: readonly QueryWord[],
): Promise<ApiRanking> {
  if (words.length === 0) return { apis: [], rarities: [] }
  const plan = planTerms(words)
  const postings = await search.store.findPostings(plan.terms, search.filter)
  return rankApis(postings, { words, plan })
}

async function findEndpoints(
  store: SearchStore,
  found: Ranking,
): Promise<ReadonlyMap<number, readonly RankedEndpoint[]>> {
  if (found.apis.length === 0) return new Map()
  const plan = planTerms(found.words)
  const isSure = plan.terms.map(({ isPrefix }) => !isPrefix)
  const loose = found.apis.filter(({ isLoose }) => isLoose)
  const postings = await Promise.all([
    findSome(store, { plan, wanted: isSure, apis: found.apis }),
    findSome(store, { plan, wanted: isSure.map((sure) => !sure), apis: loose }),
  ])
  return rankEndpoints(postings.flat(), { plan, rarities: found.rarities })
}

/** Postings of some of the plan's terms, numbered as in the plan. */
async function findSome(
  store: SearchStore,
  some: {
    readonly plan: TermPlan
    readonly wanted: readonly boolean[]
    readonly apis: readonly RankedApi[]
  },
): Promise<readonly EndpointPosting[]> {
  const { plan } = some
  const numbers = [...plan.terms.keys()].filter((number) => some.wanted[number])
  if (numbers.length === 0 || some.apis.length === 0) return []
  const terms = plan.terms.filter((_, number) => some.wanted[number])
  const ids = some.apis.map(({ id }) => id)
  const postings = await store.findEndpointPostings(terms, ids)
  return postings.map((posting) => ({ ...posting, term: numbers[posting.term] ?? 0 }))
}
