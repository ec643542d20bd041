import { afterEach, describe, expect, it } from 'vitest'
import { countItems } from '../../../core/rate-limits/probe/count-items.ts'
import type { Verdict } from '../../../core/rate-limits/records.ts'
import {
  openBench,
  type RateLimitBench,
  type TargetAnswer,
} from '../../helpers/rate-limit-bench.ts'

describe('The items of a page', () => {
  it.each([
    ['an array', '[1,2,3]', { items: 3 }],
    ['an empty array', '[]', { items: 0 }],
    ['a member', '{"things":[{},{}],"page":1}', { items: 2 }],
    ['a member of a member', '{"data":{"things":[[1,2,3],[4]]}}', { items: 2 }],
    ['the largest of several', '{"errors":[],"data":{"things":[1,2,3]},"links":[1]}', { items: 3 }],
    [
      'a total that is larger',
      '{"things":[1,2],"meta":{"total_count":7}}',
      { items: 2, hasMore: true },
    ],
    ['a total of exactly these', '{"things":[1,2],"total":2}', { items: 2, hasMore: false }],
    ['a next page', '{"things":[1],"links":{"next":"/2"}}', { items: 1, hasMore: true }],
    ['no next page', '{"things":[1],"next":null}', { items: 1, hasMore: false }],
    ['a flag', '{"things":[1],"hasMore":true,"next":null}', { items: 1, hasMore: true }],
    ['arrays three levels deep', '{"a":{"b":{"c":[1]}}}', { items: 1 }],
    ['a deeper one', '{"tags":[1],"a":{"b":{"nodes":[1,2]}}}', { items: 2 }],
    [
      'a next page next to a deeper one',
      '{"a":{"b":{"nodes":[1,2],"pageInfo":{"hasNextPage":true}}}}',
      { items: 2, hasMore: true },
    ],
    ['a total of something else', '{"things":[1,2],"order":{"total":900}}', { items: 2 }],
    ['a total that is not a number', '{"things":[1,2],"total":99.5}', { items: 2 }],
  ])('are counted for %s', (_, body, counted) => {
    const { lists: _lists, ...largest } = countItems(body, [])
    expect(largest).toEqual({ hasMore: undefined, ...counted })
  })

  it('are counted per list, identified by its path and not by its length', () => {
    const toLists = (body: object) => countItems(JSON.stringify(body), []).lists ?? []
    const few = toLists({ things: [1], total: 2, data: { things: [1, 2, 3] } })
    const more = toLists({ data: { things: [1] }, things: [1, 2], total: 2 })
    const tell = ({ items, hasMore }: (typeof few)[number]) => [items, hasMore]
    expect([few.map(tell), more.map(tell)]).toEqual([
      [
        [3, undefined],
        [1, true],
      ],
      [
        [2, false],
        [1, true],
      ],
    ])
    const places = (lists: typeof few) => lists.map(({ place }) => place)
    expect(places(few)).toEqual(places(more).toReversed())
    expect(new Set(places(few)).size).toBe(2)
  })

  it.each([
    ['arrays that are too deep', `${'{"a":'.repeat(20)}[1]${'}'.repeat(20)}`],
    [
      'an array next to others that are too deep',
      `{"b":[1],"a":${'{"a":'.repeat(20)}1${'}'.repeat(21)}`,
    ],
    ['no array', '{"a":1}'],
    ['a number', '7'],
    ['nothing', ''],
    ['invalid JSON', '<things><thing/></things>'],
    ['a truncated body', '[1,2'],
    ['a body that is too deep', '['.repeat(200_000)],
  ])('are unknown for %s', (_, body) => {
    expect(countItems(body, [])).toEqual({})
  })

  it('have more pages if headers indicate it', () => {
    const link = '<https://a.example/?page=2>; rel="next", <https://a.example/?page=9>; rel="last"'
    const count = (header: readonly [string, string]) => {
      const { lists: _lists, ...largest } = countItems('[1]', [header])
      return largest
    }
    expect(count(['link', link])).toEqual({ items: 1, hasMore: true })
    expect(count(['x-total-count', '1'])).toEqual({ items: 1, hasMore: false })
  })
})

describe('A larger page size', () => {
  let bench: RateLimitBench

  afterEach(() => bench.close())

  /** Tests an endpoint whose usual page has 20 items, with the response per page size. */
  async function runPages(answer: (size: number) => TargetAnswer): Promise<Verdict> {
    bench = await openBench({ hosts: ['api.acme.example'] })
    const { tests, jobs, ada, ids, virtual, egress } = bench
    egress.answer = ({ url }) => answer(Number(new URL(url).searchParams.get('per_page') ?? 20))
    const asked = { endpointId: ids.listThings ?? '' }
    await tests.start(asked, { account: ada })
    await virtual.run(() => jobs.run())
    const { result } = await tests.result(ada, asked)
    if (!result) throw new Error('Cannot judge: the run has no result')
    return result.verdict
  }

  const toItems = (count: number) => Array.from({ length: count }, (_, id) => ({ id }))
  const toBody = (items: number, more: object = {}): TargetAnswer => {
    return { body: JSON.stringify({ things: toItems(items), ...more }) }
  }

  it.each<[string, (size: number) => TargetAnswer, Verdict['page']['state'], string]>([
    [
      'is applied if all its items are returned',
      (size) => toBody(size),
      'followed',
      'A page size of 200 was applied: it returned 200 items, compared with 20 for the usual size; larger ones were not tested.',
    ],
    [
      'is limited if fewer items are returned than exist',
      (size) => toBody(Math.min(50, size), { total: 300 }),
      'bounded',
      'A page size of 200 was limited: it returned 50 items, compared with 20 for the usual size.',
    ],
    [
      'is limited if no more items are returned than usual, regardless of their bytes',
      (size) => ({
        body: JSON.stringify(toItems(20).map(({ id }) => ({ id, pad: 'x'.repeat(size) }))),
      }),
      'bounded',
      'A page size of 200 was limited: it returned 20 items, compared with 20 for the usual size.',
    ],
    [
      'is applied if another list is always longer',
      (size) => toBody(size, { facets: toItems(300) }),
      'followed',
      'A page size of 200 was applied: it returned 200 items, compared with 20 for the usual size; larger ones were not tested.',
    ],
    [
      'is applied if its items are nested deeper than another list',
      (size) => ({ body: JSON.stringify({ tags: toItems(30), a: { b: { c: toItems(size) } } }) }),
      'followed',
      'A page size of 200 was applied: it returned 200 items, compared with 20 for the usual size; larger ones were not tested.',
    ],
    [
      'is applied if lists that belong to its items grow too',
      (size) => toBody(size, { included: toItems(size * 3) }),
      'followed',
      'A page size of 200 was applied: it returned 200 items, compared with 20 for the usual size; larger ones were not tested.',
    ],
    [
      'is limited if another list is longer',
      () => toBody(20, { facets: toItems(300) }),
      'bounded',
      'A page size of 200 was limited: it returned 20 items, compared with 20 for the usual size.',
    ],
    [
      'is unknown for a list that is always longer',
      () => toBody(500),
      'unknown',
      'It is unknown whether the page size is limited: a page size of 200 returned 500 items, compared with 500 for the usual size, which may be the whole collection.',
    ],
    [
      'is unknown if one list has the usual length and another one grows',
      (size) => toBody(20, { others: toItems(size + 30) }),
      'unknown',
      'It is unknown whether the page size is limited: a page size of 200 was served, but it contains several lists that may be the page.',
    ],
    [
      'is unknown if no list has the usual length or grows',
      () => toBody(50, { facets: toItems(30), next: '/2' }),
      'unknown',
      'It is unknown whether the page size is limited: a page size of 200 was served, but it contains several lists that may be the page.',
    ],
    [
      'is unknown with an unrelated total',
      (size) => toBody(Math.min(50, size), { order: { total: 900 } }),
      'unknown',
      'It is unknown whether the page size is limited: a page size of 200 returned 50 items, compared with 20 for the usual size, which may be the whole collection.',
    ],
    [
      'is limited if it is refused',
      (size) => (size > 20 ? { status: 422 } : toBody(size)),
      'bounded',
      'A page size of 200 was rejected (status 422).',
    ],
    [
      'is unknown for a smaller collection',
      (size) => toBody(Math.min(7, size)),
      'unknown',
      'It is unknown whether the page size is limited: a page size of 200 returned 7 items, compared with 7 for the usual size, which may be the whole collection.',
    ],
    [
      'is unknown if the items may be the whole collection',
      (size) => toBody(Math.min(50, size)),
      'unknown',
      'It is unknown whether the page size is limited: a page size of 200 returned 50 items, compared with 20 for the usual size, which may be the whole collection.',
    ],
    [
      'is unknown if the response says that there are no more items',
      (size) => toBody(Math.min(20, size), { total: 20 }),
      'unknown',
      'It is unknown whether the page size is limited: a page size of 200 returned 20 items, compared with 20 for the usual size, which may be the whole collection.',
    ],
    [
      'is unknown if the response is no JSON',
      (size) => ({ body: '<thing/>'.repeat(size) }),
      'unknown',
      'It is unknown whether the page size is limited: a page size of 200 was served, but its items cannot be counted.',
    ],
    [
      'is unknown if the response exceeds the read limit',
      (size) => ({ body: JSON.stringify(toItems(size).map(() => 'x'.repeat(12_000))) }),
      'unknown',
      'It is unknown whether the page size is limited: a page size of 200 was served, but its items cannot be counted.',
    ],
    [
      'is unknown if it fails',
      (size) => (size > 20 ? { status: 500 } : toBody(size)),
      'unknown',
      'It is unknown whether the page size is limited: a page size of 200 failed (status 500).',
    ],
  ])('%s', async (_, answer, state, text) => {
    const verdict = await runPages(answer)
    expect([verdict.page.state, verdict.verdict]).toEqual([state, 'unprotected'])
    expect(verdict.text).toContain(text)
  })

  it.each([
    [undefined, 'partly'],
    [200, 'protected'],
  ])(
    'that is applied, with a declared maximum of %s, makes the verdict of a rate limit %s',
    async (maximum, verdict) => {
      bench = await openBench({ hosts: ['api.pages.example'] })
      const { app, storage, tests, jobs, ada, virtual, egress } = bench
      const schema = { type: 'integer', default: 20, ...(maximum === undefined ? {} : { maximum }) }
      await app.imports.importDescription({
        bytes: new TextEncoder().encode(
          JSON.stringify({
            openapi: '3.0.3',
            info: { title: 'Pages', version: '1' },
            servers: [{ url: 'https://api.pages.example' }],
            paths: {
              '/pages': {
                get: {
                  parameters: [{ name: 'limit', in: 'query', schema }],
                  responses: { 200: { description: 'Done' } },
                },
              },
            },
          }),
        ),
        vendorName: 'Pages',
        createVendor: true,
        isPublic: true,
      })
      const [api] = await storage.catalogue.findApisByName({ vendorName: 'Pages' })
      const [endpoint] = await storage.catalogue.listApiEndpoints(api?.id ?? 0)
      let asked = 0
      egress.answer = ({ url }) => {
        asked += 1
        if (asked === 30) return { status: 429 }
        return toBody(Number(new URL(url).searchParams.get('limit') ?? 20))
      }
      const request = { endpointId: endpoint?.shortId ?? '' }
      await tests.start(request, { account: ada })
      await virtual.run(() => jobs.run())
      const { result } = await tests.result(ada, request)
      expect([result?.verdict.page.state, result?.verdict.verdict]).toEqual(['followed', verdict])
    },
  )
})
