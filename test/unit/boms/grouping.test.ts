import { describe, expect, it } from 'vitest'
import { groupRows, MAX_ROWS } from '../../../core/boms/group-rows.ts'
import { findRegistrableDomain } from '../../../core/boms/hosts.ts'
import { findStrictestApproval, joinUsages } from '../../../core/boms/join-usages.ts'
import type { BomEndpoint } from '../../../core/boms/model.ts'
import { runSynchronously } from '../../../core/shared/time-slices.ts'
import { parseUrlHost } from '../../../core/shared/urls.ts'

interface Row {
  readonly api?: number
  readonly host: string
}

async function group(rows: readonly Row[]) {
  const key = { apiId: ({ api }: Row) => api, host: ({ host }: Row) => host }
  const pages = (async function* () {
    for (let start = 0; start < rows.length; start += 1_000) yield rows.slice(start, start + 1_000)
  })()
  const groups: { apiId: number | undefined; host: string; rows: number }[] = []
  let largest = 0
  for await (const batch of groupRows(pages, key)) {
    largest = Math.max(largest, batch.length)
    groups.push(...batch.map(({ apiId, host, rows }) => ({ apiId, host, rows: rows.length })))
  }
  return { groups, largest }
}

describe('rows of a scan', () => {
  it('are grouped by API, then by host', async () => {
    const rows = [
      { api: 1, host: 'a' },
      { api: 1, host: 'b' },
      { api: 2, host: 'a' },
      { host: 'x' },
      { host: 'y' },
      { host: 'x' },
    ]
    expect((await group(rows)).groups).toEqual([
      { apiId: 1, host: '', rows: 2 },
      { apiId: 2, host: '', rows: 1 },
      { apiId: undefined, host: 'x', rows: 2 },
      { apiId: undefined, host: 'y', rows: 1 },
    ])
  })

  it('of a very large service are split into several groups', async () => {
    const ofApi = Array.from({ length: MAX_ROWS + 1 }, () => ({ api: 1, host: 'a' }))
    const ofHost = Array.from({ length: MAX_ROWS + 2 }, () => ({ host: 'x' }))
    expect((await group([...ofApi, ...ofHost])).groups.map(({ rows }) => rows)).toEqual([
      MAX_ROWS,
      1,
      MAX_ROWS,
      2,
    ])
  })

  it('of many services are yielded in batches of a hundred services', async () => {
    const rows = Array.from({ length: 950 }, (_, index) => ({ host: `h${index}` }))
    const { groups, largest } = await group(rows)
    expect([groups.length, largest]).toEqual([950, 100])
    const more = Array.from({ length: MAX_ROWS + 1 }, (_, index) => ({ host: `h${index}` }))
    const large = await group(more)
    expect([large.groups.length, large.largest]).toEqual([MAX_ROWS + 1, 100])
  })

  it('yield no group if there are none', async () => {
    expect((await group([])).groups).toEqual([])
  })
})

const use: BomEndpoint = {
  url: 'https://api.example.com/v1',
  method: 'get',
  approval: 'yes',
  reason: '',
  decision: { by: 'ann', at: 1 },
  foundIn: [{ file: 'a.ts', line: 1 }],
  packages: [],
  confidence: 0.5,
}

describe('usages of an endpoint', () => {
  it('are joined, with all locations, the highest confidence and the strictest decision', () => {
    const refused = {
      ...use,
      approval: 'no' as const,
      reason: 'Terms',
      decision: { by: 'bob', at: 2 },
      foundIn: [{ file: 'a.ts', line: 1 }, { file: 'b.ts' }],
      packages: ['pkg:npm/example'],
      confidence: 0.9,
    }
    const other = { ...use, packages: ['pkg:npm/example', 'pkg:gem/example'] }
    expect(runSynchronously(joinUsages([use, refused, other, { ...use, method: 'post' }]))).toEqual(
      [
        {
          ...refused,
          foundIn: [{ file: 'a.ts', line: 1 }, { file: 'b.ts' }],
          packages: ['pkg:npm/example', 'pkg:gem/example'],
        },
        { ...use, method: 'post' },
      ],
    )
  })

  it('are not modified', () => {
    const given = structuredClone(use)
    runSynchronously(joinUsages([use, { ...use, foundIn: [{ file: 'c.ts' }] }]))
    expect(use).toEqual(given)
  })

  it('with several methods have the strictest approval', () => {
    const of = (...approvals: readonly BomEndpoint['approval'][]) =>
      findStrictestApproval(approvals.map((approval) => ({ approval })))
    expect([of('yes', 'unreviewed'), of('unreviewed', 'no', 'yes'), of('yes', 'yes')]).toEqual([
      'unreviewed',
      'no',
      'yes',
    ])
  })
})

describe('hosts', () => {
  it.each([
    ['https://API.example.com:8443/v1?x', 'api.example.com'],
    ['api.example.com/v1', 'api.example.com'],
    ['https://user@example.com./', 'example.com'],
    ['http://[::1]:80/', '[::1]'],
    ['/v1/users', ''],
  ])('are parsed from %s', (url, host) => {
    expect(parseUrlHost(url)).toBe(host)
  })

  it('have a registrable domain, or are returned unchanged', () => {
    expect(['api.shop.co.uk', '203.0.113.7', 'localhost', ''].map(findRegistrableDomain)).toEqual([
      'shop.co.uk',
      '203.0.113.7',
      'localhost',
      '',
    ])
  })
})
