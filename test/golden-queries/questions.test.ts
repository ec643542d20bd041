import { beforeAll, describe, expect, it } from 'vitest'
import { type FoundApis, searchApis } from '../../core/catalogue/search/search-apis.ts'
import { type GoldenCatalogue, hasGoldenData, openGoldenCatalogue } from './catalogue.ts'
import type { GoldenQuery } from './queries.ts'
import { FIRST_RESULTS, GOLDEN_QUESTIONS } from './questions.ts'

const isThere = hasGoldenData()
if (!isThere)
  console.log('Golden questions are skipped: there is no ../shared/data beside the project')

const isHeldOut = (index: number) => index % 3 === 2
const TUNED = GOLDEN_QUESTIONS.filter((_, index) => !isHeldOut(index))
const HELD_OUT = GOLDEN_QUESTIONS.filter((_, index) => isHeldOut(index))

interface Quality {
  /** Share of questions whose expected API is first, or among the first three. */
  readonly first: number
  readonly three: number
  /** Mean reciprocal rank of the expected API; 0 if it is not found. */
  readonly reciprocal: number
  /**
   * Share of questions with an expected endpoint that is shown below one of the first three APIs.
   */
  readonly endpoint: number
  /** Share of those questions whose expected endpoint is shown first. */
  readonly firstEndpoint: number
  /** Mean number of results. */
  readonly found: number
  /** Precision and recall for questions with complete judgements. */
  readonly precision: number
  readonly recall: number
}

describe.skipIf(!isThere)('golden questions over real descriptions and examples', () => {
  let catalogue: GoldenCatalogue

  beforeAll(() => {
    catalogue = openGoldenCatalogue({ withExamples: true })
  })

  it('refer to existing APIs and endpoints', () => {
    const apis = new Set(catalogue.apis.values())
    const endpoints = new Set(catalogue.endpoints.values())
    const unknown = GOLDEN_QUESTIONS.filter(
      (question) =>
        !answersOf(question).every((name) => apis.has(name)) ||
        !endpointsOf(question).every((name) => endpoints.has(name)),
    )
    expect(unknown).toEqual([])
  })

  it.each(FIRST_RESULTS)('find the expected result first: $q', async (question) => {
    const { ids, endpointIds } = await find(question)
    const [first = 0] = ids
    const shown = catalogue.endpoints.get(endpointIds.get(first)?.[0] ?? 0)
    expect(namesOf(question)).toContain(nameOf(first))
    expect(question.endpoint === undefined ? [shown] : endpointsOf(question)).toContain(shown)
  })

  it('find the expected results that the ranking is tuned for', async () => {
    const quality = await measure('tuned for', TUNED)
    expect(quality.three).toBeGreaterThanOrEqual(0.85)
    expect(quality.endpoint).toBeGreaterThanOrEqual(0.85)
    expect(quality.found).toBeLessThanOrEqual(15)
    expect(quality.recall).toBeGreaterThanOrEqual(0.9)
  })

  it('find the expected results held out while tuning', async () => {
    const quality = await measure('held out', HELD_OUT)
    expect(quality.three).toBeGreaterThanOrEqual(0.85)
    expect(quality.endpoint).toBeGreaterThanOrEqual(0.85)
    expect(quality.found).toBeLessThanOrEqual(15)
    expect(quality.recall).toBeGreaterThanOrEqual(0.9)
  })

  /** Prints the figures, and the failed questions among those that may be used for tuning. */
  async function measure(label: string, questions: readonly GoldenQuery[]): Promise<Quality> {
    const ranks: number[] = []
    const endpointRanks: number[] = []
    const sizes: number[] = []
    const precisions: number[] = []
    const recalls: number[] = []
    const missed: string[] = []
    for (const question of questions) {
      const found = await find(question)
      const rank = 1 + found.ids.findIndex((id) => namesOf(question).includes(nameOf(id)))
      ranks.push(rank)
      sizes.push(found.total)
      const endpointRank = findEndpointRank(question, found)
      if (question.endpoint !== undefined) endpointRanks.push(endpointRank)
      if (question.others) {
        const answers = answersOf(question)
        const hits = found.ids.filter((id) => answers.includes(nameOf(id))).length
        precisions.push(hits / Math.max(1, found.total))
        recalls.push(hits / answers.length)
      }
      if (rank === 0 || rank > 3) missed.push(`${question.q} (API ${rank})`)
      else if (question.endpoint !== undefined && endpointRank === 0) missed.push(question.q)
    }
    const quality = {
      first: toMean(ranks.map((rank) => (rank === 1 ? 1 : 0))),
      three: toMean(ranks.map((rank) => (rank >= 1 && rank <= 3 ? 1 : 0))),
      reciprocal: toMean(ranks.map((rank) => (rank > 0 ? 1 / rank : 0))),
      endpoint: toMean(endpointRanks.map((rank) => (rank > 0 ? 1 : 0))),
      firstEndpoint: toMean(endpointRanks.map((rank) => (rank === 1 ? 1 : 0))),
      found: toMean(sizes),
      precision: toMean(precisions),
      recall: toMean(recalls),
    }
    const figures = Object.entries(quality).map(([name, value]) => `${name} ${value.toFixed(3)}`)
    console.log(`Golden questions, ${questions.length} ${label}: ${figures.join(', ')}`)
    if (questions !== HELD_OUT) console.log(`  missed: ${missed.join(', ')}`)
    return quality
  }

  function find({ q }: GoldenQuery): Promise<FoundApis> {
    const request = { size: 200, page: 1 }
    return searchApis({ store: catalogue.store, q, filter: {}, request })
  }

  function nameOf(apiId: number): string {
    return catalogue.apis.get(apiId) ?? ''
  }

  /**
   * Returns the position (from 1) of the expected endpoint among those shown below the best
   * expected API, or 0.
   */
  function findEndpointRank(question: GoldenQuery, { ids, endpointIds }: FoundApis): number {
    const api = ids.slice(0, 3).find((id) => namesOf(question).includes(nameOf(id)))
    const shown = api === undefined ? [] : (endpointIds.get(api) ?? [])
    return (
      1 + shown.findIndex((id) => endpointsOf(question).includes(catalogue.endpoints.get(id) ?? ''))
    )
  }
})

function namesOf({ apis }: GoldenQuery): readonly string[] {
  return apis.map(([vendor, title]) => `${vendor} / ${title}`)
}

/** Lists all relevant APIs of a question. */
function answersOf({ apis, others = [] }: GoldenQuery): readonly string[] {
  return [...apis, ...others].map(([vendor, title]) => `${vendor} / ${title}`)
}

function endpointsOf({ endpoint }: GoldenQuery): readonly string[] {
  return endpoint === undefined ? [] : [endpoint].flat()
}

function toMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
