import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, type TestService } from '../helpers/service.ts'
import { askInProcess } from './ways.ts'

/** The facts that AI Catalog and ARD 0.9 state about entries, apart from our own schemas. */
const name = v.pipe(v.string(), v.minLength(1))
const absoluteUrl = v.pipe(v.string(), v.url())
const entry = v.pipe(
  v.strictObject({
    identifier: v.pipe(v.string(), v.regex(/^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$/)),
    displayName: name,
    type: v.pipe(v.string(), v.regex(/^[a-z]+\/[a-z0-9.+-]+$/)),
    url: v.optional(absoluteUrl),
    data: v.optional(v.looseObject({})),
    description: v.optional(name),
    tags: v.optional(v.array(v.string())),
    representativeQueries: v.optional(v.pipe(v.array(v.string()), v.minLength(2), v.maxLength(5))),
    version: v.optional(name),
    updatedAt: v.optional(v.pipe(v.string(), v.isoTimestamp())),
    metadata: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]))),
    score: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100))),
    source: v.optional(absoluteUrl),
  }),
  v.check(({ url, data }) => (url === undefined) !== (data === undefined)),
)
const manifest = v.strictObject({
  specVersion: v.literal('1.0'),
  host: v.strictObject({
    displayName: name,
    identifier: v.optional(name),
    documentationUrl: absoluteUrl,
  }),
  entries: v.array(entry),
})
const results = v.strictObject({
  results: v.array(
    v.pipe(
      entry,
      v.check(({ score, source }) => score !== undefined && !!source),
    ),
  ),
  pageToken: v.optional(name),
})

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

async function ask(target: string, body?: unknown, key = service.keys.readOnly) {
  const answer = await askInProcess(service).ask({
    target,
    headers: { ...(key === '' ? {} : { 'api-key': key }), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, json: JSON.parse(answer.body) }
}

describe('documents of the registry', () => {
  it('follow the formats', async () => {
    const own = v.parse(manifest, (await ask('/.well-known/ai-catalog.json', undefined, '')).json)
    const all = v.parse(manifest, (await ask('/api/ai-catalog.json')).json)
    expect([own.entries.length, all.entries.length]).toEqual([3, 4])
    const identifiers = [...own.entries, ...all.entries].map(({ identifier }) => identifier)
    expect(new Set(identifiers).size).toBe(identifiers.length)
    const found = v.parse(results, (await ask('/api/ard/search', { query: { text: 'a' } })).json)
    expect(found.results.length).toBeGreaterThan(0)
    const listed = v.parse(
      v.strictObject({ items: v.array(entry), total: v.literal(4) }),
      (await ask('/api/ard/agents')).json,
    )
    expect(listed.items).toEqual(all.entries)
  })

  it('lead from the well-known address to every description', async () => {
    const { json } = await ask('/.well-known/ai-catalog.json', undefined, '')
    const { entries } = v.parse(manifest, json)
    const catalog = entries.find(({ type }) => type === 'application/ai-catalog+json')
    const nested = v.parse(manifest, (await ask(new URL(catalog?.url ?? '').pathname)).json)
    for (const { url = '' } of nested.entries) {
      const { pathname, search } = new URL(url)
      const { status, headers } = await askInProcess(service).ask({
        target: pathname + search,
        headers: { 'api-key': service.keys.readOnly },
      })
      expect([status, headers['x-content-type-options']]).toEqual([200, 'nosniff'])
    }
  })
})

describe('callers without a key', () => {
  it('see nothing of the catalogue', async () => {
    for (const target of ['/.well-known/ai-catalog.json', '/.well-known/ard.json', '/llms.txt']) {
      const { status, body } = await askInProcess(service).ask({ target })
      expect([status, /pigeon|skycast|wayfare|ledgerly/i.test(body)]).toEqual([200, false])
    }
    for (const [target, body] of [
      ['/api/ai-catalog.json'],
      ['/api/apis/description?api_id=1'],
      ['/api/ard/agents'],
      ['/api/ard/search', { query: { text: 'weather' } }],
      ['/api/ard/explore', { resultType: { facets: [{ field: 'publisher' }] } }],
    ] as const) {
      for (const key of ['', service.keys.without.read, service.keys.revoked]) {
        const { status, json } = await ask(target, body, key)
        expect([401, 403]).toContain(status)
        expect(JSON.stringify(json)).not.toMatch(/pigeon|skycast|wayfare|ledgerly/i)
      }
    }
  })
})

describe('pages of the registry', () => {
  it('contain every entry once', async () => {
    const seen: string[] = []
    let pageToken = ''
    do {
      const { json } = await ask(`/api/ard/agents?pageSize=1&pageToken=${pageToken}`)
      seen.push(...json.items.map(({ identifier }: { identifier: string }) => identifier))
      pageToken = json.pageToken ?? ''
    } while (pageToken !== '')
    const { json } = await ask('/api/ard/agents')
    expect(seen).toEqual(json.items.map(({ identifier }: { identifier: string }) => identifier))
  })

  it('of a search continue with its token only', async () => {
    const query = { text: 'get send list' }
    const whole = (await ask('/api/ard/search', { query })).json
    const first = (await ask('/api/ard/search', { query, pageSize: 1 })).json
    const { pageToken } = first
    const second = (await ask('/api/ard/search', { query, pageSize: 1, pageToken })).json
    expect([...first.results, ...second.results]).toEqual(whole.results.slice(0, 2))
    const scores: number[] = whole.results.map(({ score }: { score: number }) => score)
    expect(scores).toEqual([...scores].sort((one, other) => other - one))
    const other = { query: { text: 'send' }, pageSize: 1, pageToken }
    expect((await ask('/api/ard/search', other)).json.errorCode).toBe('INVALID_ARGUMENT')
  })
})

it('counts as many entries of a value as a filter finds', async () => {
  const { json } = await ask('/api/ard/explore', {
    query: { text: 'get send' },
    resultType: { facets: [{ field: 'publisher' }, { field: 'tags' }] },
  })
  const facets: [string, { buckets: { value: string; count: number }[] }][] = Object.entries(
    json.facets,
  )
  expect(facets.map(([, { buckets }]) => buckets.length > 0)).toEqual([true, true])
  for (const [field, { buckets }] of facets) {
    for (const { value, count } of buckets) {
      const query = { text: 'get send', filter: { [field]: [value] } }
      const found = (await ask('/api/ard/search', { query, pageSize: 100 })).json
      expect([value, found.results.length]).toEqual([value, count])
    }
  }
})

it('follows changes of the catalogue', async () => {
  const changed = await openTestService()
  const list = async () => {
    const { body } = await askInProcess(changed).ask({
      target: '/api/ard/agents',
      headers: { 'api-key': changed.keys.all },
    })
    return JSON.parse(body).items.map(({ displayName }: { displayName: string }) => displayName)
  }
  const before = await list()
  const { caller } = changed
  await changed.app.call('removeApi', { api_id: '1' }, caller)
  const after = await list()
  expect([before.length, after.length]).toEqual([4, 3])
  await changed.close()
})
