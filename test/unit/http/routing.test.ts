import { describe, expect, it } from 'vitest'
import { type ErrorCode, ServiceError } from '../../../core/errors.ts'
import type { Operation } from '../../../core/http/operation.ts'
import { PROBLEM_TYPES, toProblem } from '../../../core/http/problems.ts'
import { matchesEtag, toProblemResponse, toResponse } from '../../../core/http/responses.ts'
import { createRouter } from '../../../core/http/router.ts'
import { readText } from './support.ts'

const base = { method: 'GET', paths: ['/x'], tag: 'x', summary: 'x', scope: 'read' } as const

describe('the router', () => {
  const router = createRouter([
    { method: 'GET', path: '/api/a', target: 'get a' },
    { method: 'POST', path: '/api/a', target: 'post a' },
    { method: 'GET', path: '/api/b/', target: 'get b' },
    { method: 'DELETE', path: '/api/a.b', target: 'delete a.b' },
    { method: 'GET', path: '/', target: 'root' },
  ])

  it('finds targets with and without their final slash', () => {
    const asked = ['/api/a', '/api/a/', '/api/a//', '/api/b', '/api/b/', '/api/b///']
    expect(asked.map((path) => router.find('GET', path))).toEqual([
      ...['get a', 'get a', 'get a', 'get b', 'get b', 'get b'].map((target) => ({ target })),
    ])
    expect(router.find('POST', '/api/a/')).toEqual({ target: 'post a' })
    expect(router.find('HEAD', '/api/a')).toEqual({ target: 'get a' })
    expect(router.find('GET', '/')).toEqual({ target: 'root' })
  })

  it('lists the methods of a path that has others', () => {
    expect(router.find('PUT', '/api/a')).toEqual({ allow: ['GET', 'HEAD', 'OPTIONS', 'POST'] })
    expect(router.find('get', '/api/a')).toEqual({ allow: ['GET', 'HEAD', 'OPTIONS', 'POST'] })
    expect(router.find('HEAD', '/api/a.b')).toEqual({ allow: ['DELETE', 'OPTIONS'] })
    expect(router.find('OPTIONS', '/api/b')).toEqual({ allow: ['GET', 'HEAD', 'OPTIONS'] })
  })

  it('finds no other path', () => {
    const unknown = [
      '',
      '/api',
      '/api/',
      '/API/a',
      '/api/a/x',
      '/api/aXb',
      '//api/a',
      '/api/%61',
      '/api/a?x',
    ]
    expect(unknown.map((path) => router.find('GET', path))).toEqual(unknown.map(() => undefined))
    expect(['__proto__', 'constructor', '*'].map((path) => router.find('GET', path))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('entity tags', () => {
  it('are compared weakly with each tag of a list', () => {
    // `*` matches any existing content, and existence is only known after a read.
    const headers = ['"a"', 'W/"a"', '"b", W/"a"', '"b"', 'a', '*', '', undefined]
    expect(headers.map((header) => matchesEtag(header, '"a"'))).toEqual([
      ...Array.from({ length: 3 }, () => true),
      ...Array.from({ length: 5 }, () => false),
    ])
  })
})

describe('problem documents', () => {
  it('contain what a client needs and nothing of the cause', async () => {
    const cause = new Error('SELECT key FROM /var/data/keys')
    const error = new ServiceError('too_many_requests', 'Cannot answer now: wait', {
      cause,
      retryAfter: 3,
      extra: { pointer: '/x' },
      headers: { 'x-more': 'yes' },
      issues: [{ in: 'query', name: 'q', message: 'is too much' }],
    })
    const operation: Operation = {
      ...base,
      output: { kind: 'empty' },
      problemMembers: ({ detail: info }) => ({ info, result: 'Failure' }),
    }
    const response = toProblemResponse(error, { requestId: 'r1', operation })
    expect([response.status, response.headers['retry-after'], response.headers['x-more']]).toEqual([
      429,
      '3',
      'yes',
    ])
    expect(response.headers['content-type']).toBe('application/problem+json')
    expect(JSON.parse(await readText(response))).toEqual({
      type: 'about:blank',
      title: 'Too many requests',
      status: 429,
      detail: 'Cannot answer now: wait',
      code: 'too_many_requests',
      request_id: 'r1',
      errors: [{ in: 'query', name: 'q', message: 'is too much' }],
      pointer: '/x',
      info: 'Cannot answer now: wait',
      result: 'Failure',
    })
  })

  it('have a status and a title for every code', () => {
    for (const code of Object.keys(PROBLEM_TYPES) as readonly ErrorCode[]) {
      const { status, title } = toProblem(new ServiceError(code, 'x'), 'r')
      expect([code, Number(status) >= 400 && Number(status) < 600]).toEqual([code, true])
      expect(title).toMatch(/^[A-Z][^.]+$/)
    }
  })
})

describe('responses', () => {
  it("return a handler's result unchanged, with the common headers", () => {
    const raw = {
      status: 418,
      headers: { 'content-type': 'text/tea', 'cache-control': 'max-age=9' },
      body: 'tea',
    }
    const operation: Operation = { ...base, output: { kind: 'raw', mediaTypes: ['text/tea'] } }
    expect(toResponse(operation, raw, undefined)).toEqual({
      status: 418,
      headers: {
        'content-type': 'text/tea',
        'cache-control': 'max-age=9',
        vary: 'api-key, Authorization, Accept',
        'x-content-type-options': 'nosniff',
      },
      body: 'tea',
    })
  })

  it('of a variant have its media type and the tag', () => {
    const operation: Operation = { ...base, output: { kind: 'variants', mediaTypes: {} } }
    const { headers } = toResponse(operation, { mediaType: 'application/xml', body: '<a/>' }, '"t"')
    expect([headers['content-type'], headers.etag]).toEqual(['application/xml', '"t"'])
  })
})
