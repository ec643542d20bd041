import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createFetchEgress } from '../../adapters/egress/fetch-egress.ts'
import { findEgressFailure, readAnswer, toGet } from '../helpers/egress/calls.ts'
import { toFollowing } from '../helpers/egress/following.ts'
import { ok, type RawTarget, startRawTarget } from '../helpers/egress/raw-target.ts'

const HEAD = 'HTTP/1.1 200 OK\r\n'
const LONG = 3_000_000
const egress = createFetchEgress({ allow: ['127.0.0.1'] })
let target: RawTarget

beforeAll(async () => {
  target = await startRawTarget((socket, { path }) => {
    if (path === '/gzip') {
      const body = gzipSync('fine').toString('latin1')
      socket.write(ok(body, 'Content-Encoding: gzip', 'X-A: 1'), 'latin1')
    } else if (path === '/to-ok') {
      socket.write('HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 0\r\n\r\n')
    } else if (path === '/to-private') {
      socket.write('HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n')
    } else if (path === '/half') {
      socket.write(`${HEAD}Content-Length: 9\r\n\r\nhi`)
    } else if (path === '/long') {
      socket.write(ok('x'.repeat(LONG)))
    } else if (path !== '/silent') {
      socket.write(ok('fine'))
    }
  })
})

afterEach(() => vi.useRealTimers())
afterAll(() => target.close())

describe('an egress over fetch', () => {
  const to = (path: string, more = {}) => toGet(`${target.url}${path}`, more)

  it('returns status, headers and body, and requests no encoding', async () => {
    expect(await readAnswer(egress, to('/ok'))).toEqual([200, 'fine'])
    expect(target.messages.at(-1)).toMatch(/accept-encoding: identity\r\n/i)
  })

  it('rejects encoded responses', async () => {
    expect(await findEgressFailure(egress, to('/gzip'))).toBe('malformed_answer')
  })

  it('returns redirects, and checks each one that is followed', async () => {
    expect(await findEgressFailure(egress, to('/to-ok'))).toBe('answered 302')
    const following = toFollowing(egress)
    expect(await readAnswer(following, to('/to-ok'))).toEqual([200, 'fine'])
    expect(await findEgressFailure(following, to('/to-private'))).toMatch(/^refused_address/)
  })

  it.each([
    ['/silent', { connectMs: 30, firstByteMs: 30 }, 'first_byte_timeout'],
    ['/silent', { totalMs: 60 }, 'total_timeout'],
    ['/half', { idleMs: 60 }, 'too_slow'],
    ['/half', { totalMs: 60 }, 'total_timeout'],
    ['/long', { maxBodyBytes: 10_000 }, 'too_large'],
  ])('ends %s with %j: %s', async (path, limits, failure) => {
    expect(await findEgressFailure(egress, to(path, { limits }))).toBe(failure)
  })

  it('never aborts a response because of a slow reader', async () => {
    const limits = { connectMs: 500, firstByteMs: 500, idleMs: 1_000, totalMs: 10_000 }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { body } = await egress.send(to('/long', { limits }))
    vi.advanceTimersByTime(2_000)
    let bytes = 0
    for await (const chunk of body) {
      if (bytes === 0) vi.advanceTimersByTime(2_000)
      bytes += chunk.length
    }
    expect(bytes).toBe(LONG)
  })

  it('sets connection headers itself', async () => {
    const names = ['Host', 'connection', 'content-length', 'expect', 'te', 'upgrade', 'keep-alive']
    for (const name of [...names, 'transfer-encoding', 'trailer', 'proxy-connection']) {
      const headers = [
        [name.toLowerCase(), '7'],
        ['x-own', 'a'],
      ] as const
      expect(await readAnswer(egress, to('/ok', { headers }))).toEqual([200, 'fine'])
      const line = new RegExp(`^${name}: 7\r$`, 'im')
      expect([name, line.test(target.messages.at(-1) ?? '')]).toEqual([name, false])
      expect(target.messages.at(-1)).toMatch(/^x-own: a\r$/im)
    }
  })

  it('ends with the reason of the signal', async () => {
    const reason = new Error('enough')
    for (const path of ['/silent', '/half']) {
      const ending = new AbortController()
      const sent = readAnswer(egress, to(path, { signal: ending.signal }))
      sleep(30).then(() => ending.abort(reason))
      await expect(sent).rejects.toBe(reason)
    }
  })

  it('reports a refused connection', async () => {
    const gone = await startRawTarget(() => {})
    await gone.close()
    expect(await findEgressFailure(egress, toGet(gone.url))).toBe('connect_failed')
  })

  it('reports a slow reader when the total time is over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { body } = await egress.send(to('/long', { limits: { totalMs: 10_000 } }))
    const read = async () => {
      for await (const _ of body) vi.advanceTimersByTime(10_001)
    }
    await expect(read()).rejects.toMatchObject({ failure: 'reader_too_slow' })
  })
})
