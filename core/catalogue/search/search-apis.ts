import type { PageRequest } from '../../shared/pages.ts'
import { createYieldIfDue } from '../../shared/time-slices.ts'
import type { ApiFilter, CatalogueStore } from '../store.ts'
import { API_ITSELF } from './packing.ts'
import { parseQueryWords, type QueryWord } from './query-words.ts'
import {
  type ApiRanking,
  compareApis,
  dropTail,
  type RankedApi,
  type RankedEndpoint,
  rankApis,
  rankEndpoints,
} from './ranking.ts'
import {
  findCommonWords,
  planTerms,
  selectPrefixes,
  selectTerms,
  type TermSelection,
} from './term-plan.ts'

/** The store methods that searches need. */
export type SearchStore = Pick<CatalogueStore, 'findPostings' | 'findEndpointPostings'>

/** One page of found APIs. */
export interface FoundApis {
  /** The page's APIs, best first. */
  readonly ids: readonly number[]
  /** Number of all APIs found after `dropTail`; the same on every page. */
  readonly total: number
  /** The endpoints of each API on the page that match best, best first. */
  readonly endpointIds: ReadonlyMap<number, readonly number[]>
  /** Score of each API on the page, 0 to 1. */
  readonly scores: ReadonlyMap<number, number>
}

/**
 * Finds APIs by any word of their own texts and those of their endpoints (contract 4.3). Sorts by
 * score, then folded name, then ID; the order does not depend on the requested page.
 *
 * Bounds and exclusions:
 * - Stop words, common verbs and qualifiers such as `upcoming` match nothing if the query has other words.
 * - A word that 200 APIs contain is not used as a prefix. At most four prefixes have three
 *   characters or fewer.
 * - APIs that match far fewer words than a better one are dropped before paging, counting and
 *   facets (see `dropTail`), unless `choose` selects none of the others.
 * - Only the first 16 words of the first 256 characters are used.
 *
 * A query without words has no results.
 */
export async function searchApis(search: {
  readonly store: SearchStore
  readonly q: string
  readonly filter: ApiFilter
  readonly request: PageRequest
  /** Selects among the IDs found; called again if it selects none. If absent, all are selected. */
  readonly choose?: (ids: readonly number[]) => ReadonlySet<number>
  /** Maximum number of endpoints per API; 3 by default. */
  readonly maxEndpoints?: number | undefined
}): Promise<FoundApis> {
  const { store, request, maxEndpoints = 3 } = search
  const found = chooseApis(await findRanking(search), search.choose)
  const start = (request.page - 1) * request.size
  const end = start + request.size
  const isNear = start < RERANKED_APIS
  const window = found.apis.slice(isNear ? 0 : start, isNear ? Math.max(RERANKED_APIS, end) : end)
  const endpoints = await findRankedEndpoints(store, { ...found, apis: window }, maxEndpoints)
  const near = window
    .slice(0, isNear ? RERANKED_APIS : 0)
    .map((api) => ({
      ...api,
      score: api.score + ENDPOINT_SHARE * (endpoints.get(api.id)?.[0]?.score ?? 0),
    }))
    .sort(compareApis)
  const ranked = [...near, ...found.apis.slice(near.length)]
  const shown = ranked.slice(start, end)
  const ids = shown.map(({ id }) => id)
  const endpointIds = new Map(
    ids.map((id) => [
      id,
      (endpoints.get(id) ?? [])
        .filter(isEndpoint)
        .slice(0, maxEndpoints)
        .map((endpoint) => endpoint.id),
    ]),
  )
  const scores = new Map(shown.map(({ id, score }) => [id, score / (1 + ENDPOINT_SHARE)]))
  return { ids, total: found.apis.length, endpointIds, scores }
}

/** Selects among the APIs without the tail, or among all if nothing else is left. */
function chooseApis(
  found: Ranking,
  choose: ((ids: readonly number[]) => ReadonlySet<number>) | undefined,
): Ranking {
  if (!choose) return found
  const filter = (apis: readonly RankedApi[]) => {
    const chosen = choose(apis.map(({ id }) => id))
    return apis.filter(({ id }) => chosen.has(id))
  }
  const apis = filter(found.apis)
  const hasTail = found.apis.length < found.all.length
  return { ...found, apis: apis.length === 0 && hasTail ? dropTail(filter(found.all)) : apis }
}

/** Number of top APIs that are re-ranked by their endpoints. */
const RERANKED_APIS = 100
/** Weight of the best endpoint relative to its API. */
const ENDPOINT_SHARE = 1

const isEndpoint = ({ id }: RankedEndpoint) => id !== API_ITSELF

interface Ranking extends ApiRanking {
  readonly words: readonly QueryWord[]
  /** The APIs with those that `dropTail` drops. */
  readonly all: readonly RankedApi[]
}

/** Ranks APIs by the strong words, or by the weak ones if the strong ones match nothing. */
async function findRanking(search: {
  readonly store: SearchStore
  readonly q: string
  readonly filter: ApiFilter
}): Promise<Ranking> {
  const words = parseQueryWords(search.q)
  const strong = words.filter(({ weakRarity }) => weakRarity === undefined)
  const weak = words.filter(({ weakRarity }) => weakRarity !== undefined)
  const ranking = await rankByWords(search, strong)
  if (ranking.apis.length === 0 && weak.length > 0) {
    const found = await rankByWords(search, weak)
    return { words: weak, ...found, all: found.apis }
  }
  const rarities = [...ranking.rarities, ...weak.map(({ weakRarity = 0 }) => weakRarity)]
  const all = ranking.apis
  return { words: [...strong, ...weak], all, apis: dropTail(all), rarities }
}

async function rankByWords(
  search: { readonly store: SearchStore; readonly filter: ApiFilter },
  words: readonly QueryWord[],
): Promise<ApiRanking> {
  if (words.length === 0) return { apis: [], rarities: [] }
  const { store, filter } = search
  const plan = planTerms(words)
  const find = async ({ terms, numbers }: TermSelection) => {
    if (terms.length === 0) return []
    const postings = await store.findPostings(terms, filter)
    return postings.map((posting) => ({ ...posting, term: numbers[posting.term] ?? 0 }))
  }
  const whole = await find(selectTerms(plan, ({ isPrefix }) => !isPrefix))
  const common = findCommonWords(whole, plan)
  const starts = await find(
    selectPrefixes(plan, (uses) => !uses.every(({ word }) => common.has(word))),
  )
  const pause = createYieldIfDue()
  await pause()
  return rankApis([...whole, ...starts], { words, plan })
}

async function findRankedEndpoints(
  store: SearchStore,
  found: Ranking,
  maxEndpoints: number,
): Promise<ReadonlyMap<number, readonly RankedEndpoint[]>> {
  const plan = planTerms(found.words)
  const find = async ({ terms, numbers }: TermSelection, apis: readonly RankedApi[]) => {
    if (terms.length === 0 || apis.length === 0) return []
    const ids = apis.map(({ id }) => id)
    const postings = await store.findEndpointPostings(terms, ids)
    return postings.map((posting) => ({ ...posting, term: numbers[posting.term] ?? 0 }))
  }
  const whole = selectTerms(plan, ({ isPrefix }) => !isPrefix)
  const starts = selectPrefixes(plan)
  const ranked = new Map<number, readonly RankedEndpoint[]>()
  const pause = createYieldIfDue()
  for (let start = 0; start < found.apis.length; start += APIS_AT_ONCE) {
    const apis = found.apis.slice(start, start + APIS_AT_ONCE)
    const loose = apis.filter(({ isLoose }) => isLoose)
    const postings = await Promise.all([find(whole, apis), find(starts, loose)])
    const endpoints = rankEndpoints(postings.flat(), {
      plan,
      rarities: found.rarities,
      maxEndpoints,
    })
    for (const [apiId, ofApi] of endpoints) ranked.set(apiId, ofApi)
    await pause()
  }
  return ranked
}

/** Number of APIs whose endpoints are read and ranked without yielding to the event loop. */
const APIS_AT_ONCE = 4
