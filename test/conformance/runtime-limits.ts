import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRaw, rawRequest } from '../helpers/raw-http.ts'
import { createSuiteHandler, MAX_CHUNKS, type Witness } from './runtime-handler.ts'
import type { StartedRuntime, StartRuntime } from './runtime-start.ts'
import { FRAMES, REQUESTS, type Vector } from './runtime-vectors.ts'
import { counted, eventually, exchangeAll, settled, toGetBytes } from './runtime-wire.ts'

/** The part of the suite about failures: slow, hostile and disconnecting clients, and shutdown. */
export function describeLimits(name: string, start: StartRuntime): void {
  describe(`${name} at its limits`, () => {
    let server: StartedRuntime
    let witness: Witness
    beforeAll(async () => {
      const suite = createSuiteHandler()
      witness = suite.witness
      server = await start(suite.handler)
    })
    afterAll(() => server.close(0))
    const call = (request: string) => rawRequest(server.url, request)

    describe('bounds memory', () => {
      it('by reading a stream no faster than a slow client, and ending it when the client leaves', async () => {
        for (const path of ['/endless', '/endless-readable']) {
          witness.produced = 0
          witness.returned = 0
          const connection = await openRaw(server.url)
          connection.send(toGetBytes(path))
          await connection.readHead()
          connection.socket.pause()
          await settled(() => witness.produced)
          expect(witness.produced).toBeGreaterThan(0)
          expect(witness.produced).toBeLessThan(MAX_CHUNKS / 8)
          connection.close()
          await eventually(() => witness.returned === 1)
        }
      })

      it('by discarding an unsent stream', async () => {
        witness.returned = 0
        expect((await call(toGetBytes('/unread-readable'))).status).toBe(204)
        await eventually(() => witness.returned === 1)
      })

      it('by reading no more of a body than the handler requests', async () => {
        witness.received = 0
        const connection = await openRaw(server.url)
        const size = 48 * 1_048_576
        connection.send(`POST /hold HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n`)
        connection.send(new Uint8Array(size).fill(120))
        await eventually(() => witness.received > 0)
        await settled(() => connection.socket.writableLength)
        expect(witness.received).toBeLessThan(size / 2)
        witness.release()
        expect((await connection.readResponse()).body).toBe('held')
        expect(witness.received).toBe(size)
        connection.close()
      })
    })

    describe('ends', () => {
      it('the signal when the client disconnects', async () => {
        for (const request of [toGetBytes('/wait'), counted('POST', '/wait', '{}')]) {
          witness.received = 0
          witness.aborted = 0
          const connection = await openRaw(server.url)
          connection.send(request)
          await eventually(() => witness.received === 1)
          connection.close()
          await eventually(() => witness.aborted === 1)
        }
      })

      it('the connection when a stream fails midway, so that the response looks incomplete', async () => {
        for (const path of ['/broken-stream', '/broken-readable']) {
          const answer = await call(toGetBytes(path))
          expect([path, answer.status, answer.isComplete]).toEqual([path, 200, false])
        }
      })

      it('a stream with an incorrect length, so that its rest is not read as the next response', async () => {
        for (const path of ['/too-long', '/too-long-readable', '/too-short-readable']) {
          const connection = await openRaw(server.url)
          connection.send(toGetBytes(path).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
          const [head = '', body = ''] = (await connection.readToEnd()).split('\r\n\r\n', 2)
          connection.close()
          const length = /^content-length: (\d+)/im.exec(head)?.[1]
          expect([path, length !== undefined]).toEqual([path, server.keepsLength])
          if (length === undefined) expect(head).toMatch(/^transfer-encoding: chunked/im)
          else expect(body.length).toBeLessThanOrEqual(Number(length))
        }
      })

      it('an immediately failing stream with a problem or a disconnect, never as complete', async () => {
        const connection = await openRaw(server.url)
        connection.send(
          toGetBytes('/broken-at-once').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
        )
        const text = await connection.readToEnd()
        connection.close()
        expect(text).not.toContain('secret')
        expect(text.startsWith('HTTP/1.1 200') && text.endsWith('0\r\n\r\n')).toBe(false)
      })
    })

    describe('rejects', () => {
      it('a large body with a response that arrives', async () => {
        for (const path of ['/refuse', '/refuse-early']) {
          const connection = await openRaw(server.url)
          connection.send(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n\r\n`)
          connection.send(new Uint8Array(8_000_000))
          const { status, body } = await connection.readResponse()
          connection.close()
          expect([path, status, body]).toEqual([path, 413, 'too large'])
        }
      })

      it('a body only after 100 Continue, unless the handler responds without reading it', async () => {
        const expecting = 'Content-Length: 3\r\nExpect: 100-continue\r\n\r\n'
        const accepted = await openRaw(server.url)
        accepted.send(`POST /echo HTTP/1.1\r\nHost: a\r\n${expecting}`)
        expect((await accepted.readHead()).status).toBe(100)
        accepted.send('abc')
        expect(JSON.parse((await accepted.readResponse()).body).body).toBe('abc')
        accepted.close()
        const refused = await openRaw(server.url)
        refused.send(`POST /refuse HTTP/1.1\r\nHost: a\r\n${expecting}`)
        expect((await refused.readResponse()).status).toBe(413)
        refused.close()
      })

      it('an oversized head', async () => {
        const big = `GET /text HTTP/1.1\r\nHost: a\r\nX-Big: ${'x'.repeat(2_000_000)}\r\n\r\n`
        const connection = await openRaw(server.url)
        connection.send(big)
        const text = await connection.readToEnd()
        connection.close()
        expect(text === '' || /^HTTP\/1\.1 (?:400|413|431) /.test(text)).toBe(true)
      })

      it('requests with ambiguous lengths, before they reach the handler', async () => {
        witness.calls = 0
        const answers = await exchangeAll(server.url, FRAMES)
        expect(answers).toEqual(toAnswers(FRAMES, {}))
        expect(witness.calls).toBe(0)
      })

      it('or processes every raw request like all listeners, unless its runtime prevents it', async () => {
        expect(FRAMES.length + REQUESTS.length).toBeGreaterThanOrEqual(169)
        const answers = await exchangeAll(server.url, REQUESTS)
        expect(answers).toEqual(toAnswers(REQUESTS, server.differences))
        expect((await call(toGetBytes('/text'))).status).toBe(200)
      })
    })

    it('closes gracefully: completes running requests and ends idle connections', async () => {
      const suite = createSuiteHandler()
      const closing = await start(suite.handler)
      const idle = await openRaw(closing.url)
      idle.send(toGetBytes('/text'))
      await idle.readResponse()
      const busy = await openRaw(closing.url)
      busy.send(toGetBytes('/slow'))
      await eventually(() => suite.witness.calls === 2)
      const closed = closing.close(10_000)
      await idle.readToEnd()
      suite.witness.release()
      expect((await busy.readResponse()).body).toBe('late')
      await closed
      await expect(rawRequest(closing.url, toGetBytes('/text'))).rejects.toThrow('No response')
      idle.close()
      busy.close()
    })

    it('stops waiting at the deadline, and destroys running requests if the runtime can', async () => {
      const suite = createSuiteHandler()
      const closing = await start(suite.handler)
      const busy = await openRaw(closing.url)
      busy.send(toGetBytes('/slow'))
      await eventually(() => suite.witness.calls === 1)
      await closing.close(50)
      if (closing.destroysAtDeadline) expect(await busy.readToEnd()).toBe('')
      suite.witness.release()
      busy.close()
    })

    it('disconnects slow heads and bodies, if the server has timeouts', async (context) => {
      if (!server.hasTimeouts) return context.skip('this server has no timeouts of its own')
      const suite = createSuiteHandler()
      const times = { headersTimeoutMs: 200, requestTimeoutMs: 400 }
      const impatient = await start(suite.handler, times)
      for (const part of [
        'GET /text HTTP/1.1\r\nHost: a\r\n',
        counted('POST', '/echo', '12').slice(0, -1),
      ]) {
        const connection = await openRaw(impatient.url)
        connection.send(part)
        expect(await connection.readToEnd()).toMatch(/^HTTP\/1\.1 408 /)
        connection.close()
      }
      await impatient.close(0)
    })
  })
}

function toAnswers(vectors: readonly Vector[], differences: Readonly<Record<string, string>>) {
  return {
    ...Object.fromEntries(vectors.map(({ title, answer }) => [title, answer])),
    ...differences,
  }
}
