import { afterAll, expect, it } from 'vitest'
import { openTestService } from '../helpers/service.ts'
import { askInProcess } from './ways.ts'

const service = await openTestService()
afterAll(() => service.close())

interface Answer {
  readonly num_results: number
  readonly endpoints: readonly { readonly name: string }[]
  readonly facets?: readonly {
    readonly name: string
    readonly num_values: number
    readonly values: readonly {
      readonly value: string
      readonly label: string
      readonly count: number
      readonly is_chosen: boolean
    }[]
  }[]
}

async function searchEndpoints(params: Readonly<Record<string, string>>): Promise<Answer> {
  const target = `/api/endpoint_search?${new URLSearchParams(params)}`
  const headers = { 'api-key': service.keys.all }
  const { status, body } = await askInProcess(service).ask({ target, headers })
  expect(status).toBe(200)
  return JSON.parse(body)
}

const SEARCHES: readonly Readonly<Record<string, string>>[] = [
  {},
  { q: 'get' },
  { q: 'send', end_date: '2026-03-11' },
  { start_date: '2026-03-12', size: '1', page: '2' },
  { api_type: 'private_apis' },
]

it.each(SEARCHES)('facets do not change the results: %j', async (params) => {
  const { facets = [], ...found } = await searchEndpoints({ ...params, facets: 'true' })
  expect(found).toEqual(await searchEndpoints(params))
  expect(facets.map(({ name }) => name)).toEqual([
    'category',
    'vendor',
    'auth',
    'license',
    'deprecated',
    'kind',
  ])
})

it.each(SEARCHES)('a facet value finds as many results as it counts: %j', async (params) => {
  const { facets = [], num_results: total } = await searchEndpoints({ ...params, facets: 'true' })
  for (const { name, values, num_values: told } of facets) {
    expect(values).toHaveLength(told)
    expect(told > 0).toBe(total > 0)
    for (const { value, count } of values) {
      const found = await searchEndpoints({ ...params, [name]: value, facets: 'true' })
      expect([name, value, found.num_results]).toEqual([name, value, count])
      const chosen = found.facets?.flatMap((facet) =>
        facet.values.filter((each) => each.is_chosen).map((each) => [facet.name, each]),
      )
      expect(chosen).toEqual([
        [name, { ...values.find((each) => each.value === value), is_chosen: true }],
      ])
    }
  }
})

it.each([
  { q: 'send', vendor: 'skycast' },
  { vendor: '3', auth: 'OAuth1' },
])('a chosen vendor without results keeps its name: %j', async (params) => {
  const { facets, num_results: total } = await searchEndpoints({ ...params, facets: 'true' })
  const ofVendors = facets?.find(({ name }) => name === 'vendor')?.values
  expect([total, ofVendors?.filter((each) => each.is_chosen)]).toEqual([
    0,
    [{ value: 'Skycast', label: 'Skycast', count: 0, is_chosen: true }],
  ])
})
