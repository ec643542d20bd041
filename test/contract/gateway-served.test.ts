import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../core/client.ts'
import { eventually } from '../conformance/runtime-wire.ts'
import { headerValues } from '../helpers/mirror-target.ts'
import { openRaw } from '../helpers/raw-http.ts'
import { LISTENERS, type ServedGateway, serveGateway } from '../helpers/served-gateway.ts'

describe.each(LISTENERS)('a call through the gateway, over the %s listener', (listener) => {
  let gateway: ServedGateway
  beforeAll(async () => {
    gateway = await serveGateway({ listener, limits: { firstByteMs: 400, idleMs: 600 } })
  })
  afterAll(() => gateway.close())

  const toRequest = (name: string, more: readonly string[] = [], body = '{"q":"x"}') =>
    [
      `POST /api/gateway?endpoint_id=${gateway.ids[name]} HTTP/1.1`,
      'Host: service.test',
      `api-key: ${gateway.service.keys.all}`,
      `Content-Length: ${new TextEncoder().encode(body).length}`,
      ...more,
      '',
      body,
    ].join('\r\n')

  async function ask(name: string, more: readonly string[] = []) {
    const connection = await openRaw(gateway.url)
    connection.send(toRequest(name, more))
    const answer = await connection.readResponse().catch(() => undefined)
    connection.close()
    return answer
  }

  it('sends the described request, with only the forwardable headers', async () => {
    gateway.target.answer(() => undefined)
    const before = gateway.target.requests.length
    await ask('open', [
      'Accept: text/csv',
      'Accept-Encoding: br',
      'Accept-Language: de',
      'If-None-Match: "tag"',
      'Range: bytes=0-9',
      'Cookie: session=mine',
      'Authorization: Bearer mine',
      'Origin: https://page.example',
      'Referer: https://page.example/',
      'User-Agent: curl',
      'X-Forwarded-For: 10.0.0.1',
      'X-Own: mine',
      'TE: trailers',
    ])
    const request = gateway.target.requests[before]
    if (!request) throw new Error('The target was not asked')
    const { method, target, headers } = request
    expect([method, target]).toEqual(['GET', '/open?q=x'])
    const lines = headers.map(([name, value]) => [name.toLowerCase(), value]).sort()
    expect(Object.fromEntries(lines)).toEqual({
      accept: 'text/csv',
      'accept-encoding': 'br',
      'accept-language': 'de',
      connection: 'keep-alive',
      host: gateway.target.address,
      'if-none-match': '"tag"',
      range: 'bytes=0-9',
      'user-agent': headerValues(request, 'user-agent')[0],
    })
    expect(headerValues(request, 'user-agent')[0]).toMatch(/^api-discovery\/\d/)
  })

  it('returns status and bytes unchanged, and only listed headers', async () => {
    const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256)
    gateway.target.answer(() => ({
      status: 206,
      headers: [
        ['Content-Type', 'text/html; charset=utf-8'],
        ['Content-Encoding', 'br'],
        ['Content-Range', 'bytes 0-9/10'],
        ['ETag', '"x"'],
        ['Set-Cookie', 'a=b'],
        ['Server', 'mirror'],
        ['X-Powered-By', 'mirror'],
        ['gateway-error', 'internal'],
        ['Access-Control-Allow-Origin', '*'],
        ['Connection', 'close, etag'],
        ['X-Request-Id', 'theirs'],
        ['Strict-Transport-Security', 'max-age=1'],
      ],
      body: bytes,
    }))
    const answer = await ask('open', ['x-request-id: ours'])
    expect(answer?.status).toBe(206)
    const { date, connection, ...headers } = answer?.headers ?? {}
    const {
      'content-length': length,
      'transfer-encoding': coding,
      'keep-alive': _,
      ...own
    } = headers
    expect([length, coding]).toContain(
      listener === 'native' && 'Bun' in globalThis ? 'chunked' : '300000',
    )
    expect(own).toEqual({
      'cache-control': 'private, no-cache',
      'content-disposition': 'attachment',
      'content-encoding': 'br',
      'content-range': 'bytes 0-9/10',
      'content-security-policy': 'sandbox',
      'content-type': 'text/html; charset=utf-8',
      'target-request-id': 'theirs',
      vary: 'api-key, Authorization, Accept',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'ours',
    })
    expect(Uint8Array.from(answer?.body ?? '', (each) => each.charCodeAt(0))).toEqual(bytes)
  })

  it('forwards a file, and returns every status of the target', async () => {
    gateway.target.answer(() => ({ status: 418, body: 'short and stout' }))
    const client = createClient({
      baseUrl: `${gateway.url}/api`,
      apiKey: gateway.service.keys.all,
    })
    const file = new TextEncoder().encode('content of the file')
    const before = gateway.target.requests.length
    const { status, headers, body } = await client.callEndpoint({
      endpoint_id: gateway.ids.upload ?? '',
      body: { note: 'ü', file: { bytes: file, filename: 'a.txt', mediaType: 'text/plain' } },
    })
    expect([status, headers['content-type'], new TextDecoder().decode(body)]).toEqual([
      418,
      'text/plain',
      'short and stout',
    ])
    const sent = new TextDecoder().decode(gateway.target.requests[before]?.body)
    expect(sent).toContain('name="note"\r\n')
    expect(sent).toContain('filename="a.txt"')
    expect(sent).toContain('content of the file')
  })

  it('that fails before its first byte returns a problem document', async () => {
    const ends = [
      ['closed', 502, 'target_unreachable'],
      ['silent', 504, 'target_timeout'],
    ] as const
    for (const [end, status, code] of ends) {
      gateway.target.answer(() => end)
      const answer = await ask('upload')
      expect([end, answer?.status, answer?.headers['gateway-error']]).toEqual([end, status, code])
      expect(JSON.parse(answer?.body ?? '')).toMatchObject({ status, code })
    }
  })

  it('whose target breaks off or stalls midway is not a complete response', async () => {
    for (const end of ['broken', 'stalled'] as const) {
      gateway.target.answer(() => end)
      const answer = await ask('upload')
      expect([end, answer?.status, answer?.isComplete]).toEqual([end, 200, false])
    }
  })
})

describe.each(LISTENERS)('a client that disconnects, over the %s listener', (listener) => {
  it('ends the call of the target, before and during its response', async () => {
    // Within the time that this test waits, only a disconnect of the caller ends a call.
    const limits = { firstByteMs: 30_000, idleMs: 30_000, totalMs: 30_000 }
    const gateway = await serveGateway({ listener, limits })
    const { target, service } = gateway
    for (const end of ['silent', 'stalled'] as const) {
      target.answer(() => end)
      const asked = target.requests.length
      const connection = await openRaw(gateway.url)
      connection.send(
        [
          `POST /api/gateway?endpoint_id=${gateway.ids.open} HTTP/1.1`,
          'Host: service.test',
          `api-key: ${service.keys.all}`,
          'Content-Length: 2',
          '',
          '{}',
        ].join('\r\n'),
      )
      await target.whenAsked(asked + 1)
      if (end === 'stalled') await connection.readHead()
      expect(target.open).toBe(1)
      connection.close()
      await eventually(() => target.open === 0)
    }
    const { account } = service.caller
    const { items } = await service.app.gateway.listCalls(account, { size: 5, page: 1 })
    expect(items.map(({ status, failure, bytes }) => [status, failure, bytes])).toEqual([
      [200, 'aborted', 10],
      [0, 'aborted', 0],
    ])
    await gateway.close()
  })
})
