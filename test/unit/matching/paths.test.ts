import { describe, expect, it } from 'vitest'
import { finderOf } from './support.ts'

const at = (path: string) => `GET https://api.acme.io${path}`

describe('paths', () => {
  it('prefer literal to partly literal to parameter to rest, from left to right', () => {
    const find = finderOf([
      { endpoint: 'get /users/{id}' },
      { endpoint: 'get /users/me' },
      { endpoint: 'get /users/{id}.json' },
      { endpoint: 'get /users/{id}.tar.gz' },
      { endpoint: 'get /users/{path+}' },
      { endpoint: 'get /{kind}/me/items' },
      { endpoint: 'get /users/{id}/items' },
    ])
    expect(find(at('/users/me'))).toBe('get /users/me')
    expect(find(at('/users/5'))).toBe('get /users/{id}')
    expect(find(at('/users/5.json'))).toBe('get /users/{id}.json')
    expect(find(at('/users/a.tar.gz'))).toBe('get /users/{id}.tar.gz')
    expect(find(at('/users/.json'))).toBe('get /users/{id}')
    expect(find(at('/users/a/b/c'))).toBe('get /users/{path+}')
    expect(find(at('/users/me/items'))).toBe('get /users/{id}/items')
    expect(find(at('/teams/me/items'))).toBe('get /{kind}/me/items')
  })

  it('match segments with several parameters, and parameters with a verb', () => {
    const find = finderOf([
      { endpoint: 'get /diff/{a}...{b}' },
      { endpoint: 'get /days/{y}-{m}-{d}' },
      { endpoint: 'get /repos/{owner}/{repo}:run' },
      { endpoint: 'get /pair/{a}{b}' },
    ])
    expect(find(at('/diff/main...dev'))).toBe('get /diff/{a}...{b}')
    expect(find(at('/days/2026-11-21'))).toBe('get /days/{y}-{m}-{d}')
    expect(find(at('/days/2026-11'))).toBe('api 1')
    expect(find(at('/repos/o/r:run'))).toBe('get /repos/{owner}/{repo}:run')
    expect(find(at('/pair/xy'))).toBe('get /pair/{a}{b}')
  })

  it('distinguish a trailing slash only if both forms are catalogued', () => {
    const find = finderOf([
      { endpoint: 'get /a' },
      { endpoint: 'get /b/' },
      { endpoint: 'get /c' },
      { endpoint: 'get /c/' },
    ])
    expect(find(at('/a/'))).toBe('get /a')
    expect(find(at('/b'))).toBe('get /b/')
    expect(find(at('/c'))).toBe('get /c')
    expect(find(at('/c/'))).toBe('get /c/')
  })

  it('are compared decoded, without doubled slashes, dots, query and fragment', () => {
    const find = finderOf([
      { endpoint: 'get /naïve café/{id}', server: 'https://api.acme.io/v1/' },
      { endpoint: 'get /100%/x', server: 'https://api.acme.io/v1/' },
    ])
    expect(find(at('/v1//na%C3%AFve%20caf%C3%A9/1?x=/y#z'))).toBe('get /naïve café/{id}')
    expect(find(at('/v1/./z/../naïve café/1'))).toBe('get /naïve café/{id}')
    expect(find(at('/v1/%2e%2E/v1/naïve%20café/a%2Fb'))).toBe('get /naïve café/{id}')
    expect(find(at('/v1/100%25/x'))).toBe('get /100%/x')
    expect(find(at('/v1/100%/x'))).toBe('get /100%/x')
    expect(find(at('/V1/100%/x'))).toBe('api 1')
  })

  it('are distinguished by the queries in their templates', () => {
    const find = finderOf([
      { endpoint: 'get /rest?method=photos.get' },
      { endpoint: 'get /rest?method=photos.list' },
      { endpoint: 'get /rest' },
      { endpoint: 'get /rides?page={page}&size={size}' },
      { endpoint: 'get /rides?user={user}' },
      { endpoint: 'get /only?a=1' },
      { endpoint: 'get /form#one' },
      { endpoint: 'get /form#two' },
    ])
    expect(find(at('/rest?method=photos.list&x=1'))).toBe('get /rest?method=photos.list')
    expect(find(at('/rest?method=photos.get'))).toBe('get /rest?method=photos.get')
    expect(find(at('/rest?method=other'))).toBe('get /rest')
    expect(find(at('/rides?size=2&page=1'))).toBe('get /rides?page={page}&size={size}')
    expect(find(at('/rides?user=1&page=1'))).toBe('get /rides?user={user}')
    expect(find(at('/rides'))).toBe('get /rides?user={user}')
    expect(find(at('/only'))).toBe('api 1')
    expect(find(at('/form#two'))).toBe('get /form#two')
  })

  it('prefer the longer base path if both match', () => {
    const find = finderOf([
      { api: 1, endpoint: 'get /v1/{id}', server: 'https://api.acme.io' },
      { api: 2, endpoint: 'get /{name}', server: 'https://api.acme.io/v1' },
      { api: 3, endpoint: 'get /{version}/other', server: 'https://api.acme.io' },
    ])
    expect(find(at('/v1/x'))).toBe('get /{name}')
    expect(find(at('/v1/other'))).toBe('get /{name}')
    expect(find(at('/v2/other'))).toBe('get /{version}/other')
  })

  it('match one segment for a free variable in the base path', () => {
    const find = finderOf([{ endpoint: 'get /users', server: 'https://api.acme.io/{version}/x' }])
    expect(find(at('/v7/x/users'))).toBe('get /users')
    expect(find(at('/x/users'))).toBe('api 1')
  })

  it('match only the host if they are deeper or longer than real paths', () => {
    const find = finderOf([{ endpoint: 'get /users' }])
    expect(find(at('/users'.repeat(100)))).toBe('api 1')
    expect(find(at(`/${'x'.repeat(100_000)}`))).toBe('api 1')
    expect(find(at(`/users?${'x'.repeat(100_000)}`))).toBe('get /users')
  })
})
