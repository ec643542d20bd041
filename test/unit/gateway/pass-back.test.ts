import { describe, expect, it } from 'vitest'
import type { HeaderLine } from '../../../core/egress/egress.ts'
import { PASSED_HEADERS, toPassedHead } from '../../../core/gateway/pass-back.ts'

const OWN = {
  'content-disposition': 'attachment',
  'content-security-policy': 'sandbox',
  'x-content-type-options': 'nosniff',
}

function pass(headers: readonly HeaderLine[], more: { method?: string; status?: number } = {}) {
  return toPassedHead({
    method: 'GET',
    status: 200,
    url: 'https://api.example/v1/things?page=1',
    headers,
    ...more,
  })
}

describe('the headers that pass', () => {
  it('are those of the list, by the value that the target gave', () => {
    const told = new Set(['content-disposition', 'location', 'x-request-id'])
    const plain = PASSED_HEADERS.filter((name) => !told.has(name))
    const headers = plain.map((name): HeaderLine => [name, `of ${name}`])
    expect(pass(headers)).toEqual({
      hasBody: true,
      headers: { ...Object.fromEntries(headers), ...OWN },
    })
  })

  it.each([
    'access-control-allow-origin',
    'alt-svc',
    'api-key',
    'authorization',
    'clear-site-data',
    'connection',
    'content-security-policy',
    'cross-origin-opener-policy',
    'gateway-error',
    'keep-alive',
    'nel',
    'permissions-policy',
    'proxy-authenticate',
    'refresh',
    'report-to',
    'reporting-endpoints',
    'server',
    'service-worker-allowed',
    'set-cookie',
    'set-cookie2',
    'sourcemap',
    'strict-transport-security',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
    'vary',
    'via',
    'x-content-type-options',
    'x-frame-options',
    'x-powered-by',
    '__proto__',
    'constructor',
  ])('are not %s', (name) => {
    expect(pass([[name, 'x']])).toEqual({ hasBody: true, headers: OWN })
  })

  it('are the rate limits in all their spellings', () => {
    const headers: readonly HeaderLine[] = [
      ['ratelimit', '"a";r=5;t=1'],
      ['ratelimit-policy', '"a";q=9;w=1'],
      ['ratelimit-remaining', '5'],
      ['x-ratelimit-reset', '1'],
      ['x-rate-limit-limit', '9'],
    ]
    expect(pass(headers).headers).toEqual({ ...Object.fromEntries(headers), ...OWN })
  })

  it('are joined where there are several of one name', () => {
    const { headers } = pass([
      ['link', '<a>; rel=next'],
      ['link', '<b>; rel=last'],
    ])
    expect(headers.link).toBe('<a>; rel=next, <b>; rel=last')
  })

  it('are none that the target says are of the connection', () => {
    const { headers } = pass([
      ['etag', '"1"'],
      ['connection', 'close, ETag'],
      ['age', '1'],
      ['connection', 'age'],
      ['content-type', 'text/plain'],
    ])
    expect(headers).toEqual({ ...OWN, 'content-type': 'text/plain' })
  })

  it('cannot undo what keeps a browser from running an answer', () => {
    const { headers } = pass([
      ['content-disposition', 'inline; filename="a.html"'],
      ['connection', 'content-security-policy, x-content-type-options, content-disposition'],
    ])
    expect(headers).toEqual(OWN)
  })

  it('keep the name of a download', () => {
    const value = 'attachment; filename="a.pdf"'
    expect(pass([['content-disposition', value]]).headers['content-disposition']).toBe(value)
  })

  it('name the request id of the target apart from ours', () => {
    expect(pass([['x-request-id', '7']]).headers).toEqual({ ...OWN, 'target-request-id': '7' })
  })

  it.each([
    ['/moved', 'https://api.example/moved'],
    ['?page=2', 'https://api.example/v1/things?page=2'],
    // The query may hold a credential of the account, which its keys must not learn.
    ['', 'https://api.example/v1/things'],
    ['#here', 'https://api.example/v1/things#here'],
    ['//other.example/x', 'https://other.example/x'],
    ['https://other.example/', 'https://other.example/'],
    ['https://[', 'https://['],
  ])('have locations made absolute: %s', (location, absolute) => {
    expect(pass([['location', location]], { status: 302 }).headers.location).toBe(absolute)
  })

  it.each([
    [{ method: 'HEAD' }, false],
    [{ status: 204 }, false],
    [{ status: 205 }, false],
    [{ status: 304 }, false],
    [{ status: 206 }, true],
    [{ status: 500 }, true],
  ])('tell no length of a body that does not come: %o', (more, hasBody) => {
    const headers = hasBody ? { ...OWN, 'content-length': '3' } : OWN
    expect(pass([['content-length', '3']], more)).toEqual({ hasBody, headers })
  })
})
