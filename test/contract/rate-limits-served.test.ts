import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPinnedEgress } from '../../adapters/egress/index.ts'
import { type ServedLimiter, serveLimiter } from '../helpers/limiters/serve-limiter.ts'
import { LISTENERS } from '../helpers/served-gateway.ts'
import { openTestService, type TestService } from '../helpers/service.ts'
import { askOverHttp, type Way, type WireAnswer, type WireRequest } from './ways.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_BODY = { 'content-type': 'application/json' }
const start = '/api/benchmark/rate_limiting_test'
const result = '/api/benchmark/rate_limiting_result'
const plot = '/api/benchmark/rate_limiting_plot'

type Sent = Pick<WireRequest, 'headers' | 'body'>

/** Multipart fields as sent by curl, python-requests and clients that use `attachment`. */
function multipart(
  fields: Readonly<Record<string, string>>,
  client: { readonly boundary: string; readonly disposition?: string },
): Sent {
  const { boundary, disposition = 'form-data' } = client
  const parts = Object.entries(fields).map(
    ([name, text]) =>
      `--${boundary}\r\nContent-Disposition: ${disposition}; name="${name}"\r\n\r\n${text}\r\n`,
  )
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: `${parts.join('')}--${boundary}--\r\n`,
  }
}

/** The accepted encodings of fields, each as path, headers and body. */
const FORMS: Readonly<
  Record<string, (fields: Readonly<Record<string, string>>) => Sent & { readonly query?: string }>
> = {
  'a multipart form of curl': (fields) =>
    multipart(fields, { boundary: '------------------------d74496d66958873e' }),
  'a multipart form of python-requests': (fields) =>
    multipart(fields, { boundary: '2b8c1a5f0d3e4c6b9a7f8e1d2c3b4a59' }),
  'a multipart form of attachments': (fields) =>
    multipart(fields, { boundary: 'b-1', disposition: 'attachment' }),
  'a multipart form that is labelled as another one': (fields) => ({
    ...multipart(fields, { boundary: 'b-1' }),
    headers: FORM,
  }),
  'a urlencoded form': (fields) => ({ headers: FORM, body: `${new URLSearchParams(fields)}` }),
  JSON: (fields) => ({ headers: JSON_BODY, body: JSON.stringify(fields) }),
  'JSON that is labelled as a form': (fields) => ({
    headers: FORM,
    body: JSON.stringify(fields),
  }),
  'the query': (fields) => ({ query: `?${new URLSearchParams(fields)}` }),
}

describe.each(LISTENERS)('Rate-limit tests over the %s listener', (listener) => {
  const working = new AbortController()
  const isNative = listener === 'native'
  let target: ServedLimiter
  let egress: ReturnType<typeof createPinnedEgress>
  let service: TestService
  let way: Way
  let work: Promise<void>
  let id = ''

  beforeAll(async () => {
    target = await serveLimiter(createLimiter())
    egress = createPinnedEgress({ allow: [target.address] })
    service = await openTestService({
      isEmpty: true,
      app: { egress, rateLimitTests: { hosts: [target.address] }, clock: Date.now },
    })
    const paths = { '/tides': { get: { responses: { 200: { description: 'Tides' } } } } }
    const info = { title: 'Tides', version: '1.0.0' }
    const description = { openapi: '3.1.0', info, servers: [{ url: target.origin }], paths }
    await service.app.imports.importDescription({
      bytes: new TextEncoder().encode(JSON.stringify(description)),
      vendorName: 'Harbour',
      createVendor: true,
      isPublic: true,
    })
    const [endpoint] = await service.app.call('listEndpoints', {}, service.caller)
    id = endpoint?.endpoint_id ?? ''
    way = await askOverHttp(service, listener)
  })

  afterAll(async () => {
    working.abort()
    await work
    await way.close()
    await service.close()
    egress.close()
    await target.close()
  })

  function ask(request: WireRequest): Promise<WireAnswer> {
    const headers = { 'api-key': service.keys.all, ...request.headers }
    return way.ask({ ...request, headers })
  }

  it.each(Object.entries(FORMS))('are started once by %s', async (_, toSent) => {
    const fields = { endpoint_id: id, requests: '40', rate: '20' }
    const { query = '', ...sent } = toSent(fields)
    const answer = await ask({ method: 'POST', target: `${start}${query}`, ...sent })
    expect([answer.status, JSON.parse(answer.body).info]).toEqual([200, 1])
    expect(target.requests).toEqual([])
  })

  it('run in the same process and report their progress', async () => {
    const query = `${result}?endpoint_id=${id}&extended=true`
    const queued = JSON.parse((await ask({ target: query })).body)
    expect([queued.extended.state, queued.result]).toEqual([
      'queued',
      'Queued: none of at most 40 requests sent so far.',
    ])
    work = service.app.runJobs({ until: 'aborted', signal: working.signal })
    let answer = queued
    for (let tries = 0; tries < 300 && answer.extended.ended_at === null; tries += 1) {
      await sleep(100)
      answer = JSON.parse((await ask({ target: query })).body)
    }
    expect(answer.extended).toMatchObject({ run: 1, state: 'done', verdict: 'protected' })
    expect(answer.extended.sent).toBe(target.requests.length)
    expect(target.requests.length).toBeLessThanOrEqual(40)
    expect(answer.datetime).toMatch(/^\d{4}\/\d{2}\/\d{2}$/)
  }, 180_000)

  it.each(Object.entries(FORMS))('are read by %s', async (_, toSent) => {
    const expected = await ask({ target: `${result}?endpoint_id=${id}` })
    expect(JSON.parse(expected.body).result).toMatch(/^Protected: A rate limit was reached/)
    const { query = '', ...sent } = toSent({ endpoint_id: id, run: '1' })
    const posted = await ask({ method: 'POST', target: `${result}${query}`, ...sent })
    expect([posted.status, posted.body]).toEqual([200, expected.body])
    const got = await ask({ method: 'GET', target: `${result}${query}`, ...sent })
    if (isNative && query === '') {
      expect([got.status, JSON.parse(got.body).errors]).toEqual([
        400,
        [
          {
            in: 'form',
            name: 'endpoint_id',
            message: 'is required: this server drops the body of a GET, so pass it in the query',
          },
        ],
      ])
    } else expect([got.status, got.body]).toEqual([200, expected.body])
  })

  it('are plotted as SVG without active content', async () => {
    const { status, headers, body } = await ask({ target: `${plot}?endpoint_id=${id}` })
    expect([status, headers['content-type'], headers['content-security-policy']]).toEqual([
      200,
      'image/svg+xml',
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    ])
    expect(body).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[\s\S]*<\/svg>\s*$/)
    expect(body).not.toMatch(/<script|href|url\(/i)
  })

  it('are visible only to their account', async () => {
    const headers = { 'api-key': service.keys.other }
    const codes = []
    for (const path of [result, plot]) {
      codes.push((await ask({ target: `${path}?endpoint_id=${id}&run=1`, headers })).status)
    }
    const stopped = await ask({
      method: 'POST',
      target: '/api/benchmark/runs/stop?run=1',
      headers,
    })
    expect([...codes, stopped.status]).toEqual([404, 404, 404])
  })
})

/** Ten calls within two seconds of the first one, then the window starts again. */
function createLimiter() {
  let since = 0
  let calls = 0
  return {
    answer: () => {
      const now = Date.now()
      if (now - since >= 2_000) [since, calls] = [now, 0]
      calls += 1
      const isOver = calls > 10
      const headers = isOver ? ([['retry-after', '2']] as const) : []
      return { status: isOver ? 429 : 200, headers, body: '{}', delayMs: 0 }
    },
  }
}
