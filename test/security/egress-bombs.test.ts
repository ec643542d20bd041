import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDecoder } from '../../adapters/egress/decoder.ts'
import { createPinnedEgress } from '../../adapters/egress/pinned.ts'
import { makeBombs } from '../helpers/egress/bombs.ts'
import { toGet } from '../helpers/egress/calls.ts'

const MB = 1024 * 1024
const ENCODINGS = ['gzip', 'deflate', 'br', 'zstd']
const egress = createPinnedEgress({ allow: ['127.0.0.1'] })
const decode = createDecoder()
let bombs: Readonly<Record<string, Uint8Array>> = {}
let url = ''

const server = createServer((request, response) => {
  const encoding = (request.url ?? '').slice(1)
  if (encoding === 'endless') {
    const piece = new Uint8Array(65_536)
    const write = () => {
      while (!response.destroyed && response.write(piece)) {}
      if (!response.destroyed) response.once('drain', write)
    }
    write()
    return
  }
  response.writeHead(200, { 'content-encoding': encoding }).end(bombs[encoding])
})

beforeAll(async () => {
  bombs = await makeBombs()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  egress.close()
  server.closeAllConnections()
  server.close()
})

/** Megabytes by which the process has grown while something was done. */
async function growthOf(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage().rss
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 5)
  await work()
  clearInterval(timer)
  return (Math.max(most, process.memoryUsage().rss) - before) / MB
}

describe('a gibibyte of zeros', () => {
  it.each(ENCODINGS)('in %s passes through as it is', async (encoding) => {
    const bomb = bombs[encoding] ?? new Uint8Array()
    expect(bomb.byteLength).toBeGreaterThan(500)
    const pieces: Uint8Array[] = []
    const growth = await growthOf(async () => {
      const headers = [['accept-encoding', encoding]] as const
      const answer = await egress.send(toGet(`${url}/${encoding}`, { headers }))
      expect(answer.headers).toContainEqual(['content-encoding', encoding])
      for await (const piece of answer.body) pieces.push(piece)
    })
    expect(Buffer.concat(pieces).equals(bomb)).toBe(true)
    expect(growth).toBeLessThan(64)
  })

  it.each(ENCODINGS)('in %s is not decoded beyond its limits', async (encoding) => {
    const bomb = bombs[encoding] ?? new Uint8Array()
    const growth = await growthOf(async () => {
      const limits = { encodings: [encoding], maxBytes: 10 * MB, maxRatio: 100 }
      expect(await decode(bomb, limits)).toBeUndefined()
    })
    expect(growth).toBeLessThan(64)
  })
})

describe('a body without end', () => {
  it('waits for its reader, and takes no memory meanwhile', async () => {
    const growth = await growthOf(async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => egress.send(toGet(`${url}/endless`))),
      )
      await new Promise((resolve) => setTimeout(resolve, 200))
      for (const answer of answers) answer.discard()
    })
    expect(growth).toBeLessThan(64)
  })

  it('flows through without staying', async () => {
    const { body } = await egress.send(toGet(`${url}/endless`))
    const pieces = body[Symbol.asyncIterator]()
    const take = async (megabytes: number) => {
      for (let bytes = 0; bytes < megabytes * MB; ) {
        const { value } = await pieces.next()
        bytes += value?.byteLength ?? 0
      }
    }
    // Until the garbage of a first while has room.
    await take(200)
    expect(await growthOf(() => take(300))).toBeLessThan(64)
    await pieces.return?.()
  })
})
