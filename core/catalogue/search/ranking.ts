import type { ApiPosting, EndpointPosting } from '../store.ts'
import { API_ITSELF, visitEndpoints } from './packing.ts'
import type { TermPlan } from './plan.ts'
import { LEVELS_PER_WEIGHT } from './postings.ts'
import { createWordTable } from './word-table.ts'
import type { QueryWord } from './words.ts'

/** An API that holds at least one word. */
export interface RankedApi {
  readonly id: number
  /** Folded, for ties. */
  readonly name: string
  /** 0 to 1, the greater the better. */
  readonly score: number
  /** Some word was found by a loose way only, such as a longer word that starts with it. */
  readonly isLoose: boolean
  /** The words that it holds in any way, a bit each. */
  readonly words: number
}

/** An endpoint of a ranked API that holds at least one word. */
export interface RankedEndpoint {
  readonly id: number
  readonly score: number
}

/** The APIs that hold a word, best first, and how telling each word turned out to be. */
export interface ApiRanking {
  readonly apis: readonly RankedApi[]
  /** By word: from 1 for a word that every found API has upwards. */
  readonly rarities: readonly number[]
}

/**
 * Ranks APIs by the words they hold: rare words count more, each further occurrence less, and
 * APIs with more of the words come first.
 */
export function rankApis(
  postings: readonly ApiPosting[],
  query: { readonly words: readonly QueryWord[]; readonly plan: TermPlan },
): ApiRanking {
  const table = createWordTable(query.words.length)
  const notes = query.plan.uses.map(table.toNote)
  const found = new Map<number, { readonly name: string; readonly row: number }>()
  for (const { term, apiId, weight, name } of postings) {
    let entry = found.get(apiId)
    if (!entry) {
      entry = { name, row: table.addRow() }
      found.set(apiId, entry)
    }
    notes[term]?.(entry.row, saturate(weight, API_HALF))
  }
  const rarities = table.rarities()
  const apis: RankedApi[] = []
  for (const [id, { name, row }] of found) {
    apis.push({
      id,
      name,
      score: table.score(row, { rarities }),
      isLoose: table.isLoose(row),
      words: table.wordsOf(row),
    })
  }
  return { apis: apis.sort(compareApis), rarities }
}

/**
 * Drops the APIs (sorted) that are far behind a better one which holds all of their words and
 * more: with "currency exchange rates", those that only rate something. An API that holds a word
 * which the better ones lack stays, and so do all APIs found by one word.
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

/** An API of a smaller share of the better one's score is dropped. */
const TAIL_SHARE = 0.1
/** So many sets of words, the best first, are compared with: it bounds the time. */
const MAX_LEADERS = 8

/** The endpoints that hold a word, by API, best first, then by id: four of each at the most. */
export function rankEndpoints(
  postings: readonly EndpointPosting[],
  query: { readonly plan: TermPlan; readonly rarities: readonly number[] },
): ReadonlyMap<number, readonly RankedEndpoint[]> {
  const byApi = new Map<number, EndpointPosting[]>()
  for (const posting of postings) {
    const ofApi = byApi.get(posting.apiId)
    if (ofApi) ofApi.push(posting)
    else byApi.set(posting.apiId, [posting])
  }
  return new Map([...byApi].map(([apiId, ofApi]) => [apiId, rankOfApi(ofApi, query)]))
}

/** One API after the other: a table of all their endpoints is larger than a processor's cache. */
function rankOfApi(
  postings: readonly EndpointPosting[],
  { plan, rarities }: { readonly plan: TermPlan; readonly rarities: readonly number[] },
): readonly RankedEndpoint[] {
  const table = createWordTable(rarities.length)
  const rows = new Map<number, number>()
  for (const { term, endpoints } of postings) {
    const note = table.toNote(plan.uses[term] ?? [])
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
  const inherited = own === undefined ? undefined : table.toHeritage(own)
  const best: RankedEndpoint[] = []
  for (const [id, row] of rows) {
    const heritage = id === API_ITSELF ? undefined : inherited
    keepBest(best, { id, score: table.score(row, { rarities, heritage }) })
  }
  return best
}

/** Puts an endpoint where it belongs; an API may have thousands of which only these are shown. */
function keepBest(best: RankedEndpoint[], endpoint: RankedEndpoint): void {
  const { id, score } = endpoint
  const isBefore = (other: RankedEndpoint) =>
    score > other.score || (score === other.score && id < other.id)
  const last = best[KEPT - 1]
  if (last && !isBefore(last)) return
  const at = best.findIndex(isBefore)
  best.splice(at === -1 ? best.length : at, 0, endpoint)
  if (best.length > KEPT) best.pop()
}

/** Three are shown, and the API itself may be among the best. */
const KEPT = 4

/** Better first; then by folded name in order of code points, then by id. */
export function compareApis(
  a: Pick<RankedApi, 'id' | 'name' | 'score'>,
  b: Pick<RankedApi, 'id' | 'name' | 'score'>,
): number {
  return b.score - a.score || compareCodePoints(a.name, b.name) || a.id - b.id
}

/** How telling a word is that only orders what others found. */
export const WEAK_RARITY = 0.8

const API_HALF = 5
const ENDPOINT_HALF = 3
/** Of an endpoint, by level. */
const LEVEL_VALUES = Float64Array.from({ length: 256 }, (_, level) =>
  saturate(level / LEVELS_PER_WEIGHT, ENDPOINT_HALF),
)

function saturate(weight: number, half: number): number {
  return weight / (weight + half)
}

function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0
  const [left, right] = [[...a], [...b]]
  for (let index = 0; ; index += 1) {
    const [x, y] = [left[index]?.codePointAt(0) ?? -1, right[index]?.codePointAt(0) ?? -1]
    if (x !== y) return x - y
  }
}
