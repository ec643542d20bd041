import { describe, expect, it } from 'vitest'
import { matcherOf } from './support.ts'

const API = { endpointId: undefined, shortId: undefined, method: undefined }
const ONE = { apiId: 1, apiName: 'API 1', vendorName: 'Vendor 1' }

describe('a match', () => {
  it('contains endpoint, API and vendor with confidence 1 if everything matches', () => {
    const matcher = matcherOf([{ endpoint: 'get /users/{id}' }])
    expect(matcher.match({ method: 'GET', url: 'https://api.acme.io/users/1' })).toEqual({
      level: 'endpoint',
      endpointId: 1,
      shortId: 'short1',
      method: 'get',
      ...ONE,
      confidence: 1,
      path: '/users/{}',
      reason: 'The host is catalogued, GET /users/{} matches.',
      alternatives: [],
    })
  })

  it('lists the other methods as alternatives if the method is unknown', () => {
    const matcher = matcherOf([{ endpoint: 'post /users' }, { endpoint: 'get /users' }])
    const endpoint = { level: 'endpoint', ...ONE }
    expect(matcher.match({ url: 'https://api.acme.io/users' })).toEqual({
      ...endpoint,
      endpointId: 2,
      shortId: 'short2',
      method: 'get',
      confidence: 0.7,
      path: '/users',
      reason: 'The host is catalogued, GET /users matches, the method is unknown.',
      alternatives: [
        { ...endpoint, endpointId: 1, shortId: 'short1', method: 'post', confidence: 0.56 },
      ],
    })
  })

  it('prefers a path with the right method to a more literal one without it', () => {
    const matcher = matcherOf([{ endpoint: 'get /users/me' }, { endpoint: 'delete /users/{id}' }])
    const match = matcher.match({ method: 'DELETE', url: 'https://api.acme.io/users/me' })
    expect(match?.endpointId).toBe(2)
  })

  it('matches HEAD to GET unless HEAD is catalogued', () => {
    const matcher = matcherOf([
      { endpoint: 'get /a' },
      { endpoint: 'head /b' },
      { endpoint: 'get /b' },
    ])
    const a = matcher.match({ method: 'HEAD', url: 'https://api.acme.io/a' })
    expect([a?.endpointId, a?.confidence, a?.reason]).toEqual([
      1,
      0.95,
      'The host is catalogued, GET /a matches, HEAD counts as GET.',
    ])
    expect(matcher.match({ method: 'HEAD', url: 'https://api.acme.io/b' })?.endpointId).toBe(2)
  })

  it('falls back to the API if the path is catalogued with other methods only', () => {
    const matcher = matcherOf([{ endpoint: 'get /users' }])
    expect(matcher.match({ method: 'PUT', url: 'https://api.acme.io/users' })).toEqual({
      level: 'api',
      ...API,
      ...ONE,
      confidence: 0.65,
      reason: 'The host is catalogued, /users is catalogued, but not with PUT.',
      alternatives: [
        {
          level: 'endpoint',
          endpointId: 1,
          shortId: 'short1',
          method: 'get',
          ...ONE,
          confidence: 0.33,
        },
      ],
    })
  })

  it('contains the API of a host if the path is unknown', () => {
    const matcher = matcherOf([{ endpoint: 'get /users' }])
    expect(matcher.match({ host: 'api.acme.io' })).toEqual({
      level: 'api',
      ...API,
      ...ONE,
      confidence: 0.5,
      reason: 'The host is catalogued, one API has the host, the path is unknown.',
      alternatives: [],
    })
  })

  it('contains the API with the base path, or only the vendor if several share the host', () => {
    const lines = [
      { api: 1, vendor: 'Acme', server: 'https://acme.io/a', endpoint: 'get /x' },
      { api: 2, vendor: 'Acme', server: 'https://acme.io/b', endpoint: 'get /x' },
    ]
    const matcher = matcherOf(lines)
    const based = matcher.match({ url: 'https://acme.io/b/y' })
    expect([based?.level, based?.apiId, based?.confidence]).toEqual(['api', 2, 0.7])
    expect(based?.reason).toBe(
      'The host is catalogued, one API has the base path, no endpoint matches the path.',
    )
    const shared = matcher.match({ host: 'acme.io' })
    const api = { level: 'api', ...API, vendorName: 'Acme', confidence: 0.25 }
    expect(shared).toEqual({
      level: 'vendor',
      ...API,
      apiId: undefined,
      apiName: undefined,
      vendorName: 'Acme',
      confidence: 0.5,
      reason:
        'The host is catalogued, 2 APIs share the host, all of one vendor, the path is unknown.',
      alternatives: [
        { ...api, apiId: 1, apiName: 'API 1' },
        { ...api, apiId: 2, apiName: 'API 2' },
      ],
    })
  })

  it('has less confidence if APIs of several vendors share a host or an endpoint', () => {
    const matcher = matcherOf([
      { api: 1, endpoint: 'get /x' },
      { api: 2, endpoint: 'get /x' },
    ])
    const host = matcher.match({ host: 'api.acme.io' })
    expect([host?.level, host?.apiId, host?.confidence]).toEqual(['api', 1, 0.25])
    expect(host?.alternatives.map((other) => other.apiId)).toEqual([2])
    const endpoint = matcher.match({ method: 'GET', url: 'https://api.acme.io/x' })
    expect([endpoint?.endpointId, endpoint?.confidence]).toEqual([1, 0.6])
    expect(endpoint?.alternatives.map((other) => other.endpointId)).toEqual([2])
    expect(endpoint?.reason).toBe(
      'The host is catalogued, GET /x matches, equal matches in other APIs: 1.',
    )
  })

  it('has at most five alternatives', () => {
    const lines = Array.from({ length: 50 }, (_, index) => ({ api: index, endpoint: 'get /x' }))
    const matcher = matcherOf(lines)
    expect(matcher.match({ url: 'https://api.acme.io/x' })?.alternatives.length).toBe(5)
    expect(matcher.match({ url: 'https://api.acme.io/y' })?.alternatives.length).toBe(5)
    expect(matcher.match({ host: 'api.acme.io' })?.alternatives.length).toBe(5)
  })
})
