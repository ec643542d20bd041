import { describe, expect, it } from 'vitest'
import { PASSED_HEADERS, selectPassedHead } from '../../../core/gateway/passed-headers.ts'
import type { HeaderLine } from '../../../core/ports/egress.ts'

const OWN = {
  'content-disposition': 'attachment',
  'content-security-policy': 'sandbox',
  'x-content-type-options': 'nosniff',
}

function pass(headers: readonly HeaderLine[], more: { method?: string; status?: number } = {}) {
  return selectPassedHead({
    method: 'GET',
    status: 200,
    url: 'https://api.example/v1/things?page=1',
    headers,
    ...more,
  })
}

describe('passed headers', () => {
  it('are those of the list, with the value of the target', () => {
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
  ])('do not include %s', (name) => {
    expect(pass([[name, 'x']])).toEqual({ hasBody: true, headers: OWN })
  })

  it('include rate limits in all spellings', () => {
    const headers: readonly HeaderLine[] = [
      ['ratelimit', '"a";r=5;t=1'],
      ['ratelimit-policy', '"a";q=9;w=1'],
      ['ratelimit-remaining', '5'],
      ['x-ratelimit-reset', '1'],
      ['x-rate-limit-limit', '9'],
    ]
    expect(pass(headers).headers).toEqual({ ...Object.fromEntries(headers), ...OWN })
  })

  it('are joined if a name is repeated', () => {
    const { headers } = pass([
      ['link', '<a>; rel=next'],
      ['link', '<b>; rel=last'],
    ])
    expect(headers.link).toBe('<a>; rel=next, <b>; rel=last')
  })

  it('exclude those named in Connection', () => {
    const { headers } = pass([
      ['etag', '"1"'],
      ['connection', 'close, ETag'],
      ['age', '1'],
      ['connection', 'age'],
      ['content-type', 'text/plain'],
    ])
    expect(headers).toEqual({ ...OWN, 'content-type': 'text/plain' })
  })

  it('cannot weaken the protection of browsers', () => {
    const { headers } = pass([
      ['content-disposition', 'inline; filename="a.html"'],
      ['connection', 'content-security-policy, x-content-type-options, content-disposition'],
    ])
    expect(headers).toEqual(OWN)
  })

  it('retain the name of a download', () => {
    const value = 'attachment; filename="a.pdf"'
    expect(pass([['content-disposition', value]]).headers['content-disposition']).toBe(value)
  })

  it("distinguish the target's request ID from ours", () => {
    expect(pass([['x-request-id', '7']]).headers).toEqual({ ...OWN, 'target-request-id': '7' })
  })

  it.each([
    ['/moved', 'https://api.example/moved'],
    ['?page=2', 'https://api.example/v1/things?page=2'],
    // The query may contain a credential of the account, which callers must not see.
    ['', 'https://api.example/v1/things'],
    ['#here', 'https://api.example/v1/things#here'],
    ['//other.example/x', 'https://other.example/x'],
    ['https://other.example/', 'https://other.example/'],
    ['https://[', 'https://['],
  ])('have absolute locations: %s', (location, absolute) => {
    expect(pass([['location', location]], { status: 302 }).headers.location).toBe(absolute)
  })

  it.each([
    [{ method: 'HEAD' }, false],
    [{ status: 204 }, false],
    [{ status: 205 }, false],
    [{ status: 304 }, false],
    [{ status: 206 }, true],
    [{ status: 500 }, true],
  ])('contain no length if there is no body: %o', (more, hasBody) => {
    const headers = hasBody ? { ...OWN, 'content-length': '3' } : OWN
    expect(pass([['content-length', '3']], more)).toEqual({ hasBody, headers })
  })
})
