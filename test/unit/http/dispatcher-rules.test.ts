import { describe, expect, it } from 'vitest'
import { askJson, askSmallService, createSmallService, KEY } from './small-service.ts'
import { toHttpRequest } from './support.ts'

describe('failures', () => {
  it('that are known keep their message, with the members of the operation', async () => {
    const [status, problem] = await askJson(createSmallService(), { target: '/api/fail?how=known' })
    expect([status, problem.code, problem.detail, problem.info]).toEqual([
      409,
      'conflict',
      'Cannot do it: it is done already',
      'Cannot do it: it is done already',
    ])
    const away = await askSmallService(createSmallService(), {
      target: '/api/fail?how=away',
      headers: KEY,
    })
    expect([away.status, away.headers['retry-after']]).toEqual([503, '2'])
  })

  it.each(['text', 'error'])('that are unknown reveal nothing, and are logged: %s', async (how) => {
    const service = createSmallService()
    const { status, text } = await askSmallService(service, {
      target: `/api/fail?how=${how}`,
      headers: KEY,
    })
    const { code, detail } = JSON.parse(text)
    expect([status, code, detail]).toEqual([
      500,
      'internal',
      'Internal error: see the log for the reason',
    ])
    expect(text).not.toMatch(/adk_live|SELECT|home|\.ts/)
    const failure = service.logged.find(({ event }) => event === 'failure')
    expect([failure?.level, failure?.fields]).toMatchObject([
      'error',
      { code: 'internal', path: '/api/fail' },
    ])
  })

  it('of authentication precede reading the body', async () => {
    const service = createSmallService()
    let isRead = false
    async function* body() {
      isRead = true
      yield new Uint8Array(1)
    }
    const request = { ...toHttpRequest({ method: 'POST', target: '/api/file' }), body: body() }
    const unknown = await service.handle(request)
    const forbidden = await service.handle({
      ...request,
      header: (name) => (name === 'api-key' ? 'good' : undefined),
    })
    expect([unknown.status, forbidden.status, isRead]).toEqual([401, 403, false])
  })

  it('of planned operations follow key and scope, and precede the input', async () => {
    const service = createSmallService()
    const statuses = []
    for (const headers of [{}, { 'api-key': 'other' }, KEY]) {
      statuses.push(
        (await askSmallService(service, { method: 'POST', target: '/api/planned', headers }))
          .status,
      )
    }
    expect(statuses).toEqual([401, 403, 501])
  })
})

describe('every request', () => {
  it('is observed and logged once, without query and key', async () => {
    const service = createSmallService()
    await askSmallService(service, {
      target: '/api/variant?secret=1',
      headers: { ...KEY, 'x-request-id': 'mine' },
    })
    await askSmallService(service, { target: '/nowhere?secret=2', headers: KEY })
    expect(service.observed).toEqual([
      { operation: 'writeVariant', status: 200, ms: 0 },
      { operation: 'none', status: 404, ms: 0 },
    ])
    expect(service.logged.map(({ event, fields }) => [event, fields])).toMatchObject([
      [
        'request',
        {
          request_id: 'mine',
          method: 'GET',
          path: '/api/variant',
          status: 200,
          account: 'Account',
          key_id: undefined,
          client_address: '127.0.0.1',
        },
      ],
      ['request', { path: '/nowhere', operation: 'none', status: 404 }],
    ])
    expect(JSON.stringify(service.logged)).not.toMatch(/secret|good/)
  })

  it("has an ID, the client's own or a generated one, in header and problem document", async () => {
    const service = createSmallService()
    const own = await askSmallService(service, {
      target: '/x',
      headers: { 'x-request-id': 'mine' },
    })
    const ours = await askSmallService(service, {
      target: '/x',
      headers: { 'x-request-id': 'not mine' },
    })
    expect([own.headers['x-request-id'], JSON.parse(own.text).request_id]).toEqual(['mine', 'mine'])
    expect(ours.headers['x-request-id']).toMatch(/^[0-9a-z]+-1$/)
    expect(JSON.parse(ours.text).request_id).toBe(ours.headers['x-request-id'])
  })

  it('may come only from pages of allowed origins', async () => {
    const service = createSmallService({ allowedOrigins: ['https://a.example'] })
    const askFrom = (origin: string, method = 'GET') =>
      askSmallService(service, { method, target: '/api/variant', headers: { ...KEY, origin } })
    const good = await askFrom('https://a.example')
    const preflight = await askFrom('https://a.example', 'OPTIONS')
    const bad = await askFrom('https://b.example')
    const refused = await askSmallService(service, {
      target: '/api/variant',
      headers: { origin: 'https://a.example' },
    })
    expect(
      [good, bad, refused].map(({ headers }) => headers['access-control-allow-origin']),
    ).toEqual(['https://a.example', undefined, 'https://a.example'])
    expect([good, bad].map(({ headers }) => headers.vary)).toEqual([
      'api-key, Authorization, Accept, Origin',
      'api-key, Authorization, Accept, Origin',
    ])
    expect([preflight.status, preflight.headers]).toMatchObject([
      204,
      {
        allow: 'GET, HEAD, OPTIONS',
        'access-control-allow-origin': 'https://a.example',
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
        'access-control-max-age': '600',
      },
    ])
    expect(preflight.headers['access-control-allow-headers']).toContain('api-key')
    expect(good.headers['access-control-allow-credentials']).toBeUndefined()
  })
})

describe('entity tags', () => {
  it('omit an unchanged body', async () => {
    const service = createSmallService()
    const askWith = (tag: string) =>
      askSmallService(service, { target: '/api/rows', headers: { ...KEY, 'if-none-match': tag } })
    const { headers } = await askSmallService(service, { target: '/api/rows', headers: KEY })
    expect(headers.etag).toBe('"1-c1"')
    const same = await askWith('"1-c1"')
    expect([same.status, same.text, same.headers.etag, same.headers['content-type']]).toEqual([
      304,
      '',
      '"1-c1"',
      undefined,
    ])
    service.catalogue.generation = 2
    const changed = await askWith('"1-c1"')
    expect([changed.status, (await askWith('"1-c2"')).status]).toEqual([200, 304])
  })

  it('are evaluated after authorisation and input checks', async () => {
    const service = createSmallService()
    const headers = { 'if-none-match': '"1-c1"' }
    const unknown = await askSmallService(service, { target: '/api/rows', headers })
    const wrong = await askSmallService(service, {
      target: '/api/rows?fail=x',
      headers: { ...KEY, ...headers },
    })
    expect([unknown.status, wrong.status]).toEqual([401, 400])
  })
})
