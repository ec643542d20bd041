import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRaw, rawRequest } from '../helpers/raw-http.ts'
import { createSuiteHandler, type Witness } from './runtime-handler.ts'
import { describeLimits } from './runtime-limits.ts'
import type { StartedRuntime, StartRuntime } from './runtime-start.ts'
import { chunked, counted, toGetBytes } from './runtime-wire.ts'

/**
 * The suite for every server adapter. It writes bytes to a raw socket and checks the returned
 * bytes.
 *
 * @example
 * ```ts
 * import { serveNode } from 'api-discovery/node'
 * import { describeRuntime } from 'api-discovery/testing'
 *
 * const features = { deliversGetBody: true, hasTimeouts: true, keepsLength: true }
 * describeRuntime('My server', async (handler, times) => {
 *   const server = await serveNode(handler, { port: 0, ...times })
 *   return { ...server, ...features, destroysAtDeadline: true, differences: {} }
 * })
 * ```
 */
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

    describe('responds with', () => {
      it('text as UTF-8 with its length in bytes', async () => {
        const { status, headers, body } = await call(toGetBytes('/text'))
        expect([status, headers['content-type'], headers['content-length'], body]).toEqual([
          200,
          'text/plain',
          '7',
          'gr\u00c3\u00bc\u00c3\u009fe',
        ])
      })

      it('bytes unchanged', async () => {
        const { headers, body } = await call(toGetBytes('/bytes'))
        expect([headers['content-length'], body]).toEqual(['3', '\u0000\u00ff\u0001'])
      })

      it('204 without a body and without its headers', async () => {
        const { status, headers, body } = await call(toGetBytes('/empty'))
        expect([status, headers['x-empty'], headers['transfer-encoding'], body]).toEqual([
          204,
          'yes',
          undefined,
          '',
        ])
        expect(headers['content-length'] ?? '0').toBe('0')
      })

      it('a stream chunk by chunk, without empty chunks', async () => {
        const { headers, body, isComplete } = await call(toGetBytes('/stream'))
        expect([headers['x-a'], body, isComplete]).toEqual(['b', 'one,two,three', true])
        expect(headers['transfer-encoding']).toBe('chunked')
      })

      it('a readable stream of Node like any other', async () => {
        const { headers, body, isComplete } = await call(toGetBytes('/readable'))
        expect([headers['x-a'], body, isComplete]).toEqual(['b', 'one,two,three', true])
        expect(headers['transfer-encoding']).toBe('chunked')
      })

      it('a stream of the length in its headers, or in chunks', async () => {
        for (const path of ['/counted', '/counted-readable']) {
          const { headers, body, isComplete } = await call(toGetBytes(path))
          const isCounted = headers['content-length'] === '13'
          expect([path, body, isComplete]).toEqual([path, 'one,two,three', true])
          expect([path, headers['transfer-encoding']]).toEqual([
            path,
            isCounted ? undefined : 'chunked',
          ])
          expect([path, isCounted]).toEqual([path, server.keepsLength])
        }
      })

      it('the fallback of a response whose stream fails before its first bytes', async () => {
        for (const path of ['/fallback', '/fallback-readable']) {
          const { status, headers, body } = await call(toGetBytes(path))
          expect([path, status, headers['x-a'], body]).toEqual([path, 502, 'b', 'Error'])
        }
        const { status, headers, body } = await call(toGetBytes('/no-fallback'))
        expect([status, headers['x-a'], body]).toEqual([200, 'b', 'one,two,three'])
      })

      it('a problem document without internals if the handler fails', async () => {
        for (const path of ['/throw', '/reject']) {
          const { status, headers, body } = await call(toGetBytes(path))
          const { request_id: id, ...problem } = JSON.parse(body)
          expect([status, headers['content-type']]).toEqual([500, 'application/problem+json'])
          expect(id).toMatch(/^[0-9a-f-]{36}$/)
          expect(problem).toEqual({
            type: 'about:blank',
            title: 'Internal error',
            status: 500,
            detail: 'Internal error',
            code: 'internal',
          })
        }
      })

      it('HEAD with the headers of GET and no body', async () => {
        for (const path of ['/text', '/bytes', '/stream', '/empty']) {
          const connection = await openRaw(server.url)
          connection.send(`HEAD ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
          const head = await connection.readResponse('HEAD')
          connection.send(toGetBytes('/text').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
          const after = await connection.readToEnd()
          connection.close()
          const answer = await call(toGetBytes(path))
          expect([path, head.status, head.headers['content-length']]).toEqual([
            path,
            answer.status,
            answer.headers['content-length'],
          ])
          expect(head.headers['content-type']).toBe(answer.headers['content-type'])
          expect(after.startsWith('HTTP/1.1 200')).toBe(true)
        }
      })

      it('several requests on one connection, including pipelined ones', async () => {
        const connection = await openRaw(server.url)
        connection.send(toGetBytes('/text') + toGetBytes('/bytes') + toGetBytes('/stream'))
        const lengths: number[] = []
        for (let index = 0; index < 3; index += 1) {
          lengths.push((await connection.readResponse()).body.length)
        }
        connection.close()
        expect(lengths).toEqual([7, 3, 13])
      })
    })

    describe('passes to the handler', () => {
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

      it('the body of a GET, or the fact that it is lost, and keeps the connection', async () => {
        const body = server.deliversGetBody ? 'abc' : ''
        const hasLostBody = !server.deliversGetBody
        for (const request of [counted('GET', '/echo', 'abc'), chunked('GET', '/echo', ['abc'])]) {
          const connection = await openRaw(server.url)
          connection.send(request + toGetBytes('/text'))
          const first = JSON.parse((await connection.readResponse()).body)
          const second = await connection.readResponse()
          connection.close()
          expect(first).toMatchObject({ method: 'GET', body, hasLostBody })
          expect([second.status, second.body.length]).toEqual([200, 7])
        }
      })

      it('the target as sent', async () => {
        for (const target of ['/a?b=%zz&c', '/%', '//evil/a', '/a//b', '/?', '/a%00b', '/%C3%A4']) {
          expect(await seen(toGetBytes(target))).toMatchObject({ method: 'GET', target })
        }
      })

      it('the path of a target in absolute form', async () => {
        const { target } = await seen('GET http://a:1/x?y=1 HTTP/1.1\r\nHost: a:1\r\n\r\n')
        expect(target).toBe('/x?y=1')
      })

      it('an asterisk as the root, unless the runtime rejects it', async () => {
        const { status, body } = await call('OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n')
        if (status === 200) expect(JSON.parse(body).target).toMatch(/^\/\*?$/)
        else expect(status).toBe(400)
      })

      it('joined repeated headers, with case-insensitive names', async () => {
        const request = 'GET /headers HTTP/1.1\r\nHost: a\r\nx-mAny: 1\r\nX-Many: 2\r\n\r\n'
        expect((await call(request)).body).toBe('1, 2')
      })

      it("the client's address and the origin that it sees", async () => {
        const { origin, clientAddress } = await seen(
          toGetBytes('/echo').replace('Host: a', 'Host: A.test:81'),
        )
        expect([origin, clientAddress]).toEqual(['http://a.test:81', '127.0.0.1'])
      })

      it('a whole body, if that is cheaper, up to a limit', async () => {
        const sizes = [1, 70_000, 100_001, 3_000_000]
        for (const size of sizes) {
          const request = counted('POST', '/whole', 'x'.repeat(size))
          const { status, body } = await call(request)
          const isOffered = server.deliversGetBody
          expect([size, status, body]).toEqual([
            size,
            200,
            isOffered && size <= 100_000 ? String(size) : 'too much',
          ])
        }
      })

      it('a body of several megabytes', async () => {
        witness.received = 0
        const body = 'x'.repeat(3_000_000)
        expect((await call(counted('POST', '/upload', body))).body).toBe('3000000')
      })
    })
  })
  describeLimits(name, start)
}
