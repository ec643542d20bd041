import { describe, expect, it } from 'vitest'
import { createSmallService, type SmallService } from './small-service.ts'
import { type RequestParts, readText, toHttpRequest } from './support.ts'

const KEY = { 'api-key': 'good' }

async function ask({ handle }: Pick<SmallService, 'handle'>, parts: RequestParts) {
  const response = await handle(toHttpRequest(parts))
  return { status: response.status, headers: response.headers, text: await readText(response) }
}

/** Status and parsed body. */
async function askJson(service: Pick<SmallService, 'handle'>, parts: RequestParts) {
  const { status, text } = await ask(service, { ...parts, headers: { ...KEY, ...parts.headers } })
  return [status, JSON.parse(text)]
}

describe('bodies', () => {
  const service = createSmallService()

  it('of JSON reach the handler with parameters, account and accepted types', async () => {
    const parts = {
      method: 'POST',
      target: '/api/json?q=a%20b',
      body: ['{"a":1,', '"b":"ü"}'],
      headers: { 'x-note': 'caf%C3%A9', accept: 'application/json' },
    }
    expect(await askJson(service, parts)).toEqual([
      200,
      {
        q: 'a b',
        'x-note': 'café',
        body: { a: 1, b: 'ü' },
        account: 'Account',
        accept: 'application/json',
      },
    ])
  })

  it('that are wrong are refused with all issues, of body and parameters', async () => {
    const parts = {
      method: 'POST',
      target: `/alt/json?q=${'x'.repeat(11)}`,
      body: '{"a":"1","c":1}',
    }
    const [status, problem] = await askJson(service, parts)
    expect([status, problem.code, problem.errors]).toEqual([
      400,
      'invalid_input',
      [
        { in: 'body', name: 'a', message: 'must be a number' },
        { in: 'body', name: 'c', message: 'is unknown' },
        { in: 'query', name: 'q', message: 'must be at most 10 characters long' },
      ],
    ])
  })

  it.each([
    ['the query', { target: '/api/form?id=x&size=2' }],
    ['an urlencoded body', { method: 'POST', target: '/api/form/', body: 'id=x&size=2' }],
    ['a JSON body', { method: 'POST', target: '/api/same-form', body: '{"id":"x","size":2}' }],
    ['the body of a GET', { target: '/api/form/', body: 'id=x&size=2' }],
    ['the query, which wins', { target: '/api/form?id=x&size=2', body: 'id=y&size=3' }],
    ['query and body together', { method: 'POST', target: '/api/form?id=x', body: 'size=2' }],
    [
      'a multipart body',
      {
        method: 'POST',
        target: '/api/form',
        body: '--b\r\nContent-Disposition: form-data; name="id"\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name="size"\r\n\r\n2\r\n--b--\r\n',
      },
    ],
  ] as const)('of forms are read from %s', async (_, parts) => {
    expect(await askJson(service, parts)).toEqual([200, { id: 'x', size: 2 }])
  })

  it('of forms that a runtime lost are asked for in the query', async () => {
    const lost = { target: '/api/form', hasLostBody: true }
    const [status, problem] = await askJson(service, lost)
    expect([status, problem.errors]).toEqual([
      400,
      [
        {
          in: 'form',
          name: 'id',
          message: 'is required: this server drops the body of a GET, so give it in the query',
        },
      ],
    ])
    const given = await askJson(service, { ...lost, target: '/api/form?id=x' })
    expect(given).toEqual([200, { id: 'x', size: 3 }])
  })

  it('of files are read as they are, with what their part says', async () => {
    const headers = { 'api-key': 'other', name: 'n', 'content-type': 'text/plain' }
    const plain = { method: 'POST', target: '/api/file', body: 'plain', headers }
    expect(await askJson(service, plain)).toEqual([
      200,
      { name: 'n', text: 'plain', filename: '', mediaType: 'text/plain' },
    ])
    const part =
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/x\r\n\r\nhi\r\n--b--\r\n'
    expect(await askJson(service, { ...plain, body: part })).toEqual([
      200,
      { name: 'n', text: 'hi', filename: 'a.txt', mediaType: 'text/x' },
    ])
  })

  it('of head and rows are read from one object and line by line', async () => {
    const lines = { 'content-type': 'application/x-ndjson' }
    const target = '/api/lines'
    const asObject = { method: 'POST', target, body: '{"n":5,"rows":[{"n":1},{"n":2}]}' }
    const asLines = { method: 'POST', target, body: '{"n":5}\n{"n":1}\n{"n":2}', headers: lines }
    expect(await askJson(service, asObject)).toEqual([200, { head: 5, sum: 3 }])
    expect(await askJson(service, asLines)).toEqual([200, { head: 5, sum: 3 }])
    const [status, problem] = await askJson(service, { ...asLines, body: '{"n":5}\n{"n":"x"}' })
    expect([status, problem.errors]).toEqual([
      400,
      [{ in: 'body', name: 'rows.0.n', message: 'must be a number' }],
    ])
  })

  it.each([
    ['/api/json', 1_000, KEY],
    ['/api/form', 1_000, KEY],
    ['/api/file', 10_000, { 'api-key': 'other', name: 'n' }],
  ] as const)('over the limit of %s are refused', async (target, limit, headers) => {
    const body = ['x'.repeat(limit), 'x']
    const [status, problem] = await askJson(service, { method: 'POST', target, body, headers })
    expect([status, problem.code, problem.detail]).toEqual([
      413,
      'too_large',
      `Cannot read the body: at most ${limit} bytes are accepted`,
    ])
  })
})

describe('answers', () => {
  const service = createSmallService()

  it('of rows are one document with head and tail', async () => {
    const { status, headers, text } = await ask(service, { target: '/api/rows', headers: KEY })
    const { n, rows, bytes } = JSON.parse(text)
    expect([status, headers['content-type'], n, rows.length, rows.at(-1)]).toEqual([
      200,
      'application/json',
      0,
      20_000,
      { n: 20_000 },
    ])
    expect(bytes).toBe(text.lastIndexOf(']') + 1)
  })

  it('of rows break off when their source fails', async () => {
    const request = ask(service, { target: '/api/rows?fail=10000', headers: KEY })
    await expect(request).rejects.toThrow()
  })

  it('are in the media type that the handler chose', async () => {
    const csv = await ask(service, {
      target: '/api/variant',
      headers: { ...KEY, accept: 'text/csv' },
    })
    const json = await ask(service, { target: '/api/variant', headers: KEY })
    expect([csv.headers['content-type'], csv.text, csv.headers.etag]).toEqual([
      'text/csv',
      'n\r\n1\r\n',
      '"1"',
    ])
    expect([json.headers['content-type'], json.text]).toEqual(['application/json', '{"n":1}'])
  })

  it('pass as they are, at the root and below every base path, without a key', async () => {
    for (const target of ['/raw', '/api/raw', '/alt/raw/']) {
      const response = await service.handle(toHttpRequest({ target }))
      expect([
        response.status,
        response.headers['content-type'],
        response.headers['x-own'],
      ]).toEqual([203, 'image/png', 'yes'])
      expect(response.body).toEqual(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]))
    }
  })

  it('that are empty have no body and no media type', async () => {
    const { status, headers, text } = await ask(service, {
      method: 'DELETE',
      target: '/api/nothing',
      headers: KEY,
    })
    expect([status, headers['content-type'], text]).toEqual([204, undefined, ''])
  })

  it('carry the headers of their admission, and leave when they are given', async () => {
    const small = createSmallService()
    const { headers } = await ask(small, { target: '/api/variant', headers: KEY })
    await ask(small, { target: '/api/fail', headers: KEY })
    await ask(small, { method: 'POST', target: '/api/planned', headers: KEY })
    expect([headers.ratelimit, small.running.count]).toEqual(['x', 0])
  })
})

describe('failures', () => {
  it('that are known keep their words, with the members of the operation', async () => {
    const [status, problem] = await askJson(createSmallService(), { target: '/api/fail?how=known' })
    expect([status, problem.code, problem.detail, problem.info]).toEqual([
      409,
      'conflict',
      'Cannot do it: it is done already',
      'Cannot do it: it is done already',
    ])
    const away = await ask(createSmallService(), { target: '/api/fail?how=away', headers: KEY })
    expect([away.status, away.headers['retry-after']]).toEqual([503, '2'])
  })

  it.each(['text', 'error'])('that are unknown tell nothing, and are logged: %s', async (how) => {
    const service = createSmallService()
    const { status, text } = await ask(service, { target: `/api/fail?how=${how}`, headers: KEY })
    const { code, detail } = JSON.parse(text)
    expect([status, code, detail]).toEqual([
      500,
      'internal',
      'The service failed; the log holds the reason',
    ])
    expect(text).not.toMatch(/adk_live|SELECT|home|\.ts/)
    const failure = service.logged.find(({ event }) => event === 'failure')
    expect([failure?.level, failure?.fields]).toMatchObject([
      'error',
      { code: 'internal', path: '/api/fail' },
    ])
  })

  it('of authentication are given before anything is read', async () => {
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

  it('of planned operations come after key and scope, before the input', async () => {
    const service = createSmallService()
    const statuses = []
    for (const headers of [{}, { 'api-key': 'other' }, KEY]) {
      statuses.push(
        (await ask(service, { method: 'POST', target: '/api/planned', headers })).status,
      )
    }
    expect(statuses).toEqual([401, 403, 501])
  })
})

describe('every request', () => {
  it('is observed and logged once, without its query and its key', async () => {
    const service = createSmallService()
    await ask(service, {
      target: '/api/variant?secret=1',
      headers: { ...KEY, 'x-request-id': 'mine' },
    })
    await ask(service, { target: '/nowhere?secret=2', headers: KEY })
    expect(service.observed).toEqual([
      { operation: 'writeVariant', status: 200, ms: 0 },
      { operation: 'none', status: 404, ms: 0 },
    ])
    expect(service.logged.map(({ event, fields }) => [event, fields])).toMatchObject([
      ['request', { request_id: 'mine', method: 'GET', path: '/api/variant', status: 200 }],
      ['request', { path: '/nowhere', operation: 'none', status: 404 }],
    ])
    expect(JSON.stringify(service.logged)).not.toMatch(/secret|good/)
  })

  it('has an id, the client’s own or one of ours, in header and problem document', async () => {
    const service = createSmallService()
    const own = await ask(service, { target: '/x', headers: { 'x-request-id': 'mine' } })
    const ours = await ask(service, { target: '/x', headers: { 'x-request-id': 'not mine' } })
    expect([own.headers['x-request-id'], JSON.parse(own.text).request_id]).toEqual(['mine', 'mine'])
    expect(ours.headers['x-request-id']).toMatch(/^[0-9a-z]+-1$/)
    expect(JSON.parse(ours.text).request_id).toBe(ours.headers['x-request-id'])
  })

  it('may come from pages of allowed origins, and of no others', async () => {
    const service = createSmallService({ allowedOrigins: ['https://a.example'] })
    const askFrom = (origin: string, method = 'GET') =>
      ask(service, { method, target: '/api/variant', headers: { ...KEY, origin } })
    const good = await askFrom('https://a.example')
    const preflight = await askFrom('https://a.example', 'OPTIONS')
    const bad = await askFrom('https://b.example')
    const refused = await ask(service, {
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
  it('spare a client what has not changed, until it has', async () => {
    const service = createSmallService()
    const askWith = (tag: string) =>
      ask(service, { target: '/api/rows', headers: { ...KEY, 'if-none-match': tag } })
    const { headers } = await ask(service, { target: '/api/rows', headers: KEY })
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

  it('are looked at once the caller may ask, and the question is right', async () => {
    const service = createSmallService()
    const headers = { 'if-none-match': '"1-c1"' }
    const unknown = await ask(service, { target: '/api/rows', headers })
    const wrong = await ask(service, {
      target: '/api/rows?fail=x',
      headers: { ...KEY, ...headers },
    })
    expect([unknown.status, wrong.status]).toEqual([401, 400])
  })
})
