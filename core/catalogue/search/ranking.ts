import type { ApiPosting, EndpointPosting } from '../store.ts'
import { API_ITSELF, visitEndpoints } from './packing.ts'
import type { TermPlan } from './plan.ts'
import { LEVELS_PER_WEIGHT } from './postings.ts'
import { type QueryWord, SURE } from './words.ts'

/** An API that holds at least one word. */
export interface RankedApi {
  readonly id: number
  /** Folded, for ties. */
  readonly name: string
  /** 0 to 1, the greater the better. */
  readonly score: number
  /** Some word was found by a loose way only, such as a longer word that starts with it. */
  readonly isLoose: boolean
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
  const holders = query.plan.uses.map(toHolder)
  const found = new Map<number, { readonly name: string; readonly holds: WordHolds }>()
  for (const { term, apiId, weight, name } of postings) {
    let entry = found.get(apiId)
    if (!entry) {
      entry = { name, holds: createHolds(query.words.length) }
      found.set(apiId, entry)
    }
    holders[term]?.(entry.holds, saturate(weight, API_HALF))
  }
  const rarities = toRarities([...found.values()], query.words.length)
  const apis: RankedApi[] = []
  for (const [id, { name, holds }] of found) {
    const isLoose = holds.factors.some((factor) => factor > 0 && factor < SURE)
    apis.push({ id, name, score: toScore(holds, rarities), isLoose })
  }
  return { apis: apis.sort(compareApis), rarities }
}

/** The endpoints that hold a word, by API, best first, then by id. */
export function rankEndpoints(
  postings: readonly EndpointPosting[],
  query: { readonly plan: TermPlan; readonly rarities: readonly number[] },
): ReadonlyMap<number, readonly RankedEndpoint[]> {
  const size = query.rarities.length
  const holders = query.plan.uses.map(toHolder)
  const byApi = new Map<number, Map<number, WordHolds>>()
  for (const { term, apiId, endpoints } of postings) {
    const found = byApi.get(apiId) ?? new Map<number, WordHolds>()
    byApi.set(apiId, found)
    visitEndpoints(endpoints, (id, level) => {
      let holds = found.get(id)
      if (!holds) {
        holds = createHolds(size)
        found.set(id, holds)
      }
      holders[term]?.(holds, saturate(level / LEVELS_PER_WEIGHT, ENDPOINT_HALF))
    })
  }
  const ranked = new Map<number, readonly RankedEndpoint[]>()
  for (const [apiId, found] of byApi) {
    const own = found.get(API_ITSELF)
    const endpoints: RankedEndpoint[] = []
    for (const [id, holds] of found) {
      if (own && id !== API_ITSELF) inherit(holds, own)
      endpoints.push({ id, score: toScore(holds, query.rarities) })
    }
    ranked.set(
      apiId,
      endpoints.sort((a, b) => b.score - a.score || a.id - b.id),
    )
  }
  return ranked
}

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
/** What a word in the API's own texts counts for each of its endpoints. */
const INHERITED = 0.4
const INHERITED_SURENESS = 0.7
const PRECISION = 1e6

function saturate(weight: number, half: number): number {
  return weight / (weight + half)
}

/** What an API or endpoint has of each word. */
interface WordHolds {
  /** The best value found, 0 to 1. */
  readonly values: number[]
  /** How sure the best way was by which the word was found, 0 to 1. */
  readonly factors: number[]
}

function createHolds(size: number): WordHolds {
  return { values: new Array<number>(size).fill(0), factors: new Array<number>(size).fill(0) }
}

/** Notes that a term of the given uses was found, with what it is worth. */
function toHolder(uses: TermPlan['uses'][number]) {
  return ({ values, factors }: WordHolds, value: number): void => {
    for (const { word, factor } of uses) {
      if (value * factor > (values[word] ?? 0)) values[word] = value * factor
      if (factor > (factors[word] ?? 0)) factors[word] = factor
    }
  }
}

function inherit({ values, factors }: WordHolds, own: WordHolds): void {
  for (const [word, value] of own.values.entries()) {
    values[word] = Math.max(values[word] ?? 0, INHERITED * value)
    factors[word] = Math.max(factors[word] ?? 0, INHERITED_SURENESS * (own.factors[word] ?? 0))
  }
}

/** Weighted mean of the words' values times the share of the words that are there, rounded. */
function toScore({ values, factors }: WordHolds, rarities: readonly number[]): number {
  let sum = 0
  let covered = 0
  let all = 0
  for (const [word, rarity] of rarities.entries()) {
    all += rarity
    sum += (values[word] ?? 0) * rarity
    covered += Math.sqrt(factors[word] ?? 0) * rarity
  }
  return all === 0 ? 0 : Math.round((sum / all) * (covered / all) * PRECISION) / PRECISION
}

/**
 * From the number of APIs that hold the word itself; those with a synonym or longer word count
 * only when there are none.
 */
function toRarities(
  found: readonly { readonly holds: WordHolds }[],
  size: number,
): readonly number[] {
  const sure = new Array<number>(size).fill(0)
  const loose = new Array<number>(size).fill(0)
  for (const { holds } of found) {
    for (const [word, factor] of holds.factors.entries()) {
      if (factor >= SURE) sure[word] = (sure[word] ?? 0) + 1
      else if (factor > 0) loose[word] = (loose[word] ?? 0) + 1
    }
  }
  return sure.map((count, word) => log2(1 + found.length / (count || loose[word] || 1)))
}

/** Logarithm in straight pieces: of the same bits on every engine, unlike `Math.log2`. */
function log2(value: number): number {
  let rest = value
  let whole = 0
  while (rest >= 2) {
    rest /= 2
    whole += 1
  }
  return whole + rest - 1
}

function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0
  const [left, right] = [[...a], [...b]]
  for (let index = 0; ; index += 1) {
    const [x, y] = [left[index]?.codePointAt(0) ?? -1, right[index]?.codePointAt(0) ?? -1]
    if (x !== y) return x - y
  }
}
