import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../core/errors.ts'
import { toFetchHandler } from '../../core/http/fetch.ts'
import type { HttpHandler, HttpRequest } from '../../core/http/message.ts'
import type { LogLevel } from '../../core/ports/logger.ts'

const BASE = 'http://host.test:81'

function respondWithText(body: string) {
  return { status: 200, headers: { 'content-type': 'text/plain' }, body }
}

async function seenBy(request: Request, options = {}) {
  let seen: HttpRequest | undefined
  const handle = toFetchHandler((given) => {
    seen = given
    return respondWithText('')
  }, options)
  await handle(request, { clientAddress: '10.0.0.1' })
  if (!seen) throw new Error('The handler was not called')
  return seen
}

describe('a handler as a fetch handler', () => {
  it('answers without a promise when the handler does', () => {
    const response = toFetchHandler(() => respondWithText('hello'))(new Request(BASE))
    expect(response).toBeInstanceOf(Response)
  })

  it('hands over method, target, headers, address and origin', async () => {
    const request = new Request(`${BASE}/a/b?c=%zz#d`, {
      method: 'DELETE',
      headers: { 'Api-Key': 'k', host: 'host.test:81' },
    })
    const seen = await seenBy(request)
    expect([seen.method, seen.target, seen.header('API-KEY'), seen.header('none')]).toEqual([
      'DELETE',
      '/a/b?c=%zz',
      'k',
      undefined,
    ])
    expect([seen.clientAddress, seen.body, seen.hasLostBody]).toEqual([
      '10.0.0.1',
      undefined,
      false,
    ])
  })

  it.each([
    ['a host that is not one host', { host: 'x/metrics?' }],
    ['a coding besides chunked', { 'transfer-encoding': 'gzip, chunked' }],
    ['two lengths', { 'content-length': '3, 3' }],
  ])('refuses %s before the handler sees it', async (_, headers) => {
    const handle = toFetchHandler(() => respondWithText('handled'))
    const response = await handle(new Request(`${BASE}/healthz`, { headers }))
    expect([response.status, response.headers.get('content-type')]).toEqual([
      400,
      'application/problem+json',
    ])
  })

  it('needs no host of a request that a program makes, but of one that a listener received', async () => {
    const request = new Request(BASE)
    const statuses = [{}, { requiresHost: true }].map(async (options) => {
      const handle = toFetchHandler(() => respondWithText('handled'), options)
      return (await handle(request)).status
    })
    expect(await Promise.all(statuses)).toEqual([200, 400])
  })

  it('believes forwarded headers of trusted peers', async () => {
    const headers = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'api.example',
    }
    const request = new Request(BASE, { headers })
    const seen = await seenBy(request, { trustedProxies: ['10.0.0.0/8'] })
    expect([seen.clientAddress, seen.origin]).toEqual(['203.0.113.9', 'https://api.example'])
  })

  it('tells that the body of a GET was lost', async () => {
    expect((await seenBy(new Request(BASE))).hasLostBody).toBe(false)
    for (const headers of [{ 'content-length': '3' }, { 'transfer-encoding': 'chunked' }]) {
      expect((await seenBy(new Request(BASE, { headers }))).hasLostBody).toBe(true)
    }
    const empty = new Request(BASE, { headers: { 'content-length': '0' } })
    expect((await seenBy(empty)).hasLostBody).toBe(false)
  })

  it('reads a body as it arrives', async () => {
    const handle = toFetchHandler(async (request) => {
      let length = 0
      for await (const chunk of request.body ?? []) length += chunk.length
      return respondWithText(String(length))
    })
    const response = await handle(new Request(BASE, { method: 'POST', body: 'x'.repeat(100_000) }))
    expect(await response.text()).toBe('100000')
  })

  it('calls a body that breaks off invalid, not a failure of ours', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })
    const handle = toFetchHandler(async (request) => {
      for await (const chunk of request.body ?? []) expect(chunk).toBeUndefined()
      return respondWithText('read')
    })
    // Node requires `duplex`, but the types lack it.
    const init: RequestInit & { readonly duplex: string } = { method: 'POST', body, duplex: 'half' }
    const response = await handle(new Request(BASE, init))
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: 'invalid_body', detail: 'Cannot read the body: it ended too early' },
    ])
  })

  it('streams with back-pressure and returns the source on cancel', async () => {
    let produced = 0
    let returned = 0
    async function* source() {
      try {
        for (; produced < 1_000; produced += 1) yield new Uint8Array(10)
      } finally {
        returned += 1
      }
    }
    const response = await toFetchHandler(() => ({ status: 200, headers: {}, body: source() }))(
      new Request(BASE),
    )
    const reader = response.body?.getReader()
    await reader?.read()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect([produced < 5, returned]).toEqual([true, 0])
    await reader?.cancel()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect([produced < 5, returned]).toEqual([true, 1])
  })

  it('breaks a stream off when its source fails, and logs why', async () => {
    const events: [LogLevel, string, unknown][] = []
    const log = (level: LogLevel, event: string, fields?: unknown) =>
      void events.push([level, event, fields])
    async function* source() {
      yield new TextEncoder().encode('part')
      throw new Error('disk on fire')
    }
    const handler: HttpHandler = () => ({ status: 200, headers: {}, body: source() })
    const response = await toFetchHandler(handler, { logger: { log } })(new Request(BASE))
    await expect(response.text()).rejects.toThrow('The response ended too early')
    expect(events).toEqual([['error', 'request_failed', { reason: 'Error: disk on fire' }]])
  })

  it('logs what breaks off as no failure of its own when it was passed on', async () => {
    const events: [LogLevel, string, unknown][] = []
    const log = (level: LogLevel, event: string, fields?: unknown) =>
      void events.push([level, event, fields])
    async function* source() {
      yield new TextEncoder().encode('part')
      throw new Error('reset')
    }
    const failed = { status: 502, headers: {}, body: '' }
    const headers = { 'x-request-id': 'r-7' }
    const handler: HttpHandler = () => ({
      status: 200,
      headers,
      body: source(),
      fail: () => failed,
    })
    const response = await toFetchHandler(handler, { logger: { log } })(new Request(BASE))
    await expect(response.text()).rejects.toThrow('The response ended too early')
    expect(events).toEqual([
      ['info', 'request_failed', { request_id: 'r-7', reason: 'Error: reset' }],
    ])
  })

  it.each([
    ['overloaded', 'info'],
    ['target_failed', 'info'],
    ['storage_unavailable', 'error'],
    ['invalid_input', 'debug'],
  ] as const)('logs %s as %s', async (code, level) => {
    const events: LogLevel[] = []
    const handler: HttpHandler = () => {
      throw new ServiceError(code, 'no')
    }
    const logger = { log: (each: LogLevel) => void events.push(each) }
    await toFetchHandler(handler, { logger })(new Request(BASE))
    expect(events).toEqual([level])
  })

  it('answers HEAD, 204 and 304 without a body and never reads its source', async () => {
    let isRead = false
    async function* source() {
      isRead = true
      yield new Uint8Array(1)
    }
    for (const [method, status] of [
      ['HEAD', 200],
      ['GET', 204],
      ['GET', 304],
    ] as const) {
      const handle = toFetchHandler(() => ({ status, headers: { 'x-a': 'b' }, body: source() }))
      const response = await handle(new Request(BASE, { method }))
      expect([response.status, response.headers.get('x-a')]).toEqual([status, 'b'])
    }
    const head = await toFetchHandler(() => respondWithText('grüße'))(
      new Request(BASE, { method: 'HEAD' }),
    )
    expect([head.headers.get('content-length'), await head.text(), isRead]).toEqual([
      '7',
      '',
      false,
    ])
  })

  it('answers a failed handler, and an unusable answer, with 500 and no inner text', async () => {
    const failing: HttpHandler[] = [
      () => {
        throw new Error('secret')
      },
      async () => {
        throw new Error('secret')
      },
      () => ({ status: 999, headers: {}, body: 'x' }),
      async () => ({ status: 200, headers: { 'x-a': 'a\nb' }, body: 'x' }),
    ]
    for (const handler of failing) {
      const response = await toFetchHandler(handler)(new Request(BASE))
      expect([response.status, await response.json()]).toMatchObject([
        500,
        { code: 'internal', detail: 'Internal error' },
      ])
    }
  })
})
