import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPinnedEgress } from '../../adapters/egress/pinned-egress.ts'
import type { EgressLimits } from '../../core/ports/egress.ts'
import { findEgressFailure, readAnswer, toGet } from '../helpers/egress/calls.ts'
import { ok, type RawTarget, startRawTarget } from '../helpers/egress/raw-target.ts'

interface Case {
  readonly name: string
  readonly answer: (socket: Socket) => void
  readonly failure: string
  readonly limits?: Partial<EgressLimits>
}

const HEAD = 'HTTP/1.1 200 OK\r\n'
const CASES: readonly Case[] = [
  wrong('a status line that is no HTTP', 'nonsense\r\n\r\n'),
  wrong('another protocol', 'ICY 200 OK\r\n\r\n'),
  wrong('a version that there is not', `HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n`),
  wrong('no status', 'HTTP/1.1 OK\r\n\r\n'),
  wrong('a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'),
  wrong('status 600', 'HTTP/1.1 600 Odd\r\nContent-Length: 0\r\n\r\n'),
  wrong('status 999', 'HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'),
  wrong('a body where 204 has none', `HTTP/1.1 204 No Content\r\n\r\n${ok('hi')}`),
  wrong('another protocol that nobody asked for', switching()),
  wrong(
    'length and chunks at once',
    `${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`,
  ),
  wrong('two lengths', `${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi`),
  wrong('a length that is no number', `${HEAD}Content-Length: -1\r\n\r\n`),
  wrong('lines that end without a carriage return', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nhi'),
  wrong('a blank before a colon', `${HEAD}X : y\r\nContent-Length: 2\r\n\r\nhi`),
  wrong('a NUL in a header', `${HEAD}X: a\0b\r\nContent-Length: 2\r\n\r\nhi`),
  wrong('a chunk of no size', `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\nhi\r\n0\r\n\r\n`),
  {
    name: 'a long header',
    answer: (socket) => socket.write(`${HEAD}X: ${'y'.repeat(20_000)}\r\n\r\n`),
    failure: 'too_large',
  },
  { name: 'headers without end', answer: writeHeaders, failure: 'too_large' },
  { name: 'interim answers without end', answer: writeInterims, failure: 'malformed_answer' },
  {
    name: 'a head that never ends',
    answer: (socket) => drip(socket, `${HEAD}X: `, 'y'),
    failure: 'first_byte_timeout',
    limits: { firstByteMs: 120 },
  },
  { name: 'silence', answer: () => {}, failure: 'first_byte_timeout', limits: { firstByteMs: 80 } },
  {
    name: 'silence within the body',
    answer: (socket) => socket.write(`${HEAD}Content-Length: 9\r\n\r\nhi`),
    failure: 'too_slow',
    limits: { idleMs: 80 },
  },
  {
    name: 'a body that drips',
    answer: (socket) => drip(socket, `${HEAD}Content-Length: 99999\r\n\r\n`, 'x'),
    failure: 'too_slow',
    limits: { idleMs: 100, minBytesPerSecond: 1_000 },
  },
  {
    name: 'a body that takes its time',
    answer: (socket) => drip(socket, `${HEAD}Content-Length: 99999\r\n\r\n`, 'x'),
    failure: 'total_timeout',
    limits: { totalMs: 150, minBytesPerSecond: 0 },
  },
  { name: 'a reset', answer: (socket) => socket.resetAndDestroy(), failure: 'connect_failed' },
  { name: 'an end before the answer', answer: (socket) => socket.end(), failure: 'connect_failed' },
  { name: 'an end within the head', answer: end(`${HEAD}X: y`), failure: 'malformed_answer' },
  {
    name: 'an end within the body',
    answer: end(`${HEAD}Content-Length: 9\r\n\r\nhi`),
    failure: 'malformed_answer',
  },
  {
    name: 'an end within the chunks',
    answer: end(`${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nhi`),
    failure: 'malformed_answer',
  },
  {
    name: 'a body that is announced as too large',
    answer: (socket) => socket.write(`${HEAD}Content-Length: 1001\r\n\r\n`),
    failure: 'too_large',
    limits: { maxBodyBytes: 1_000 },
  },
  {
    name: 'a body without end',
    answer: writeBody,
    failure: 'too_large',
    limits: { maxBodyBytes: 1_000_000 },
  },
]

let target: RawTarget
const egress = createPinnedEgress({ allow: ['127.0.0.1'] })

beforeAll(async () => {
  target = await startRawTarget((socket, { path }) => {
    const number = Number(path.slice(1))
    if (path === '/good') socket.write(ok('good'))
    else CASES[number]?.answer(socket)
  })
})

afterAll(async () => {
  egress.close()
  await target.close()
})

describe('a misbehaving target', () => {
  it.each(CASES.map((each, number) => ({ ...each, number })))(
    'by $name: $failure',
    async ({ number, failure, limits }) => {
      const fresh = createPinnedEgress({ allow: ['127.0.0.1'] })
      const request = toGet(`${target.url}/${number}`, limits && { limits })
      target.requests.length = 0
      expect(await findEgressFailure(fresh, request)).toBe(failure)
      expect(target.requests).toEqual([`GET /${number} HTTP/1.1`])
      fresh.close()
    },
  )

  it('does not affect the next call on its connection', async () => {
    for (const { name } of CASES) {
      const number = CASES.findIndex((each) => each.name === name)
      const { limits } = CASES[number] ?? {}
      await readAnswer(egress, toGet(`${target.url}/good`))
      await findEgressFailure(egress, toGet(`${target.url}/${number}`, limits && { limits }))
      expect([name, await readAnswer(egress, toGet(`${target.url}/good`))]).toEqual([
        name,
        [200, 'good'],
      ])
    }
  })
})

describe('a reused connection that breaks without a response', () => {
  it.each([
    ['GET', 2],
    ['PUT', 2],
    ['POST', 1],
  ])('sends a %s %i times', async (method, times) => {
    const number = CASES.findIndex(({ name }) => name === 'a reset')
    await readAnswer(egress, toGet(`${target.url}/good`))
    await new Promise((resolve) => setTimeout(resolve, 10))
    target.requests.length = 0
    const connections = target.connections()
    const body = new TextEncoder().encode('{}')
    const request = { ...toGet(`${target.url}/${number}`), method, body }
    expect(await findEgressFailure(egress, request)).toBe('connect_failed')
    expect(target.requests).toEqual(Array(times).fill(`${method} /${number} HTTP/1.1`))
    expect(target.connections() - connections).toBe(times - 1)
  })
})

function wrong(name: string, text: string): Case {
  return { name, answer: (socket) => socket.write(text), failure: 'malformed_answer' }
}

function switching(): string {
  return 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nhi'
}

function end(text: string): Case['answer'] {
  return (socket) => socket.end(text)
}

function drip(socket: Socket, start: string, piece: string): void {
  socket.write(start)
  const timer = setInterval(() => socket.write(piece), 10)
  socket.on('close', () => clearInterval(timer))
}

function writeHeaders(socket: Socket): void {
  socket.write(HEAD)
  writeEndlessly(socket, 'X: y\r\n'.repeat(100))
}

function writeInterims(socket: Socket): void {
  writeEndlessly(socket, 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(50))
}

function writeBody(socket: Socket): void {
  socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
  writeEndlessly(socket, `1000\r\n${'x'.repeat(4096)}\r\n`)
}

/** Writes until the reader stops. */
function writeEndlessly(socket: Socket, text: string): void {
  const write = () => {
    while (!socket.destroyed && socket.write(text)) {}
    if (!socket.destroyed) socket.once('drain', write)
  }
  write()
}
