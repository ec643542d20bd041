import { compareCodePoints } from '../../shared/text.ts'
import type { ApiPosting, EndpointPosting } from '../store.ts'
import { API_ITSELF, visitEndpoints } from './packing.ts'
import { LEVELS_PER_WEIGHT } from './postings.ts'
import type { QueryWord } from './query-words.ts'
import type { TermPlan } from './term-plan.ts'
import { createWordTable } from './word-table.ts'

/** An API that contains at least one query word. */
export interface RankedApi {
  readonly id: number
  /** Folded, to break ties. */
  readonly name: string
  /** 0 to 1, higher is better. */
  readonly score: number
  /**
   * True if a word was found only through a loose variant, such as a longer word that starts with
   * it.
   */
  readonly isLoose: boolean
  /** The words found through any variant, one bit each. */
  readonly words: number
}

/** An endpoint of a ranked API that contains at least one query word. */
export interface RankedEndpoint {
  readonly id: number
  readonly score: number
}

/** The APIs that contain a word, best first, and the rarity of each word. */
export interface ApiRanking {
  readonly apis: readonly RankedApi[]
  /** By word: 1 for a word that every found API contains, more for rarer words. */
  readonly rarities: readonly number[]
}

/**
 * Ranks APIs by the words they contain. Rare words count more, each further occurrence counts less,
 * and APIs with more of the words come first.
 */
export function rankApis(
  postings: readonly ApiPosting[],
  query: { readonly words: readonly QueryWord[]; readonly plan: TermPlan },
): ApiRanking {
  const table = createWordTable(query.words.length)
  const notes = query.plan.wordFactors.map(table.createRecorder)
  const found = new Map<number, { readonly name: string; readonly row: number }>()
  for (const { term, apiId, weight, name } of postings) {
    let entry = found.get(apiId)
    if (!entry) {
      entry = { name, row: table.addRow() }
      found.set(apiId, entry)
    }
    notes[term]?.(entry.row, saturateWeight(weight, API_HALF))
  }
  const rarities = table.computeRarities()
  const apis: RankedApi[] = []
  for (const [id, { name, row }] of found) {
    apis.push({
      id,
      name,
      score: table.computeScore(row, { rarities }),
      isLoose: table.isLoose(row),
      words: table.getWordBits(row),
    })
  }
  return { apis: apis.sort(compareApis), rarities }
}

/**
 * Drops APIs (sorted) that score far below a better one that contains all of their words and more:
 * for "currency exchange rates", those that only rate something. Keeps an API that contains a word
 * the better ones lack, and all APIs of a one-word query.
 */
export function dropTail(apis: readonly RankedApi[]): readonly RankedApi[] {
  const leaders: RankedApi[] = []
  for (const api of apis) {
    if (leaders.length === MAX_LEADERS) break
    if (!leaders.some(({ words }) => words === api.words)) leaders.push(api)
  }
  const isBehind = ({ words, score }: RankedApi) =>
    leaders.some(
      (leader) =>
        leader.words !== words &&
        (leader.words & words) === words &&
        score < TAIL_SHARE * leader.score,
    )
  return leaders.length > 1 ? apis.filter((api) => !isBehind(api)) : apis
}

/** An API with a smaller share of the better one's score is dropped. */
const TAIL_SHARE = 0.2
/** APIs are compared with this many of the best sets of matched words, to bound the time. */
const MAX_LEADERS = 8

/**
 * Returns the endpoints that contain a word, by API, sorted by score, then ID; at most
 * `maxEndpoints` per API, and the API itself.
 */
export function rankEndpoints(
  postings: readonly EndpointPosting[],
  query: EndpointQuery,
): ReadonlyMap<number, readonly RankedEndpoint[]> {
  const byApi = new Map<number, EndpointPosting[]>()
  for (const posting of postings) {
    const ofApi = byApi.get(posting.apiId)
    if (ofApi) ofApi.push(posting)
    else byApi.set(posting.apiId, [posting])
  }
  return new Map([...byApi].map(([apiId, ofApi]) => [apiId, rankApiEndpoints(ofApi, query)]))
}

interface EndpointQuery {
  readonly plan: TermPlan
  readonly rarities: readonly number[]
  readonly maxEndpoints: number
}

/** Ranks one API at a time: a table of all their endpoints would exceed the processor's cache. */
function rankApiEndpoints(
  postings: readonly EndpointPosting[],
  { plan, rarities, maxEndpoints }: EndpointQuery,
): readonly RankedEndpoint[] {
  const table = createWordTable(rarities.length)
  const rows = new Map<number, number>()
  for (const { term, endpoints } of postings) {
    const note = table.createRecorder(plan.wordFactors[term] ?? [])
    visitEndpoints(endpoints, (id, level) => {
      let row = rows.get(id)
      if (row === undefined) {
        row = table.addRow()
        rows.set(id, row)
      }
      note(row, LEVEL_VALUES[level] ?? 0)
    })
  }
  const own = rows.get(API_ITSELF)
  const inherited = own === undefined ? undefined : table.getInheritedValues(own)
  const best: RankedEndpoint[] = []
  for (const [id, row] of rows) {
    const heritage = id === API_ITSELF ? undefined : inherited
    const score = table.computeScore(row, { rarities, heritage })
    // The API itself may be among the best.
    insertBestEndpoint(best, { id, score }, maxEndpoints + 1)
  }
  return best
}

/**
 * Inserts an endpoint at its rank: an API may have thousands, of which only the best are returned.
 */
function insertBestEndpoint(
  best: RankedEndpoint[],
  endpoint: RankedEndpoint,
  maxLength: number,
): void {
  const { id, score } = endpoint
  const isBefore = (other: RankedEndpoint) =>
    score > other.score || (score === other.score && id < other.id)
  const last = best[maxLength - 1]
  if (last && !isBefore(last)) return
  const at = best.findIndex(isBefore)
  best.splice(at === -1 ? best.length : at, 0, endpoint)
  if (best.length > maxLength) best.pop()
}

/** Sorts by score, highest first; then by folded name in code point order, then by ID. */
export function compareApis(
  a: Pick<RankedApi, 'id' | 'name' | 'score'>,
  b: Pick<RankedApi, 'id' | 'name' | 'score'>,
): number {
  return b.score - a.score || compareCodePoints(a.name, b.name) || a.id - b.id
}

const API_HALF = 5
const ENDPOINT_HALF = 3
/** Saturated value of an endpoint, by level. */
const LEVEL_VALUES = Float64Array.from({ length: 256 }, (_, level) =>
  saturateWeight(level / LEVELS_PER_WEIGHT, ENDPOINT_HALF),
)

function saturateWeight(weight: number, half: number): number {
  return weight / (weight + half)
}
