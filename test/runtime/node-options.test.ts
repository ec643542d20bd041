import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import express from 'express'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { serveNode, toNodeListener } from '../../adapters/runtime/node.ts'
import { serve } from '../../adapters/runtime/serve.ts'
import type { HttpHandler } from '../../core/http/message.ts'
import type { LogLevel } from '../../core/ports/logger.ts'
import { openRaw, rawRequest } from '../helpers/raw-http.ts'

const GET = 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n'
const POST =
  'POST /api/x HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'

const echo: HttpHandler = async (request) => {
  let body = ''
  for await (const chunk of request.body ?? []) body += new TextDecoder().decode(chunk)
  const { target, clientAddress, origin } = request
  return { status: 200, headers: {}, body: JSON.stringify({ target, clientAddress, origin, body }) }
}

describe('the node:http server', () => {
  it('trusts the headers of configured proxies', async () => {
    const server = await serveNode(echo, { port: 0, trustedProxies: ['127.0.0.1'] })
    const forwarded = 'X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: https\r\n\r\n'
    const { body } = await rawRequest(server.url, GET.replace('\r\n\r\n', `\r\n${forwarded}`))
    expect(JSON.parse(body)).toMatchObject({ clientAddress: '203.0.113.9', origin: 'https://a' })
    await server.close(0)
  })

  it('accepts a body while its rate is sufficient', async () => {
    const server = await serveNode(echo, { port: 0, requestTimeoutMs: 1_200 })
    const head = 'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 12000\r\n\r\n'
    const send = async (piece: string, pieces: number) => {
      const connection = await openRaw(server.url)
      connection.send(head)
      for (let sent = 0; sent < pieces; sent += 1) {
        await new Promise((resolve) => setTimeout(resolve, 75))
        connection.send(piece)
      }
      const answer = pieces * piece.length === 12_000 ? await connection.readResponse() : undefined
      const end = answer?.status ?? (await connection.readToEnd())
      connection.close()
      return end
    }
    const [steady, trickle] = await Promise.all([send('x'.repeat(600), 20), send('x', 4)])
    expect(steady).toBe(200)
    expect(trickle).toMatch(/^HTTP\/1\.1 408 /)
    await server.close(0)
  })

  it('does not count the time in which a client waits for 100 Continue', async () => {
    const late: HttpHandler = async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 3_000))
      return echo(request)
    }
    const server = await serveNode(late, { port: 0, requestTimeoutMs: 2_500 })
    const connection = await openRaw(server.url)
    connection.send(
      'POST /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n',
    )
    expect((await connection.readHead()).status).toBe(100)
    connection.send('abc')
    expect(await connection.readToEnd()).toMatch(/^HTTP\/1\.1 200 .*abc/s)
    connection.close()
    await server.close(0)
  })

  it('rejects when the port is taken, and names address and reason', async () => {
    const server = await serveNode(echo, { port: 0 })
    await expect(serveNode(echo, { port: server.port })).rejects.toThrow(
      `Cannot listen on 127.0.0.1:${server.port}: the port is in use`,
    )
    await server.close(0)
  })

  it('rejects an invalid proxy address before it listens', async () => {
    await expect(serveNode(echo, { port: 0, trustedProxies: ['proxy'] })).rejects.toThrow(
      'Invalid trusted proxy "proxy": must be an address or a CIDR range',
    )
  })

  it('closes connections over the limit', async () => {
    const server = await serveNode(echo, { port: 0, maxConnections: 1 })
    const first = await openRaw(server.url)
    first.send(GET)
    expect((await first.readResponse()).status).toBe(200)
    const second = await openRaw(server.url)
    second.send(GET)
    expect(await second.readToEnd()).toBe('')
    first.close()
    second.close()
    await server.close(0)
  })

  it('ends the signals of pipelined requests when the client disconnects', async () => {
    const count = 20
    const warnings: string[] = []
    const onWarning = ({ name }: Error) => warnings.push(name)
    process.on('warning', onWarning)
    let received = 0
    let aborted = 0
    const allAborted = new Promise<void>((resolve) => {
      setTimeout(resolve, 1_000)
    })
    const server = await serveNode(
      async ({ body, signal, target }) => {
        for await (const _chunk of body ?? []);
        signal.addEventListener('abort', () => (aborted += 1))
        received += 1
        if (target === '/api/x') await allAborted
        return { status: 200, headers: {}, body: '' }
      },
      { port: 0 },
    )
    const connection = await openRaw(server.url)
    for (let n = 0; n < count; n += 1) {
      connection.send(GET.repeat(count))
      for (let m = 0; m < count; m += 1) await connection.readResponse()
    }
    received = 0
    connection.send(POST.repeat(count))
    while (received < count) await new Promise((resolve) => setTimeout(resolve, 5))
    connection.close()
    await allAborted
    expect([aborted, warnings]).toEqual([count, []])
    process.off('warning', onWarning)
    await server.close(0)
  })

  it('rejects a head above the limit with 431', async () => {
    const server = await serveNode(echo, { port: 0 })
    const big = `GET /x HTTP/1.1\r\nHost: a\r\nX-Big: ${'x'.repeat(17_000)}\r\n\r\n`
    expect((await rawRequest(server.url, big)).status).toBe(431)
    await server.close(0)
  })

  it('disconnects a client that does not read a long response', async () => {
    const chunk = new Uint8Array(65_536)
    async function* endless() {
      for (let index = 0; index < 8_192; index += 1) yield chunk
    }
    const makers = [endless, () => Readable.from(endless()), () => 'x'.repeat(64 * 1_048_576)]
    const cutOff = async (makeBody: (typeof makers)[number]) => {
      const server = await serveNode(() => ({ status: 200, headers: {}, body: makeBody() }), {
        port: 0,
        sendTimeoutMs: 200,
      })
      const connection = await openRaw(server.url)
      connection.send(GET)
      await connection.readHead()
      connection.socket.pause()
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      connection.socket.resume()
      const { length } = await connection.readToEnd()
      connection.close()
      await server.close(0)
      return length
    }
    const lengths = await Promise.all(makers.map(cutOff))
    expect(lengths.filter((length) => length >= 32 * 1_048_576)).toEqual([])
  })

  it('closes an idle connection', async () => {
    const server = await serveNode(echo, { port: 0, keepAliveTimeoutMs: 100 })
    const connection = await openRaw(server.url)
    connection.send(GET)
    expect((await connection.readResponse()).status).toBe(200)
    expect(await connection.readToEnd()).toBe('')
    connection.close()
    await server.close(0)
  })

  it('closes the connection after responding without the expected body', async () => {
    const refuse: HttpHandler = () => ({ status: 413, headers: {}, body: 'no' })
    const server = await serveNode(refuse, { port: 0 })
    const expecting =
      'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n'
    const connection = await openRaw(server.url)
    connection.send(expecting)
    const { status, headers } = await connection.readHead()
    expect([status, headers.connection]).toEqual([413, 'close'])
    expect(await connection.readToEnd()).toBe('no')
    connection.close()
    await server.close(0)
  })

  it('logs errors of handlers, and refusals only at debug level', async () => {
    const events: [LogLevel, string, unknown][] = []
    const log = (level: LogLevel, event: string, fields?: unknown) =>
      void events.push([level, event, fields])
    const server = await serveNode(
      () => {
        throw new TypeError('inner')
      },
      { port: 0, logger: { log } },
    )
    expect((await rawRequest(server.url, GET)).status).toBe(500)
    expect((await rawRequest(server.url, GET.replace('Host: a', 'Host: a b'))).status).toBe(400)
    const refusal = 'ServiceError: Invalid Host header: must be one host'
    expect(events).toEqual([
      ['error', 'request_failed', { reason: 'TypeError: inner' }],
      ['debug', 'request_failed', { reason: refusal }],
    ])
    await server.close(0)
  })

  it('responds with 500 to a header that could split the response', async () => {
    const server = await serveNode(() => ({ status: 200, headers: { 'x-a': 'a\nb' }, body: '' }), {
      port: 0,
    })
    expect((await rawRequest(server.url, GET)).status).toBe(500)
    await server.close(0)
  })

  it('announces the end of the connection when the server closes', async () => {
    let release = () => undefined as unknown
    const server = await serveNode(
      () =>
        new Promise((resolve) => {
          release = () => resolve({ status: 200, headers: {}, body: 'late' })
        }),
      { port: 0 },
    )
    const connection = await openRaw(server.url)
    connection.send(GET)
    await new Promise((resolve) => setTimeout(resolve, 100))
    const closed = server.close()
    release()
    const { headers, body } = await connection.readResponse()
    expect([headers.connection, body]).toEqual(['close', 'late'])
    await closed
    connection.close()
  })

  it('listens on IPv6 if available, with a valid URL', async (context) => {
    const server = await serveNode(echo, { host: '::1', port: 0 }).catch(() => undefined)
    if (!server) return context.skip('this machine has no IPv6 loopback')
    expect(server.url).toBe(`http://[::1]:${server.port}`)
    await server.close(0)
  })

  it('may be closed twice', async () => {
    const server = await serve(echo, { port: 0 })
    await Promise.all([server.close(), server.close()])
    await server.close()
  })
})

describe('the listener in a host', () => {
  it('receives the whole path and the body when mounted in Express before its body parsers', async () => {
    const app = express()
    app.use('/api', toNodeListener(echo))
    app.use(express.json())
    expect(await answerOf(app)).toMatchObject({ status: 200, target: '/api/x', body: '{}' })
  })

  it('fails at once when Express has already read the body', async () => {
    const app = express()
    app.use(express.json())
    app.use('/api', toNodeListener(echo))
    expect(await answerOf(app)).toMatchObject({
      status: 500,
      code: 'internal',
      detail:
        'Cannot read the body: it has already been read. Mount this handler before body parsers',
    })
  })

  it('works inside Fastify if its parsers ignore the body', async () => {
    const app = fastify()
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const listen = toNodeListener(echo)
    app.all('/api/*', (request, reply) => {
      reply.hijack()
      listen(request.raw, reply.raw)
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const { body } = await rawRequest(`http://127.0.0.1:${port}`, POST)
    expect(JSON.parse(body)).toMatchObject({ target: '/api/x', body: '{}' })
    await app.close()
  })
})

async function answerOf(app: Parameters<typeof createServer>[1]): Promise<unknown> {
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { status, body } = await rawRequest(`http://127.0.0.1:${port}`, POST)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  return { ...JSON.parse(body), status }
}
