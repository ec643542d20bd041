import { describe, expect, it } from 'vitest'
import { finderOf, serverWith } from './support.ts'

describe('placeholders in code', () => {
  it('match parameters in every common syntax', () => {
    const find = finderOf([{ endpoint: 'get /users/{id}/items' }])
    const spellings = [
      '$' + '{user.id}',
      '$' + '{a / b ? c : { d }}',
      '{id}',
      '{{ id }}',
      ':id',
      '<int:id>',
      '%s',
      '%d',
      '%(id)s',
      '#{id}',
      '%{id}',
      '%7Bid%7D',
      '$id',
      '[id]',
    ]
    for (const text of spellings) {
      expect(find(`GET https://api.acme.io/users/${text}/items`)).toBe('get /users/{id}/items')
    }
  })

  it('prefer a parameter to a literal', () => {
    const find = finderOf([{ endpoint: 'get /users/me' }, { endpoint: 'get /users/{id}' }])
    expect(find('GET https://api.acme.io/users/{id}')).toBe('get /users/{id}')
  })

  it('match a single literal, or the API if there are several', () => {
    const find = finderOf([
      { endpoint: 'get /v1/users' },
      { endpoint: 'get /v1/orders' },
      { endpoint: 'get /v1/orders/last' },
    ])
    expect(find('GET https://api.acme.io/v{version}/users')).toBe('get /v1/users')
    expect(find('GET https://api.acme.io/v1/{kind}/last')).toBe('get /v1/orders/last')
    expect(find('GET https://api.acme.io/v1/{kind}')).toBe('api 1')
    expect(find('GET https://api.acme.io/x{version}/users')).toBe('api 1')
  })

  it('match hosts with variables, and no others', () => {
    const values = { name: 'region', default: 'eu', values: ['eu', 'us'] }
    const find = finderOf([
      { endpoint: 'get /open', server: 'https://{tenant}.acme.io' },
      { endpoint: 'get /closed', server: serverWith('https://{region}.geo.io', values) },
      { endpoint: 'get /plain', server: 'https://api.plain.io' },
    ])
    expect(find('GET https://%s.acme.io/open')).toBe('get /open')
    expect(find('GET https://{r}.geo.io/closed')).toBe('get /closed')
    expect(find('GET https://{sub}.plain.io/plain')).toBeUndefined()
    expect(find('GET {scheme}://api.plain.io/plain')).toBe('get /plain')
    expect(find('GET https://api.plain.io:{port}/plain')).toBe('get /plain')
  })

  it('do not match in place of the host', () => {
    const find = finderOf([{ endpoint: 'get /users' }])
    expect(find('GET {base}/users')).toBeUndefined()
    expect(find('GET https://{host}/users')).toBeUndefined()
    expect(find('GET /users')).toBeUndefined()
    expect(find('GET users/5')).toBeUndefined()
  })

  it('are not recognised in percent-encoded bytes', () => {
    const find = finderOf([{ endpoint: 'get /д/users' }])
    expect(find('GET https://api.acme.io/%d0%b4/users')).toBe('get /д/users')
  })

  it('are supported in URLs without a scheme', () => {
    const find = finderOf([{ endpoint: 'get /users' }])
    expect(find('GET api.acme.io/users')).toBe('get /users')
    expect(find('GET //api.acme.io/users')).toBe('get /users')
    expect(find('GET api.acme.io:443/users')).toBe('get /users')
    expect(find('GET mailto:users@api.acme.io')).toBeUndefined()
  })
})
