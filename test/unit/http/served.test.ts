import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serve } from '../../../adapters/runtime/serve.ts'
import type { RunningServer } from '../../../adapters/runtime/server.ts'
import { rawRequest } from '../../helpers/raw-http.ts'
import { createSmallService } from './small-service.ts'

const PARTS =
  '--b\r\nContent-Disposition: form-data; name="id"\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name="size"\r\n\r\n2\r\n--b--\r\n'
const isNative = 'Bun' in globalThis || 'Deno' in globalThis

describe.each(isNative ? ['node', 'native'] : ['node'])('served by the %s listener', (listener) => {
  const { handle, logged } = createSmallService()
  let server: RunningServer
  beforeAll(async () => {
    server = await serve(handle, { port: 0, listener: listener === 'native' ? 'native' : 'node' })
  })
  afterAll(() => server.close(0))

  function send(line: string, headers: readonly string[] = [], body = '') {
    const head = [`${line} HTTP/1.1`, 'Host: service.test', 'api-key: good', ...headers, '', body]
    return rawRequest(server.url, head.join('\r\n'))
  }

  const bodies = [
    ['counted', ['Content-Length: 11'], 'id=x&size=2'],
    ['chunked', ['Transfer-Encoding: chunked'], 'b\r\nid=x&size=2\r\n0\r\n\r\n'],
    [
      'multipart, as curl -F sends it',
      ['Content-Type: multipart/form-data; boundary=b', `Content-Length: ${PARTS.length}`],
      PARTS,
    ],
  ] as const

  it.each(bodies)(
    'a GET with a %s form is read, or required in the query',
    async (_, headers, body) => {
      const answer = await send('GET /api/form/', headers, body)
      const document = JSON.parse(answer.body)
      if (listener === 'node') {
        expect([answer.status, document]).toEqual([200, { id: 'x', size: 2 }])
        return
      }
      expect([answer.status, document.code, document.errors]).toEqual([
        400,
        'invalid_input',
        [
          {
            in: 'form',
            name: 'id',
            message: 'is required: this server drops the body of a GET, so pass it in the query',
          },
        ],
      ])
    },
  )

  it.each(bodies)('a POST with a %s form is read', async (_, headers, body) => {
    const answer = await send('POST /api/form', headers, body)
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { id: 'x', size: 2 }])
  })

  it('a GET with the query form needs no body, and may have one', async () => {
    for (const [, headers, body] of [['', [], ''], ...bodies] as const) {
      const answer = await send('GET /api/form?id=q', headers, body)
      expect([answer.status, JSON.parse(answer.body).id]).toEqual([200, 'q'])
    }
  })

  it('rows arrive completely', async () => {
    const { status, body, isComplete } = await send('GET /api/rows')
    expect([status, isComplete, JSON.parse(body).rows.length]).toEqual([200, true, 20_000])
  })

  it('rows that fail midway break the connection, not the document', async () => {
    const { status, body, isComplete } = await send('GET /api/rows?fail=10000')
    expect([status, isComplete]).toEqual([200, false])
    expect(body).toContain('{"n":0,"rows":[{"n":1}')
    expect(body).not.toContain('"n":10001}')
    expect(body).not.toMatch(/\]|adk_live|SELECT|problem/)
    expect((await send('GET /api/variant')).status).toBe(200)
  })

  it('bytes are unchanged, and an empty result is 204', async () => {
    const raw = await send('GET /raw')
    expect([raw.status, raw.headers['content-type'], raw.body]).toEqual([
      203,
      'image/png',
      '\u0089PNG\u0000\u00ff',
    ])
    const nothing = await send('DELETE /api/nothing')
    expect([nothing.status, nothing.body]).toEqual([204, ''])
  })

  it('HEAD has the headers of GET', async () => {
    for (const path of ['/api/variant', '/raw', '/api/rows']) {
      const get = await send(`GET ${path}`)
      const head = await send(`HEAD ${path}`)
      expect([head.status, head.body, head.headers['content-type'], head.headers.etag]).toEqual([
        get.status,
        '',
        get.headers['content-type'],
        get.headers.etag,
      ])
    }
  })

  it('other methods are rejected, and OPTIONS succeeds', async () => {
    const put = await send('PUT /api/form', ['Content-Length: 2'], '{}')
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS, POST'])
    const options = await send('OPTIONS /api/form/')
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS, POST'])
  })

  it('a failure reveals no internals', async () => {
    const { status, body } = await send('GET /api/fail')
    expect([status, JSON.parse(body).code]).toEqual([500, 'internal'])
    expect(body).not.toMatch(/adk_live|SELECT|home|\.ts/)
    expect(logged.some(({ event }) => event === 'failure')).toBe(true)
  })
})
