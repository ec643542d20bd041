import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, type TestService } from '../helpers/service.ts'
import { askInProcess, askOverHttp, type Way } from './ways.ts'

let service: TestService
let ways: Readonly<Record<string, Way>>
beforeAll(async () => {
  service = await openTestService()
  ways = { process: askInProcess(service), node: await askOverHttp(service, 'node') }
})
afterAll(async () => {
  for (const way of Object.values(ways)) await way.close()
  await service.close()
})

async function searchVulnerabilities(
  way: string,
  body: Readonly<Record<string, unknown>>,
): Promise<string> {
  const headers = { 'api-key': service.keys.readOnly }
  const request = { method: 'POST', target: '/api/cvesearch/', headers, body: JSON.stringify(body) }
  const { status, body: text = '' } = (await ways[way]?.ask(request)) ?? { status: 0 }
  expect(status).toBe(200)
  return text
}

/** Extracts the bytes of the mapping from a response. */
function cutMapping(text: string): string {
  const start = '{"Content-Type":"application/json","mapping":'
  const end = text.lastIndexOf(',"Content-Length":')
  expect(text.startsWith(start)).toBe(true)
  return text.slice(start.length, end)
}

const BODIES: readonly Readonly<Record<string, unknown>>[] = [
  { search_term: 'zebra' },
  { search_term: 'log4j' },
  { search_term: 'the' },
  { search_term: 'the', extended: true, include_rejected: true },
  { search_term: 'victim', extended: true },
  { search_term: 'zébra „ü“ 漢字 😀', size: 1 },
  { search_term: 'the', size: 7, page: 3 },
]

describe.each(['process', 'node'])('POST /cvesearch/ over %s', (way) => {
  it.each(BODIES)('returns the size of its mapping: %j', async (body) => {
    const text = await searchVulnerabilities(way, body)
    const mapping = cutMapping(text)
    const answer = JSON.parse(text)
    expect(Object.keys(answer)).toEqual(['Content-Type', 'mapping', 'Content-Length'])
    expect(answer['Content-Type']).toBe('application/json')
    expect(answer['Content-Length']).toBe(new TextEncoder().encode(mapping).length)
    expect(JSON.parse(mapping)).toEqual(answer.mapping)
    expect(answer.mapping.search_term).toBe(body.search_term)
  })
})

describe('POST /cvesearch/', () => {
  it('returns each match once over all pages, newest first, with a constant count', async () => {
    const all = JSON.parse(await searchVulnerabilities('process', { search_term: 'the' })).mapping
    const paged: unknown[] = []
    for (let page = 1; page <= 20; page += 1) {
      const answer = await searchVulnerabilities('process', { search_term: 'the', page, size: 5 })
      const { mapping } = JSON.parse(answer)
      expect(mapping.num_results).toBe(all.num_results)
      paged.push(...mapping.vulnerabilities)
    }
    expect(paged).toEqual(all.vulnerabilities)
    expect(String(paged.length)).toBe(all.num_results)
    const extended = await searchVulnerabilities('process', { search_term: 'the', extended: true })
    const dates = JSON.parse(extended).mapping.vulnerabilities.map(
      ({ published, cve_id: id }: { readonly published: string; readonly cve_id: string }) =>
        [published, id] as const,
    )
    expect(dates.map(([published]: readonly [string, string]) => published)).toEqual(
      dates
        .map(([published]: readonly [string, string]) => published)
        .toSorted()
        .toReversed(),
    )
  })

  it('names products as in the list of the record', async () => {
    const { mapping } = JSON.parse(await searchVulnerabilities('process', { search_term: 'the' }))
    for (const { cve_id: id, vendor, product, version } of mapping.vulnerabilities) {
      const headers = { 'api-key': service.keys.readOnly }
      const target = `/api/cvesearch/cve/products?cve_id=${id}`
      const list = JSON.parse((await ways.process?.ask({ target, headers }))?.body ?? '')
      const named = `${vendor} ${product} ${version}`
      if (vendor === '-') expect([id, list.associated_products]).toEqual([id, []])
      else expect(list.associated_products).toContain(named)
    }
  })

  it('requires a key with read access, like the lists', async () => {
    for (const target of [
      '/api/cvesearch/',
      '/api/cvesearch/vendors/',
      '/api/cvesearch/vendor/products?vendor=apache',
      '/api/cvesearch/cve/products?cve_id=CVE-2021-44228',
      '/api/cvesearch/cve?cve_id=CVE-2021-44228',
      '/api/cvesearch/status',
    ]) {
      const method = target.endsWith('cvesearch/') ? 'POST' : 'GET'
      const body = method === 'POST' ? '{"search_term":"log4j"}' : undefined
      const statuses = []
      for (const key of [service.keys.without.read, service.keys.unknown, service.keys.only.read]) {
        const answer = await ways.process?.ask({
          method,
          target,
          body,
          headers: { 'api-key': key },
        })
        statuses.push(answer?.status)
      }
      expect([target, statuses]).toEqual([target, [403, 401, 200]])
    }
  })
})

describe('The age of the data', () => {
  it('is part of the status and of the metrics, and grows', async () => {
    const headers = { 'api-key': service.keys.all }
    const readStatus = async () =>
      JSON.parse(
        (await ways.process?.ask({ target: '/api/cvesearch/status', headers }))?.body ?? '',
      )
    const readMetrics = async () =>
      (await ways.process?.ask({ target: '/metrics', headers }))?.body
        .split('\n')
        .filter((line) => line.startsWith('api_discovery_vulnerability'))
    expect((await readStatus()).sources).toEqual([
      {
        name: 'examples',
        loaded_at: '2026-03-14T08:00:00+00:00',
        age_seconds: 0,
        data_at: '2025-07-08T08:15:21+00:00',
        data_age_seconds: 21_512_678,
      },
    ])
    service.clock.advance(90_500)
    expect((await readStatus()).sources[0].age_seconds).toBe(90)
    expect(await readMetrics()).toEqual([
      'api_discovery_vulnerability_records 67',
      'api_discovery_vulnerability_rejected_records 2',
      'api_discovery_vulnerability_data_age_seconds{source="examples"} 90',
      `api_discovery_vulnerability_sync_last_success_timestamp_seconds{source="examples"} ${Date.UTC(2026, 2, 14, 8) / 1000}`,
    ])
  })
})
