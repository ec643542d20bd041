import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadExampleVulnerabilities } from '../../adapters/cli/seed.ts'
import { openPostgres } from '../../adapters/storage/postgres.ts'
import { contract } from '../../core/contract.ts'
import type { Operation } from '../../core/http/operation.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { openTestService, type TestService } from '../helpers/service.ts'
import { findProblemIssue } from './output-check.ts'
import { type Built, VALID_REQUESTS } from './valid-requests.ts'
import { askInProcess, type WireAnswer, type WireRequest } from './ways.ts'

const operations: Readonly<Record<string, Operation>> = contract

function askWithKey(service: TestService, request: WireRequest): Promise<WireAnswer> {
  const headers = { 'api-key': service.keys.all, ...request.headers }
  return askInProcess(service).ask({ ...request, headers })
}

describe('entity tags', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openTestService()
  })
  afterAll(() => service.close())

  const cached = (Object.keys(VALID_REQUESTS) as readonly Built[]).filter(
    (name) => operations[name]?.cache,
  )

  it('are present on responses that change only with the catalogue, the vulnerabilities or the release', () => {
    expect(cached).toEqual([
      'listEndpoints',
      'searchEndpoints',
      'getEndpointParameters',
      'getEndpointExample',
      'listCategories',
      'searchVendors',
      'listAddedApis',
      'listCveVendors',
      'listCveProducts',
      'listProductsOfCve',
      'getCve',
    ])
  })

  it.each(cached)('omit the body of %s until the next import', async (name) => {
    const request: WireRequest = VALID_REQUESTS[name]
    const first = await askWithKey(service, request)
    const { etag = '' } = first.headers
    expect(etag).toMatch(/^"[^"]+"$/)
    expect(first.headers['cache-control']).toBe('private, no-cache')
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const again = await askWithKey(service, { ...request, headers: { 'if-none-match': tags } })
      expect([again.status, again.body, again.headers.etag]).toEqual([304, '', etag])
      expect(again.headers.vary).toBe('api-key, Authorization, Accept')
    }
    const head = await askWithKey(service, {
      ...request,
      method: 'HEAD',
      headers: { 'if-none-match': etag },
    })
    expect(head.status).toBe(304)
    await askWithKey(service, { ...VALID_REQUESTS.createVendor, body: `{"name":"After ${name}"}` })
    const after = await askWithKey(service, { ...request, headers: { 'if-none-match': etag } })
    expect(after.status).toBe(operations[name]?.cache === 'catalogue' ? 200 : 304)
    expect(after.headers.etag === etag).toBe(operations[name]?.cache !== 'catalogue')
  })

  it('change with an upload and a removal, not with an identical upload', async () => {
    const tags: (string | undefined)[] = []
    const note = async () => {
      tags.push((await askWithKey(service, VALID_REQUESTS.listEndpoints)).headers.etag)
    }
    await note()
    await askWithKey(service, VALID_REQUESTS.uploadDescription)
    await note()
    await askWithKey(service, VALID_REQUESTS.uploadDescription)
    await note()
    await askWithKey(service, VALID_REQUESTS.removeApi)
    await note()
    expect(tags[1]).toBe(tags[2])
    expect(new Set(tags).size).toBe(3)
  })

  it('of the vulnerabilities change only when a load adds data', async () => {
    const note = async () => (await askWithKey(service, VALID_REQUESTS.listCveVendors)).headers.etag
    const catalogue = (await askWithKey(service, VALID_REQUESTS.listEndpoints)).headers.etag
    const before = await note()
    await loadExampleVulnerabilities(service.app.vulnerabilities)
    expect(await note()).toBe(before)
    await service.app.vulnerabilities.loadKnownExploited([], { source: 'kev' })
    expect(await note()).not.toBe(before)
    expect((await askWithKey(service, VALID_REQUESTS.listEndpoints)).headers.etag).toBe(catalogue)
  })

  it('do not bypass authentication', async () => {
    const { etag = '' } = (await askWithKey(service, VALID_REQUESTS.listEndpoints)).headers
    const headers = { 'if-none-match': etag, 'api-key': service.keys.revoked }
    expect((await askWithKey(service, { ...VALID_REQUESTS.listEndpoints, headers })).status).toBe(
      401,
    )
  })
})

describe('input without effect', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openTestService()
  })
  afterAll(() => service.close())

  const read = async (request: WireRequest) => {
    const { status, headers } = await askWithKey(service, request)
    return [status, headers['ignored-input']]
  }

  it('is ignored and named in a header', async () => {
    const search = { method: 'POST', target: '/api/cvesearch/' }
    const body = JSON.stringify({ search_term: 'log4j', severty: 'critical', kevv: true })
    expect(await read({ ...search, body })).toEqual([200, 'severty, kevv'])
    expect(await read({ ...search, body: '{"search_term":"log4j"}' })).toEqual([200, undefined])
    const list = '/api/endpoint_search?q=o'
    expect(await read({ target: `${list}&vendr=Skycast&vendr=x` })).toEqual([200, 'vendr'])
    expect(await read({ target: `${list}&vendor=Skycast` })).toEqual([200, undefined])
    const form = { method: 'POST', target: '/api/benchmark/rate_limiting_result?endpoint_id=1' }
    expect(await read({ ...form, body: 'extendd=1' })).toEqual([404, 'extendd'])
  })

  it('is named in printable ASCII, ten names at most', async () => {
    const names = ['a%0D%0Ab', 'caf%C3%A9', 'c%2Cd', 'x'.repeat(120), ...'efghijklm'].join('=&')
    const target = `/api/search/vendor?q=o&${names}`
    const listed = ['a??b', 'caf?', 'c?d', 'x'.repeat(100), ...'efghij'].join(', ')
    expect(await read({ target })).toEqual([200, listed])
  })

  it('is no value of a forwarded call', async () => {
    const target = '/api/gateway?endpoint_id=none&lat=1'
    expect(await read({ method: 'POST', target, body: '{"lon":1}' })).toEqual([404, undefined])
  })
})

describe('base paths', () => {
  it('serve the same operations', async () => {
    const service = await openTestService({ app: { basePaths: ['/api', '/alt/v1', ''] } })
    const headers = { 'x-request-id': 'same' }
    const answers = []
    for (const base of ['/api', '/alt/v1', '']) {
      answers.push(await askWithKey(service, { target: `${base}/search/vendor?q=o`, headers }))
    }
    expect(answers[0]?.status).toBe(200)
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    const catalog = JSON.parse(
      (await askWithKey(service, { target: '/.well-known/api-catalog' })).body,
    )
    expect(catalog.linkset.map(({ anchor }: { anchor: string }) => anchor)).toEqual([
      '/api',
      '/alt/v1',
      '/',
    ])
    const document = JSON.parse(
      (await askWithKey(service, { target: '/alt/v1/openapi.json' })).body,
    )
    expect(document.servers).toEqual([{ url: '/api' }, { url: '/alt/v1' }, { url: '/' }])
    await service.close()
  })

  it('serve the document and the page, with valid links', async () => {
    const service = await openTestService()
    const page = await askWithKey(service, { target: '/docs/' })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    const links = [...page.body.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link)
    const anchors = new Set([...page.body.matchAll(/id="([^"]+)"/g)].map(([, id = '']) => `#${id}`))
    for (const link of links) {
      if (link.startsWith('#')) expect([link, anchors.has(link)]).toEqual([link, true])
      else expect([link, (await askWithKey(service, { target: link })).status]).toEqual([link, 200])
    }
    expect(page.body).not.toMatch(/<script|src=|https?:\/\/(?!localhost)/)
    const { linkset } = JSON.parse(
      (await askWithKey(service, { target: '/.well-known/api-catalog' })).body,
    )
    for (const kind of ['service-desc', 'service-doc', 'status']) {
      for (const { href, type } of linkset[0][kind]) {
        const answer = await askWithKey(service, { target: href })
        expect([href, answer.status, answer.headers['content-type']?.startsWith(type)]).toEqual([
          href,
          200,
          true,
        ])
      }
    }
    await service.close()
  })
})

describe('an unknown address', () => {
  it('returns 404 without a hint, even without a key', async () => {
    const service = await openTestService()
    for (const target of [
      '/',
      '/api',
      '/api/',
      '/api/nothing',
      '/apis',
      '/api/..%2fhealthz',
      '//',
      '/%00',
    ]) {
      const answer = await askInProcess(service).ask({ target, headers: { 'x-request-id': 'r' } })
      expect([target, answer.status, JSON.parse(answer.body)]).toEqual([
        target,
        404,
        {
          type: 'about:blank',
          title: 'Not found',
          status: 404,
          detail: 'Operation not found: check the path',
          code: 'not_found',
          request_id: 'r',
        },
      ])
    }
    await service.close()
  })
})

describe('a service without its storage', () => {
  it('reports the unavailable resource and the time of a retry', async () => {
    const postgres = await startPostgres()
    const url = await postgres.createDatabase()
    const service = await openTestService({ openStorage: (clock) => openPostgres({ url, clock }) })
    await askWithKey(service, VALID_REQUESTS.listEndpoints)
    await postgres.query(`drop database ${new URL(url).pathname.slice(1)} with (force)`)
    const ready = await askWithKey(service, { target: '/readyz' })
    expect([ready.status, JSON.parse(ready.body), ready.headers['cache-control']]).toEqual([
      503,
      { status: 'not ready', missing: ['storage'] },
      'no-store',
    ])
    expect((await askWithKey(service, { target: '/healthz' })).status).toBe(200)
    expect((await askWithKey(service, { target: '/metrics' })).status).toBe(200)
    for (const name of [
      'searchEndpoints',
      'getEndpointParameters',
      'searchVendors',
      'searchVulnerabilities',
      'listCveVendors',
      'getCve',
      'getVulnerabilityStatus',
    ] as const) {
      const answer = await askWithKey(service, VALID_REQUESTS[name])
      const { code } = JSON.parse(answer.body)
      expect([name, answer.status, code]).toEqual([name, 503, 'storage_unavailable'])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      expect(findProblemIssue(operations[name], answer)).toBeUndefined()
      expect(answer.body).not.toMatch(/select|postgres|127\.0\.0\.1|api_discovery_/i)
    }
    await service.close()
    await postgres.stop()
  })
})

describe('request limits', () => {
  it('return 429 with the time to wait, separately for each key', async () => {
    const service = await openTestService({
      app: { requestLimits: { requests: { quota: 2, windowSeconds: 60 } } },
    })
    const answers = []
    for (let count = 0; count < 3; count += 1)
      answers.push(await askWithKey(service, { target: '/api/categories' }))
    const [first, , last] = answers
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(first?.headers.ratelimit).toBeDefined()
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0)
    expect(JSON.parse(last?.body ?? '').code).toBe('too_many_requests')
    const headers = { 'api-key': service.keys.other }
    expect((await askWithKey(service, { target: '/api/categories', headers })).status).toBe(200)
    expect((await askWithKey(service, { target: '/healthz' })).status).toBe(200)
    await service.close()
  })
})

describe('pages of other origins', () => {
  it('may call the service if the host allows them', async () => {
    const service = await openTestService({ app: { allowedOrigins: ['https://console.example'] } })
    const headers = { origin: 'https://console.example' }
    const good = await askWithKey(service, { target: '/api/categories', headers })
    expect([good.headers['access-control-allow-origin'], good.headers.vary]).toEqual([
      'https://console.example',
      'api-key, Authorization, Accept, Origin',
    ])
    const bad = await askWithKey(service, {
      target: '/api/categories',
      headers: { origin: 'null' },
    })
    expect(bad.headers['access-control-allow-origin']).toBeUndefined()
    const preflight = await askInProcess(service).ask({
      method: 'OPTIONS',
      target: '/api/benchmark/upload_swagger',
      headers: { ...headers, 'access-control-request-method': 'POST' },
    })
    expect([preflight.status, preflight.headers['access-control-allow-methods']]).toEqual([
      204,
      'OPTIONS, POST',
    ])
    await service.close()
  })
})
