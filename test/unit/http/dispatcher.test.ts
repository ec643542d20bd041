import { describe, expect, it } from 'vitest'
import { askJson, askSmallService, createSmallService, KEY } from './small-service.ts'
import { toHttpRequest } from './support.ts'

describe('bodies', () => {
  const service = createSmallService()

  it('in JSON reach the handler with parameters, account and accepted types', async () => {
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

  it('that are invalid are rejected with all issues, of body and parameters', async () => {
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
  ] as const)('with forms are read from %s', async (_, parts) => {
    expect(await askJson(service, parts)).toEqual([200, { id: 'x', size: 2 }])
  })

  it('with forms that a runtime lost are requested in the query', async () => {
    const lost = { target: '/api/form', hasLostBody: true }
    const [status, problem] = await askJson(service, lost)
    expect([status, problem.errors]).toEqual([
      400,
      [
        {
          in: 'form',
          name: 'id',
          message: 'is required: this server drops the body of a GET, so pass it in the query',
        },
      ],
    ])
    const given = await askJson(service, { ...lost, target: '/api/form?id=x' })
    expect(given).toEqual([200, { id: 'x', size: 3 }])
  })

  it('with files are read unchanged, with the metadata of their part', async () => {
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

  it('with head and rows are read from one object and line by line', async () => {
    const lines = { 'content-type': 'application/x-ndjson' }
    const target = '/api/lines'
    const asObject = { method: 'POST', target, body: '{"n":5,"rows":[{"n":1},{"n":2}]}' }
    const asLines = { method: 'POST', target, body: '{"n":5}\n{"n":1}\n{"n":2}', headers: lines }
    expect(await askJson(service, asObject)).toEqual([200, { head: 5, sum: 3 }])
    expect(await askJson(service, asLines)).toEqual([200, { head: 5, sum: 3 }])
    const [status, problem] = await askJson(service, { ...asLines, body: '{"n":5}\n{"n":"x"}' })
    expect([status, problem.errors]).toEqual([
      400,
      [{ in: 'body', name: 'line 2: n', message: 'must be a number' }],
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

describe('responses', () => {
  const service = createSmallService()

  it('with rows are one document with head and tail', async () => {
    const { status, headers, text } = await askSmallService(service, {
      target: '/api/rows',
      headers: KEY,
    })
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

  it('with rows break off when their source fails', async () => {
    const request = askSmallService(service, { target: '/api/rows?fail=10000', headers: KEY })
    await expect(request).rejects.toThrow()
  })

  it('have the media type that the handler chose', async () => {
    const csv = await askSmallService(service, {
      target: '/api/variant',
      headers: { ...KEY, accept: 'text/csv' },
    })
    const json = await askSmallService(service, { target: '/api/variant', headers: KEY })
    expect([csv.headers['content-type'], csv.text, csv.headers.etag]).toEqual([
      'text/csv',
      'n\r\n1\r\n',
      '"1"',
    ])
    expect([json.headers['content-type'], json.text]).toEqual(['application/json', '{"n":1}'])
  })

  it('are forwarded unchanged, at the root and below every base path, without a key', async () => {
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
    const { status, headers, text } = await askSmallService(service, {
      method: 'DELETE',
      target: '/api/nothing',
      headers: KEY,
    })
    expect([status, headers['content-type'], text]).toEqual([204, undefined, ''])
  })

  it('carry the headers of their admission, and end it when they are sent', async () => {
    const small = createSmallService()
    const { headers } = await askSmallService(small, { target: '/api/variant', headers: KEY })
    await askSmallService(small, { target: '/api/fail', headers: KEY })
    await askSmallService(small, { method: 'POST', target: '/api/planned', headers: KEY })
    expect([headers.ratelimit, small.running.count]).toEqual(['x', 0])
  })
})
