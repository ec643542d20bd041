import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HttpHandler } from '../../core/http/message.ts'
import { openRaw, rawRequest } from '../helpers/raw-http.ts'
import { createSuiteHandler, MAX_CHUNKS, type Witness } from './runtime-handler.ts'
import { ACCEPTABLE, REFUSED, type Vector } from './runtime-vectors.ts'

/** A server under test. */
export interface StartedRuntime {
  readonly url: string
  close(deadlineMs?: number): Promise<void>
  /** The body of a GET reaches the handler; else `hasLostBody` tells that one was sent. */
  readonly deliversGetBody: boolean
  /** Slow heads and bodies are cut off after the times asked for. */
  readonly hasTimeouts: boolean
  /** What still runs when the server's closing meets its deadline is destroyed. */
  readonly destroysAtDeadline: boolean
}

/** Times that a case asks for. */
export interface RuntimeTimes {
  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
}

/** Starts a server on a free port of 127.0.0.1. */
export type StartRuntime = (handler: HttpHandler, times?: RuntimeTimes) => Promise<StartedRuntime>

/** The suite that every way of serving passes: bytes go in by raw socket, and bytes are judged. */
export function describeRuntime(name: string, start: StartRuntime): void {
  describe(`${name} as a server`, () => {
    let server: StartedRuntime
    let witness: Witness
    beforeAll(async () => {
      const suite = createSuiteHandler()
      witness = suite.witness
      server = await start(suite.handler)
    })
    afterAll(() => server.close(0))
    const call = (request: string) => rawRequest(server.url, request)
    const seen = async (request: string) => JSON.parse((await call(request)).body)

    describe('answers', () => {
      it('text as UTF-8 with its length in bytes', async () => {
        const { status, headers, body } = await call(get('/text'))
        expect([status, headers['content-type'], headers['content-length'], body]).toEqual([
          200,
          'text/plain',
          '7',
          'gr\u00c3\u00bc\u00c3\u009fe',
        ])
      })

      it('bytes as they are', async () => {
        const { headers, body } = await call(get('/bytes'))
        expect([headers['content-length'], body]).toEqual(['3', '\u0000\u00ff\u0001'])
      })

      it('204 without a body and without its headers', async () => {
        const { status, headers, body } = await call(get('/empty'))
        expect([status, headers['x-empty'], headers['transfer-encoding'], body]).toEqual([
          204,
          'yes',
          undefined,
          '',
        ])
        expect(headers['content-length'] ?? '0').toBe('0')
      })

      it('a stream chunk by chunk, empty chunks left out', async () => {
        const { headers, body, isComplete } = await call(get('/stream'))
        expect([headers['x-a'], body, isComplete]).toEqual(['b', 'one,two,three', true])
        expect(headers['transfer-encoding']).toBe('chunked')
      })

      it('a failed handler with a problem document that tells nothing of the inside', async () => {
        for (const path of ['/throw', '/reject']) {
          const { status, headers, body } = await call(get(path))
          const { request_id: id, ...problem } = JSON.parse(body)
          expect([status, headers['content-type']]).toEqual([500, 'application/problem+json'])
          expect(id).toMatch(/^[0-9a-f-]{36}$/)
          expect(problem).toEqual({
            type: 'about:blank',
            title: 'Something went wrong here',
            status: 500,
            detail: 'Something went wrong here',
            code: 'internal',
          })
        }
      })

      it('HEAD with the headers of GET and no body', async () => {
        for (const path of ['/text', '/bytes', '/stream', '/empty']) {
          const connection = await openRaw(server.url)
          connection.send(`HEAD ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
          const head = await connection.readResponse('HEAD')
          connection.send(get('/text').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
          const after = await connection.readToEnd()
          connection.close()
          const answer = await call(get(path))
          expect([path, head.status, head.headers['content-length']]).toEqual([
            path,
            answer.status,
            answer.headers['content-length'],
          ])
          expect(head.headers['content-type']).toBe(answer.headers['content-type'])
          expect(after.startsWith('HTTP/1.1 200')).toBe(true)
        }
      })

      it('several requests on one connection, also when they arrive together', async () => {
        const connection = await openRaw(server.url)
        connection.send(get('/text') + get('/bytes') + get('/stream'))
        const lengths: number[] = []
        for (let index = 0; index < 3; index += 1) {
          lengths.push((await connection.readResponse()).body.length)
        }
        connection.close()
        expect(lengths).toEqual([7, 3, 13])
      })
    })

    describe('hands over', () => {
      it('every usual method', async () => {
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
          const request = `${method} /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`
          expect(await seen(request)).toMatchObject({ method, target: '/echo', body: '' })
        }
      })

      it('counted and chunked bodies', async () => {
        expect((await seen(counted('POST', '/echo', 'abc'))).body).toBe('abc')
        expect((await seen(chunked('POST', '/echo', ['a', 'bc']))).body).toBe('abc')
      })

      it('the body of a GET, or the knowledge that it is lost; the connection goes on', async () => {
        const body = server.deliversGetBody ? 'abc' : ''
        const hasLostBody = !server.deliversGetBody
        for (const request of [counted('GET', '/echo', 'abc'), chunked('GET', '/echo', ['abc'])]) {
          const connection = await openRaw(server.url)
          connection.send(request + get('/text'))
          const first = JSON.parse((await connection.readResponse()).body)
          const second = await connection.readResponse()
          connection.close()
          expect(first).toMatchObject({ method: 'GET', body, hasLostBody })
          expect([second.status, second.body.length]).toEqual([200, 7])
        }
      })

      it('the target as sent', async () => {
        for (const target of ['/a?b=%zz&c', '/%', '//evil/a', '/a//b', '/?', '/a%00b', '/%C3%A4']) {
          expect(await seen(get(target))).toMatchObject({ method: 'GET', target })
        }
      })

      it('a target in absolute form by its path', async () => {
        const { target } = await seen('GET http://a:1/x?y=1 HTTP/1.1\r\nHost: a:1\r\n\r\n')
        expect(target).toBe('/x?y=1')
      })

      it('the asterisk as the root, unless the runtime refuses it', async () => {
        const { status, body } = await call('OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n')
        if (status === 200) expect(JSON.parse(body).target).toMatch(/^\/\*?$/)
        else expect(status).toBe(400)
      })

      it('repeated headers joined, names in any case', async () => {
        const request = 'GET /headers HTTP/1.1\r\nHost: a\r\nx-mAny: 1\r\nX-Many: 2\r\n\r\n'
        expect((await call(request)).body).toBe('1, 2')
      })

      it('the address of the client and the origin that it sees', async () => {
        const { origin, clientAddress } = await seen(
          get('/echo').replace('Host: a', 'Host: A.test:81'),
        )
        expect([origin, clientAddress]).toEqual(['http://a.test:81', '127.0.0.1'])
      })

      it('a body of several megabytes', async () => {
        witness.received = 0
        const body = 'x'.repeat(3_000_000)
        expect((await call(counted('POST', '/upload', body))).body).toBe('3000000')
      })
    })

    describe('keeps memory bounded', () => {
      it('by producing no more than a slow reader takes, and returns the stream when it leaves', async () => {
        witness.produced = 0
        witness.returned = 0
        const connection = await openRaw(server.url)
        connection.send(get('/endless'))
        await connection.readHead()
        connection.socket.pause()
        await settled(() => witness.produced)
        expect(witness.produced).toBeGreaterThan(0)
        expect(witness.produced).toBeLessThan(MAX_CHUNKS / 8)
        connection.close()
        await eventually(() => witness.returned === 1)
      })

      it('by taking no more of a body than the handler reads', async () => {
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
      it('the signal when the client leaves', async () => {
        witness.received = 0
        witness.aborted = 0
        const connection = await openRaw(server.url)
        connection.send(get('/wait'))
        await eventually(() => witness.received === 1)
        connection.close()
        await eventually(() => witness.aborted === 1)
      })

      it('the connection when a stream fails midway, so that no answer looks whole', async () => {
        const answer = await call(get('/broken-stream'))
        expect([answer.status, answer.isComplete]).toEqual([200, false])
      })

      it('a stream that fails at once with a problem or a cut, never with a whole answer', async () => {
        const connection = await openRaw(server.url)
        connection.send(get('/broken-at-once').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
        const text = await connection.readToEnd()
        connection.close()
        expect(text).not.toContain('secret')
        expect(text.startsWith('HTTP/1.1 200') && text.endsWith('0\r\n\r\n')).toBe(false)
      })
    })

    describe('refuses', () => {
      it('a large body with an answer that arrives', async () => {
        for (const path of ['/refuse', '/refuse-early']) {
          const connection = await openRaw(server.url)
          connection.send(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n\r\n`)
          connection.send(new Uint8Array(8_000_000))
          const { status, body } = await connection.readResponse()
          connection.close()
          expect([path, status, body]).toEqual([path, 413, 'too large'])
        }
      })

      it('no body that waits for 100 Continue, unless the handler answers without reading it', async () => {
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

      it('a head that is too big', async () => {
        const big = `GET /text HTTP/1.1\r\nHost: a\r\nX-Big: ${'x'.repeat(2_000_000)}\r\n\r\n`
        const connection = await openRaw(server.url)
        connection.send(big)
        const text = await connection.readToEnd()
        connection.close()
        expect(text === '' || /^HTTP\/1\.1 (?:400|413|431) /.test(text)).toBe(true)
      })

      it('requests whose end can be read in two ways, without handing them over', async () => {
        witness.calls = 0
        const answered = await exchangeAll(server.url, REFUSED)
        expect(answered.filter(({ statuses }) => statuses.some((s) => s !== 400))).toEqual([])
        expect(witness.calls).toBe(0)
      })

      it('no raw request with a failure of its own', async () => {
        expect(ACCEPTABLE.length).toBeGreaterThanOrEqual(100)
        const answered = await exchangeAll(server.url, ACCEPTABLE)
        expect(
          answered.filter(({ statuses }) => statuses.some((s) => s >= 500 && s !== 505)),
        ).toEqual([])
        expect((await call(get('/text'))).status).toBe(200)
      })
    })

    it('closes gracefully: the running request is answered, idle connections end', async () => {
      const suite = createSuiteHandler()
      const closing = await start(suite.handler)
      const idle = await openRaw(closing.url)
      idle.send(get('/text'))
      await idle.readResponse()
      const busy = await openRaw(closing.url)
      busy.send(get('/slow'))
      await eventually(() => suite.witness.calls === 2)
      const closed = closing.close(10_000)
      await idle.readToEnd()
      suite.witness.release()
      expect((await busy.readResponse()).body).toBe('late')
      await closed
      await expect(rawRequest(closing.url, get('/text'))).rejects.toThrow('No response')
      idle.close()
      busy.close()
    })

    it('stops waiting at the deadline, and destroys what still runs where the runtime can', async () => {
      const suite = createSuiteHandler()
      const closing = await start(suite.handler)
      const busy = await openRaw(closing.url)
      busy.send(get('/slow'))
      await eventually(() => suite.witness.calls === 1)
      await closing.close(50)
      if (closing.destroysAtDeadline) expect(await busy.readToEnd()).toBe('')
      suite.witness.release()
      busy.close()
    })

    it('cuts off slow heads and bodies, where the server has timeouts', async (context) => {
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

function get(target: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`
}

function counted(method: string, target: string, body: string): string {
  return `${method} ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

function chunked(method: string, target: string, parts: readonly string[]): string {
  const body = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')
  return `${method} ${target} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`
}

async function exchangeAll(url: string, vectors: readonly Vector[]) {
  const answered: { readonly title: string; readonly statuses: readonly number[] }[] = []
  for (let start = 0; start < vectors.length; start += 20) {
    const batch = vectors.slice(start, start + 20)
    answered.push(
      ...(await Promise.all(
        batch.map(async ([title, bytes]) => ({ title, statuses: await exchange(url, bytes) })),
      )),
    )
  }
  return answered
}

/** Statuses of all that comes back until the server closes or has had time to answer. */
async function exchange(url: string, request: string): Promise<number[]> {
  const connection = await openRaw(url)
  let text = ''
  connection.socket.on('data', (chunk: Uint8Array) => {
    text += new TextDecoder('latin1').decode(chunk)
  })
  connection.send(request)
  const late = new Promise((resolve) => setTimeout(resolve, 300))
  await Promise.race([connection.readToEnd(), late])
  connection.close()
  return [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => Number(status))
}

async function eventually(isTrue: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 500 && !isTrue(); attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(isTrue()).toBe(true)
}

async function settled(read: () => number): Promise<void> {
  let last = -1
  let same = 0
  for (let attempt = 0; attempt < 500 && same < 10; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    same = read() === last ? same + 1 : 0
    last = read()
  }
}
