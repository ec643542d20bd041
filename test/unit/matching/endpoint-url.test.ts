// biome-ignore-all lint/suspicious/noTemplateCurlyInString: URLs as they stand in code
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toEndpointUrl } from '../../../core/matching/endpoint-url.ts'
import { runs } from '../../helpers/runs.ts'
import { matcherOf } from './support.ts'

const matcher = matcherOf([
  { server: 'https://api.acme.io/v1', endpoint: 'get /users/' },
  { server: 'https://api.acme.io/v1', endpoint: 'get /users/{id}' },
  { server: 'https://api.acme.io/v1', endpoint: 'get /users/me' },
  { server: 'https://api.acme.io/v1', endpoint: 'get /reports/{id}.json' },
  { server: 'https://api.acme.io/v1', endpoint: 'get /files/{path+}' },
  { server: 'https://api.acme.io/v1', endpoint: 'get /?Action=List&Page={page}' },
  { server: 'https://{tenant}.shop.io', endpoint: 'get /carts/{id}' },
])

function toMatched(url: string): string {
  return toEndpointUrl(url, matcher.match({ url, method: 'get' }))
}

describe('toEndpointUrl', () => {
  it.each([
    ['https://api.acme.io/v1/users', 'https://api.acme.io/v1/users'],
    [' HTTPS://u:p@API.Acme.IO.:443/v1//users/?a=1#top', 'https://api.acme.io/v1/users'],
    ['http://api.acme.io:80', 'http://api.acme.io'],
    ['http://api.acme.io:8080/', 'http://api.acme.io:8080'],
    ['https://api.acme.io:${PORT}/v1', 'https://api.acme.io:{}/v1'],
    ['API.acme.io:443/v1/', 'api.acme.io/v1'],
    ['//API.acme.io/v1/', '//api.acme.io/v1'],
    ['wss://{Tenant}.Acme.io/:id/${x}-%s', 'wss://{}.acme.io/{}/{}-{}'],
    [
      'https://api.acme.io/a b/ä/[0]/100%/%20',
      'https://api.acme.io/a%20b/%C3%A4/%5B0%5D/100%25/%20',
    ],
    ['https://api.acme.io/Users?id=7', 'https://api.acme.io/Users'],
    ['/v1/users', '/v1/users'],
    ['', ''],
  ])('converts %s to %s', (url, expected) => {
    expect(toEndpointUrl(url)).toBe(expected)
  })

  it.each([
    ['https://API.acme.io:443/v1/users?limit=1', 'https://api.acme.io/v1/users'],
    ['https://api.acme.io/v1/users/42?x=1', 'https://api.acme.io/v1/users/{}'],
    ['https://api.acme.io/v1/users/${id}/', 'https://api.acme.io/v1/users/{}'],
    ['https://api.acme.io/v1/users/me', 'https://api.acme.io/v1/users/me'],
    ['https://api.acme.io/v1/reports/7.json', 'https://api.acme.io/v1/reports/{}.json'],
    ['https://api.acme.io/v1/files/a/b/c', 'https://api.acme.io/v1/files/{}'],
    ['https://api.acme.io/v1/?x=1&Action=List&Page=3', 'https://api.acme.io/v1?Action=List'],
    ['https://eu.shop.io/carts/7', 'https://eu.shop.io/carts/{}'],
    ['https://api.acme.io/v1/orders/7', 'https://api.acme.io/v1/orders/7'],
  ])('converts matched %s to %s', (url, expected) => {
    expect(toMatched(url)).toBe(expected)
    const again = matcher.match({ url: expected, method: 'get' })
    expect(again?.endpointId).toBe(matcher.match({ url, method: 'get' })?.endpointId)
  })

  it('is idempotent for any text', () => {
    const part = fc.constantFrom(
      ...['https://', 'api.acme.io', 'API', '/', '//', 'v1', 'users', '7', '?', '#', ':', '443'],
      ...['{', '}', '${x}', '%s', '%', '%7B', ' ', 'ä', '\\', '@', '.', '[', '*', '<a>', '\ud800'],
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        for (const start of ['', 'https://api.acme.io', 'https://api.acme.io/v1/users']) {
          const url = start + parts.join('')
          const once = toEndpointUrl(url)
          expect(toEndpointUrl(once)).toBe(once)
          expect(toMatched(toMatched(url))).toBe(toMatched(url))
        }
      }),
      { seed: 6, numRuns: runs(2000) },
    )
  })
})
