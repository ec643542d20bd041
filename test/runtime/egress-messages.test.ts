import type { Socket } from 'node:net'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPinnedEgress, type PinnedEgress } from '../../adapters/egress/pinned-egress.ts'
import { EgressError } from '../../core/ports/egress.ts'
import { findEgressFailure, readAnswer, toGet } from '../helpers/egress/calls.ts'
import { ok, type RawTarget, startRawTarget } from '../helpers/egress/raw-target.ts'

const HEAD = 'HTTP/1.1 200 OK\r\n'
const ANSWERS: Readonly<Record<string, (socket: Socket) => void>> = {
  '/ok': (socket) => socket.write(ok('fine')),
  '/headers': (socket) => socket.write(ok('', 'Set-Cookie: a', 'X-A: 1', 'set-cookie: b', 'X-A:')),
  '/empty': (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'),
  '/same': (socket) => socket.write('HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n'),
  '/short-rest': (socket) => socket.write(ok('fine', 'Keep-Alive: timeout=1')),
  '/early': (socket) => socket.write(`HTTP/1.1 103 Hints\r\nLink: a\r\n\r\n${ok('fine')}`),
  '/poisoned': (socket) => {
    socket.write(ok('fine'))
    setTimeout(() => socket.write(ok('poison')), 10)
  },
  '/closes': (socket) => {
    socket.write(ok('fine'))
    setTimeout(() => socket.destroy(), 10)
  },
  '/upgradable': (socket) => socket.write(ok('fine', 'Upgrade: h2c', 'Connection: Upgrade')),
  '/long': (socket) => socket.write(ok('x'.repeat(3_000_000))),
  '/chunks': (socket) => {
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n`)
  },
  '/until-close': (socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nfine'),
  '/endless': (socket) => writeEndlessly(socket),
  '/half': (socket) => socket.write(`${HEAD}Content-Length: 9\r\n\r\nhi`),
  '/broken': (socket) => socket.end(`${HEAD}Content-Length: 9\r\n\r\nhi`),
}

let target: RawTarget
let egress: PinnedEgress
let closed = 0

beforeAll(async () => {
  const seen = new Set<Socket>()
  target = await startRawTarget((socket, { path }) => {
    if (!seen.has(socket)) socket.on('close', () => (closed += 1))
    seen.add(socket)
    ANSWERS[path.replace(/\?.*/, '')]?.(socket)
  })
})

beforeEach(() => {
  egress = createPinnedEgress({ allow: ['127.0.0.1'] })
  target.messages.length = 0
  target.requests.length = 0
})

afterEach(() => egress.close())
afterAll(() => target.close())

const getAnswer = (path: string) => readAnswer(egress, toGet(`${target.url}${path}`))
/** Waits until the connection is idle. */
const settle = () => sleep(5)
/** Waits until more than `before` connections to the target are closed. */
const gone = async (before: number) => {
  for (let n = 0; n < 2_000 && closed === before; n += 1) await sleep(5)
  return closed > before
}

describe('a request', () => {
  it('is sent as it is given, with a host, a length and nothing of a hop', async () => {
    const body = new TextEncoder().encode('{"a":"ü"}')
    const headers = [
      ['x-a', '1'],
      ['content-type', 'application/json'],
      ['x-a', '2'],
      ['connection', 'x-a'],
      ['content-length', '1'],
      ['transfer-encoding', 'chunked'],
      ['host', 'other.example'],
      ['expect', '100-continue'],
    ] as const
    await readAnswer(egress, { method: 'PATCH', url: `${target.url}/ok?a=b%20c#d`, headers, body })
    expect(target.messages).toEqual([
      [
        'PATCH /ok?a=b%20c HTTP/1.1',
        `host: 127.0.0.1:${target.port}`,
        'x-a: 1',
        'content-type: application/json',
        'x-a: 2',
        'content-length: 10',
        'Connection: keep-alive',
        '',
        Buffer.from(body).toString('latin1'),
      ].join('\r\n'),
    ])
  })

  it('says that it has no body where one is expected', async () => {
    await readAnswer(egress, { ...toGet(`${target.url}/ok`), method: 'POST' })
    await readAnswer(egress, { ...toGet(`${target.url}/ok`), method: 'DELETE' })
    expect(target.messages.map((text) => /content-length: \d+/.exec(text)?.[0])).toEqual([
      'content-length: 0',
      undefined,
    ])
  })

  it('has the path that its URL has after parsing', async () => {
    for (const path of ['/a/../ok', '/./ok', '/%2e%2e/ok', '/o k/../ok', '\\ok', '/x/%2E%2E/ok']) {
      expect(await getAnswer(path)).toEqual([200, 'fine'])
    }
    expect(new Set(target.requests)).toEqual(new Set(['GET /ok HTTP/1.1']))
  })

  it.each([
    [
      { headers: [['x-a', 'b\r\nx-c: d']] },
      'Cannot send header "x-a": its name or value is invalid',
    ],
    [{ headers: [['x-a', 'b\0']] }, 'Cannot send header "x-a": its name or value is invalid'],
    [{ headers: [['x-a', '☃']] }, 'Cannot send header "x-a": its name or value is invalid'],
    [{ headers: [['x a', 'b']] }, 'Cannot send header "x a": its name or value is invalid'],
    [{ method: 'GET /x HTTP/1.1\r\n' }, 'Cannot send the request: its method is invalid'],
    [{ method: 'CONNECT' }, 'Cannot send the request: its method is invalid'],
  ] as const)('is not sent with %j', async (more, message) => {
    const request = toGet(`${target.url}/ok`, more)
    await expect(egress.send(request)).rejects.toMatchObject({ code: 'invalid_input', message })
    expect(target.requests).toEqual([])
  })
})

describe('an answer', () => {
  it('has its headers in order, with lower-case names, none joined', async () => {
    const answer = await egress.send(toGet(`${target.url}/headers`))
    answer.discard()
    expect(answer.headers).toEqual([
      ['content-length', '0'],
      ['set-cookie', 'a'],
      ['x-a', '1'],
      ['set-cookie', 'b'],
      ['x-a', ''],
    ])
  })

  it.each([
    ['/ok', 200, 'fine'],
    ['/chunks', 200, 'hello world'],
    ['/until-close', 200, 'fine'],
    ['/early', 200, 'fine'],
    ['/empty', 204, ''],
    ['/same', 304, ''],
    ['/upgradable', 200, 'fine'],
  ] as const)('of %s has status %i and its body', async (path, status, body) => {
    expect(await getAnswer(path)).toEqual([status, body])
  })

  it('of HEAD has no body, whatever length it announces', async () => {
    const request = { ...toGet(`${target.url}/same`), method: 'HEAD' }
    expect(await readAnswer(egress, request)).toEqual([304, ''])
  })

  it('has a stream for a body that can be piped', async () => {
    const { body } = await egress.send(toGet(`${target.url}/long`))
    expect(body).toBeInstanceOf(Readable)
    let bytes = 0
    const sink = new Writable({
      write(piece: Uint8Array, _, done) {
        bytes += piece.byteLength
        done()
      },
    })
    await pipeline(body, sink)
    expect(bytes).toBe(3_000_000)
  })

  it.each(['/broken', '/half'])('of %s tells whoever pipes it why it ends', async (path) => {
    const request = toGet(`${target.url}${path}`, { limits: { idleMs: 60 } })
    const { body } = await egress.send(request)
    // A failure before the first read is reported as well.
    await sleep(path === '/broken' ? 20 : 0)
    const sink = new Writable({ write: (_, __, done) => done() })
    const failure = await pipeline(body, sink).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(EgressError)
    expect(failure).toMatchObject({ failure: path === '/broken' ? 'malformed_answer' : 'too_slow' })
  })
})

describe('a connection', () => {
  it.each(['/ok', '/chunks', '/empty', '/same', '/headers', '/upgradable'])(
    'is used again after %s',
    async (path) => {
      const before = target.connections()
      for (let n = 0; n < 3; n += 1) {
        await getAnswer(path)
        await settle()
      }
      expect(target.connections() - before).toBe(1)
    },
  )

  it.each(['/until-close', '/poisoned', '/short-rest', '/closes'])(
    'is not used again after %s',
    async (path) => {
      const before = target.connections()
      for (let n = 0; n < 3; n += 1) {
        const open = closed
        expect(await getAnswer(path)).toEqual([200, 'fine'])
        // The event loop may be late: both timers of 10 and 30 ms may fire in one turn.
        if (path === '/poisoned') expect(await gone(open)).toBe(true)
        else await sleep(30)
      }
      expect(target.connections() - before).toBe(3)
    },
  )

  it('that has rested for a while carries a GET, and no POST', async () => {
    const before = target.connections()
    const send = async (method: string) => {
      await readAnswer(egress, { ...toGet(`${target.url}/ok`), method })
      await settle()
      return target.connections() - before
    }
    expect([await send('POST'), await send('POST')]).toEqual([1, 1])
    await sleep(1_100)
    expect([await send('POST'), await send('GET')]).toEqual([2, 2])
  })

  it('is used again after a short body that nobody read', async () => {
    const before = target.connections()
    for (let n = 0; n < 3; n += 1) {
      const answer = await egress.send(toGet(`${target.url}/ok`))
      answer.discard()
      await settle()
    }
    expect(target.connections() - before).toBe(1)
  })
})

describe('a call that is given up', () => {
  it('by its signal before the head ends with the reason, and upstream', async () => {
    const reason = new Error('enough')
    const ending = new AbortController()
    const before = closed
    const sent = egress.send(toGet(`${target.url}/silent`, { signal: ending.signal }))
    setTimeout(() => ending.abort(reason), 20)
    await expect(sent).rejects.toBe(reason)
    expect(await gone(before)).toBe(true)
    await expect(egress.send(toGet(`${target.url}/ok`, { signal: ending.signal }))).rejects.toBe(
      reason,
    )
    expect(target.requests).toEqual(['GET /silent HTTP/1.1'])
  })

  it('by its signal within the body ends with the reason, and upstream', async () => {
    const reason = new Error('enough')
    const ending = new AbortController()
    const before = closed
    const request = toGet(`${target.url}/endless`, { signal: ending.signal })
    const { body } = await egress.send(request)
    setTimeout(() => ending.abort(reason), 20)
    await expect(
      (async () => {
        for await (const _ of body) await sleep(1)
      })(),
    ).rejects.toBe(reason)
    expect(await gone(before)).toBe(true)
  })

  it('by its reader, or discarded, ends upstream', async () => {
    const before = closed
    const first = await egress.send(toGet(`${target.url}/endless`))
    for await (const _ of first.body) break
    expect(await gone(before)).toBe(true)
    const second = await egress.send(toGet(`${target.url}/endless`))
    second.discard()
    expect(await gone(before + 1)).toBe(true)
  })

  it('by nobody, but not read, ends when its time is up', async () => {
    const before = closed
    const limits = { totalMs: 1_500 }
    const { body } = await egress.send(toGet(`${target.url}/endless`, { limits }))
    expect(await gone(before)).toBe(true)
    const read = (async () => {
      for await (const _ of body) await sleep(0)
    })()
    await expect(read).rejects.toMatchObject({ failure: 'reader_too_slow' })
  })

  it('by the end of the egress fails', async () => {
    const sent = findEgressFailure(egress, toGet(`${target.url}/silent`))
    await sleep(20)
    egress.close()
    expect(await sent).toBe('connect_failed')
  })
})

function writeEndlessly(socket: Socket): void {
  socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
  const write = () => {
    while (!socket.destroyed && socket.write(`1000\r\n${'x'.repeat(4096)}\r\n`)) {}
    if (!socket.destroyed) socket.once('drain', write)
  }
  write()
}
