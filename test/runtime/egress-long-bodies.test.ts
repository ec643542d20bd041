import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPinnedEgress, type PinnedEgress } from '../../adapters/egress/pinned-egress.ts'
import { toNodeListener } from '../../adapters/runtime/node.ts'
import type { EgressEnd } from '../../core/ports/egress.ts'
import { findEgressFailure, readAnswer, toGet } from '../helpers/egress/calls.ts'
import { ok, type RawTarget, startRawTarget } from '../helpers/egress/raw-target.ts'

const LENGTH = 6_000_000
const NAMES = ['a', 'b', 'c'] as const
/** The content differs at every position of every body. */
const BODIES = NAMES.map((_, body) => {
  const words = Uint32Array.from({ length: LENGTH / 4 }, (_, at) => at * 4 + body)
  return Buffer.from(words.buffer)
})
const toHash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const HASHES = BODIES.map(toHash)
const HEAD = `HTTP/1.1 200 OK\r\nContent-Length: ${LENGTH}\r\n`
const [FIRST = Buffer.alloc(0)] = BODIES

const ANSWERS: Readonly<Record<string, (socket: Socket) => void>> = {
  ...Object.fromEntries(
    NAMES.map((name, body) => [
      `/${name}`,
      (socket: Socket) => {
        socket.write(`${HEAD}\r\n`)
        socket.write(BODIES[body] ?? '')
      },
    ]),
  ),
  '/with-head': (socket) => {
    socket.write(Buffer.concat([Buffer.from(`${HEAD}\r\n`), FIRST]))
  },
  '/behind': (socket) => {
    socket.write(Buffer.concat([Buffer.from(`${HEAD}\r\n`), FIRST, Buffer.from(ok('poison'))]))
  },
  '/last': (socket) => {
    socket.write(`${HEAD}Connection: close\r\n\r\n`)
    socket.end(FIRST)
  },
  '/broken': (socket) => {
    socket.write(`${HEAD}\r\n`)
    socket.end(FIRST.subarray(0, LENGTH - 1))
  },
  '/stalls': (socket) => {
    socket.write(`${HEAD}\r\n`)
    socket.write(FIRST.subarray(0, LENGTH - 1))
  },
  '/left': (socket) => {
    socket.write(`${HEAD}\r\n`)
    socket.write(FIRST.subarray(0, 200_000))
  },
  '/ok': (socket) => socket.write(ok('fine')),
}

let target: RawTarget
let egress: PinnedEgress
let server: Server
let origin = ''
let ends: EgressEnd[] = []
/** Paths whose connection is closed. */
let closed: string[] = []
/** Bytes of forwarded responses that a host retains. */
let kept: Uint8Array[] | undefined

beforeAll(async () => {
  target = await startRawTarget((socket, { path }) => {
    socket.on('close', () => closed.push(path))
    ANSWERS[path]?.(socket)
  })
  const listener = toNodeListener(async ({ target: path }) => {
    const answer = await egress.send(toGet(`${target.url}${path}`))
    answer.onEnd?.((end) => ends.push(end))
    return { status: 200, headers: { 'content-length': String(LENGTH) }, body: answer.body }
  })
  server = createServer((incoming, outgoing) => {
    if (kept) {
      const write = outgoing.write.bind(outgoing) as (...all: unknown[]) => boolean
      outgoing.write = (...all: unknown[]) => {
        kept?.push(all[0] as Uint8Array)
        return write(...all)
      }
    }
    listener(incoming, outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
})

beforeEach(() => {
  egress = createPinnedEgress({ allow: ['127.0.0.1'] })
  ends = []
  closed = []
  kept = undefined
})

afterEach(() => egress.close())
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await target.close()
})

const getResponse = (path: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get(`${origin}${path}`, { agent: false }, resolve).on('error', reject)
  })

async function hashOf(incoming: IncomingMessage): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of incoming) hash.update(piece)
  return hash.digest('hex')
}

const download = async (path: string) => hashOf(await getResponse(path))

async function gather(path: string): Promise<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = []
  const answer = await egress.send(toGet(`${target.url}${path}`))
  for await (const piece of answer.body) pieces.push(piece)
  return pieces
}

describe('a long body', () => {
  it.each(['/a', '/with-head', '/behind', '/last'])('is forwarded completely: %s', async (path) => {
    expect(await download(path)).toBe(HASHES[0])
    expect(ends).toEqual([{ bytes: LENGTH, failure: undefined }])
  })

  it('waits for a delayed reader while others are forwarded', async () => {
    const waiting = await Promise.all([...NAMES, 'last'].map((name) => getResponse(`/${name}`)))
    for (const [body, name] of NAMES.entries()) {
      expect(await download(`/${name}`)).toBe(HASHES[body])
    }
    expect(await Promise.all(waiting.map(hashOf))).toEqual([...HASHES, HASHES[0]])
  })

  it('stays intact for a reader that retains its bytes', async () => {
    const [pieces] = await Promise.all([gather('/a'), download('/b'), download('/c')])
    await Promise.all([download('/b'), download('/c')])
    expect(toHash(Buffer.concat(pieces))).toBe(HASHES[0])
  })

  it('stays intact for a host that retains written bytes', async () => {
    kept = []
    expect(await download('/a')).toBe(HASHES[0])
    const pieces = kept
    kept = undefined
    await Promise.all([download('/b'), download('/c')])
    expect(toHash(Buffer.concat(pieces))).toBe(HASHES[0])
  })

  it('is followed by other calls, without excess bytes', async () => {
    for (const path of ['/a', '/behind']) {
      expect(toHash(Buffer.concat(await gather(path)))).toBe(HASHES[0])
      expect(await readAnswer(egress, toGet(`${target.url}/ok`))).toEqual([200, 'fine'])
    }
  })

  it('that breaks off before its last byte fails', async () => {
    expect(await findEgressFailure(egress, toGet(`${target.url}/broken`))).toBe('malformed_answer')
    await expect(download('/broken')).rejects.toThrow()
    expect(ends).toEqual([{ bytes: LENGTH - 1, failure: 'malformed_answer' }])
  })

  it('that stalls before its last byte is aborted', async () => {
    const limits = { idleMs: 100 }
    expect(await findEgressFailure(egress, toGet(`${target.url}/stalls`, { limits }))).toBe(
      'too_slow',
    )
  })

  it('ends its connection when its reader leaves', async () => {
    const incoming = await getResponse('/left')
    await new Promise((resolve) => incoming.once('data', resolve))
    incoming.destroy()
    await expect.poll(() => ends.map(({ failure }) => failure)).toEqual(['aborted'])
    await expect.poll(() => closed).toContain('/left')
  })
})
