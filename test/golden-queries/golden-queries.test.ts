import { beforeAll, describe, expect, it } from 'vitest'
import { searchApis } from '../../core/catalogue/search/search-apis.ts'
import { type GoldenCatalogue, hasGoldenData, openGoldenCatalogue } from './catalogue.ts'
import { GOLDEN_QUERIES, type GoldenQuery } from './queries.ts'

const isThere = hasGoldenData()
if (!isThere)
  console.log('Golden queries are skipped: there is no ../shared/data beside the project')

const HELD_OUT = GOLDEN_QUERIES.filter((_, index) => index % 3 === 2)

describe.skipIf(!isThere)('golden queries over real descriptions', () => {
  let catalogue: GoldenCatalogue

  beforeAll(() => {
    catalogue = openGoldenCatalogue()
  })

  it('refer to existing APIs and endpoints', () => {
    const apis = new Set(catalogue.apis.values())
    const endpoints = new Set(catalogue.endpoints.values())
    const unknown = GOLDEN_QUERIES.filter(
      (query) =>
        !namesOf(query).every((name) => apis.has(name)) ||
        ![query.endpoint ?? []].flat().every((name) => endpoints.has(name)),
    )
    expect(unknown).toEqual([])
  })

  it('find the expected API among the first three', async () => {
    expect(await measureSuccess('APIs', GOLDEN_QUERIES, findApi)).toBeGreaterThanOrEqual(0.9)
  })

  it('find the expected API among the first three if held out while tuning', async () => {
    expect(await measureSuccess('APIs, held out', HELD_OUT, findApi)).toBeGreaterThanOrEqual(0.9)
  })

  it('find the expected endpoint among the first three of such an API', async () => {
    const queries = GOLDEN_QUERIES.filter(({ endpoint }) => endpoint !== undefined)
    expect(await measureSuccess('endpoints', queries, findEndpoint)).toBeGreaterThanOrEqual(0.9)
  })

  async function findApi(query: GoldenQuery): Promise<boolean> {
    const { ids } = await find(query)
    return ids.some((id) => isExpected(query, id))
  }

  async function findEndpoint(query: GoldenQuery): Promise<boolean> {
    const { ids, endpointIds } = await find(query)
    const expected = ids.filter((id) => isExpected(query, id))
    return expected
      .flatMap((id) => endpointIds.get(id) ?? [])
      .some((id) => [query.endpoint].flat().includes(catalogue.endpoints.get(id)))
  }

  function find({ q }: GoldenQuery) {
    const request = { size: 3, page: 1 }
    return searchApis({ store: catalogue.store, q, filter: {}, request })
  }

  function isExpected(query: GoldenQuery, apiId: number): boolean {
    return namesOf(query).includes(catalogue.apis.get(apiId) ?? '')
  }
})

function namesOf({ apis }: GoldenQuery): readonly string[] {
  return apis.map(([vendor, title]) => `${vendor} / ${title}`)
}

/** Returns the share of successful queries, and prints it with the failed ones. */
async function measureSuccess(
  what: string,
  queries: readonly GoldenQuery[],
  succeeds: (query: GoldenQuery) => Promise<boolean>,
): Promise<number> {
  const failed: string[] = []
  for (const query of queries) if (!(await succeeds(query))) failed.push(query.q)
  const share = 1 - failed.length / queries.length
  const misses = failed.length > 0 ? `; missed: ${failed.join(', ')}` : ''
  console.log(
    `Golden queries, ${what}: ${(100 * share).toFixed(1)} % of ${queries.length}${misses}`,
  )
  return share
}
