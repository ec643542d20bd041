import { describe, expect, it } from 'vitest'
import type { CallValues } from '../../../core/calls/call.ts'
import type { Server } from '../../../core/catalogue/records.ts'
import { errorOf, issuesOf, toPlan, toServer } from './support.ts'

function urlOf(servers: readonly Server[], values: CallValues = {}, server?: string): string {
  return toPlan({ servers }).build(values, { server }).url
}

describe('The server of a call', () => {
  const servers = [
    toServer('/relative'),
    toServer('https://api.example.com/v1/'),
    { ...toServer('http://test.example.com:8080'), name: 'test' },
  ]

  it('defaults to the first absolute server', () => {
    expect(urlOf(servers)).toBe('https://api.example.com/v1/things')
    expect(toPlan({ servers }).originOf({})).toBe('https://api.example.com')
  })

  it('is selected by name, by URL or by number', () => {
    expect(urlOf(servers, {}, 'test')).toBe('http://test.example.com:8080/things')
    expect(urlOf(servers, {}, '2')).toBe('https://api.example.com/v1/things')
    expect(urlOf(servers, {}, 'https://api.example.com/v1/')).toBe(
      'https://api.example.com/v1/things',
    )
    expect(toPlan({ servers }).originOf({}, { server: '3' })).toBe('http://test.example.com:8080')
    expect(issuesOf(() => urlOf(servers, {}, 'https://evil.example'))).toEqual({
      server: 'must be one of: 1 (/relative), 2 (https://api.example.com/v1/), test',
    })
    expect(errorOf(() => urlOf(servers, {}, '9')).issues).toEqual([
      {
        in: 'query',
        name: 'server',
        message: 'must be one of: 1 (/relative), 2 (https://api.example.com/v1/), test',
      },
    ])
    expect(errorOf(() => urlOf(servers, {}, '1')).code).toBe('no_server')
  })

  it.each([
    [[]],
    [['/v1']],
    [['//api.example.com']],
    [['ftp://api.example.com']],
    [['wss://api.example.com']],
    [['https://user:secret@api.example.com']],
    [['https://']],
    [['https://exa mple.com']],
    [['{base}/v1']],
  ])('is missing if the servers are %j', (urls) => {
    const plan = toPlan({ servers: urls.map((url) => toServer(url)) })
    expect(errorOf(() => plan.build({ nonsense: 1 })).code).toBe('no_server')
    expect(errorOf(() => plan.originOf({})).code).toBe('no_server')
  })

  it('is missing for invalid methods and for CONNECT', () => {
    for (const method of ['connect', 'get / http/1.1\r\nx: y', '']) {
      expect(errorOf(() => toPlan({ method }).build({})).code).toBe('no_server')
    }
  })

  it('may have a query', () => {
    const query = { name: 'q', placement: 'query' as const }
    const plan = toPlan({ servers: [toServer('https://a.example/x?k=1')], parameters: [query] })
    expect(plan.build({ q: 'a' }).url).toBe('https://a.example/x/things?k=1&q=a')
  })
})

describe('Server variables', () => {
  const region = { name: 'region', default: 'eu', values: ['eu', 'us'] }
  const shop = { name: 'shop', default: 'demo', values: [] }
  const version = { name: 'version', default: 'v1', values: [] }

  it('use their default, or the declared value that the caller selects', () => {
    const servers = [toServer('https://{region}.example.com', [region])]
    expect(urlOf(servers)).toBe('https://eu.example.com/things')
    expect(urlOf(servers, { region: 'us' })).toBe('https://us.example.com/things')
    expect(urlOf(servers, { 'server.region': 'us' })).toBe('https://us.example.com/things')
    expect(toPlan({ servers }).originOf({ region: 'us' })).toBe('https://us.example.com')
    const refused = { region: 'must be one of: eu, us' }
    expect(issuesOf(() => urlOf(servers, { region: 'evil.com/' }))).toEqual({
      'server.region': refused.region,
    })
    expect(issuesOf(() => toPlan({ servers }).originOf({ region: 'x' }))).toEqual({
      'server.region': refused.region,
    })
  })

  it('leave their plain name to parameters', () => {
    const plan = toPlan({
      servers: [toServer('https://{region}.example.com', [region])],
      parameters: [{ name: 'region', placement: 'query' }],
    })
    expect(plan.build({ region: 'a', 'server.region': 'us' }).url).toBe(
      'https://us.example.com/things?region=a',
    )
  })

  it('accept any label below a fixed domain, and any path segment', () => {
    const servers = [toServer('https://{shop}.example.com/{version}', [shop, version])]
    expect(urlOf(servers, { shop: 'my-shop', version: 'a/b' })).toBe(
      'https://my-shop.example.com/a%2Fb/things',
    )
    for (const value of ['a.b', 'a/b', 'a:1', 'a@b', '-a', '', 'a#', 'ü', '..', 'a\\b', 'a%2f']) {
      expect(issuesOf(() => urlOf(servers, { shop: value }))).toEqual({
        'server.shop': 'must be a host label: letters and digits, with hyphens only in between',
      })
    }
    for (const value of ['..', '', '.', '%2e%2e', 'a/../b', 'a\r\n']) {
      expect(Object.keys(issuesOf(() => urlOf(servers, { version: value })))).toEqual([
        'server.version',
      ])
    }
  })

  it.each([
    'https://{shop}',
    'https://{shop}.com',
    'https://{shop}example.com',
    'https://my{shop}.example.com',
    'https://api.example.com:{shop}',
    'https://{shop}.0.0.1',
    'https://{shop}.0.0.0x1:8080',
    'https://{shop}:8080/v1',
    '{shop}://api.example.com',
    'https://api.example.com/v1?a={shop}',
  ])('accept only declared values in %s, because others could lead to another host', (url) => {
    const known = { ...shop, default: url.startsWith('{') ? 'https' : '8043' }
    expect(issuesOf(() => urlOf([toServer(url, [known])], { shop: 'evil' }))).toEqual({
      'server.shop': `must be one of: ${known.default}`,
    })
  })

  it('are required without a default', () => {
    const servers = [toServer('https://{tenant}.example.com')]
    expect(urlOf(servers, { tenant: 'a' })).toBe('https://a.example.com/things')
    expect(issuesOf(() => urlOf(servers))).toEqual({
      'server.tenant': 'is required: the server has no default for it',
    })
  })

  it('must belong to the selected server', () => {
    const servers = [
      toServer('https://{region}.example.com', [region]),
      toServer('https://{shop}.shops.example.com', [shop]),
    ]
    expect(urlOf(servers, { shop: 'a' }, '2')).toBe('https://a.shops.example.com/things')
    expect(issuesOf(() => urlOf(servers, { shop: 'a' }))).toEqual({
      'server.shop': 'is not a variable of the selected server',
    })
  })
})
