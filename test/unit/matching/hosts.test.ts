import { describe, expect, it } from 'vitest'
import { finderOf, matcherOf, serverWith } from './support.ts'

const USERS = { endpoint: 'get /users' }

describe('hosts', () => {
  it('are compared as normalised by the URL standard', () => {
    const find = finderOf([
      { ...USERS, server: 'https://API.Acme.io./' },
      { endpoint: 'get /b', server: 'https://münchen.acme.io' },
      { endpoint: 'get /c', server: 'http://192.0.2.33' },
      { endpoint: 'get /d', server: 'http://[2001:DB8:0::1]' },
    ])
    expect(find('GET https://api.acme.io/users')).toBe('get /users')
    expect(find('GET HTTPS://user:pw@API.ACME.IO.:443/users')).toBe('get /users')
    expect(find('GET \thttps:\\\\api.acme.io\\users ')).toBe('get /users')
    expect(find('GET https://%61pi.acme.io/users')).toBe('get /users')
    expect(find('GET https://xn--mnchen-3ya.acme.io/b')).toBe('get /b')
    expect(find('GET https://MÜNCHEN.acme.io/b')).toBe('get /b')
    expect(find('GET http://0xC0.0.0x221/c')).toBe('get /c')
    expect(find('GET http://[2001:db8::1]/d')).toBe('get /d')
  })

  it('are equal with and without a default port, but not with other ports', () => {
    const find = finderOf([USERS, { endpoint: 'get /alt', server: 'https://api.acme.io:8443' }])
    expect(find('GET http://api.acme.io/users')).toBe('get /users')
    expect(find('GET wss://api.acme.io:443/users')).toBe('get /users')
    expect(find('GET https://api.acme.io:8443/alt')).toBe('get /alt')
    expect(find('GET https://api.acme.io:9443/users')).toBeUndefined()
    expect(find('GET https://api.acme.io/alt')).toBe('api 1')
  })

  it('do not match a parent, a sibling or a longer name', () => {
    const find = finderOf([USERS])
    for (const host of ['acme.io', 'www.acme.io', 'api.acme.io.evil.io', 'x.api.acme.io', 'io']) {
      expect(find(`GET https://${host}/users`)).toBeUndefined()
    }
  })

  it('match any label for free variables and stars, but variable values literally', () => {
    const region = { name: 'region', default: 'eu', values: ['eu', 'us'] }
    const find = finderOf([
      { ...USERS, server: 'https://{tenant}.acme.io' },
      { endpoint: 'get /star', server: 'https://*.star.io' },
      { endpoint: 'get /region', server: serverWith('https://{region}.geo.io', region) },
      { endpoint: 'get /part', server: 'https://api-{zone}.part.io/v1' },
      { endpoint: 'get /port', server: 'https://port.io:{port}' },
      { endpoint: 'get /example', server: 'https://{tenant}.example.com' },
    ])
    expect(find('GET https://one.acme.io/users')).toBe('get /users')
    expect(find('GET https://one.two.acme.io/users')).toBe('get /users')
    expect(find('GET https://acme.io/users')).toBeUndefined()
    expect(find('GET https://x.star.io/star')).toBe('get /star')
    expect(find('GET https://us.geo.io/region')).toBe('get /region')
    expect(find('GET https://asia.geo.io/region')).toBeUndefined()
    expect(find('GET https://api-7.part.io/v1/part')).toBe('get /part')
    expect(find('GET https://api-.part.io/v1/part')).toBeUndefined()
    expect(find('GET https://port.io:1234/port')).toBe('get /port')
    expect(find('GET https://port.io/port')).toBe('get /port')
    expect(find('GET https://a.example.com/example')).toBe('get /example')
  })

  it('prefer literal hosts to values, values to patterns, and longer patterns to shorter ones', () => {
    const values = { name: 'x', default: 'b', values: ['b', 'api'] }
    const find = finderOf([
      { vendor: 'Acme', api: 1, endpoint: 'get /{any}', server: 'https://{x}.acme.io' },
      {
        vendor: 'Acme',
        api: 2,
        endpoint: 'get /{that}',
        server: serverWith('https://{x}.acme.io', values),
      },
      { vendor: 'Acme', api: 3, endpoint: 'get /{self}', server: 'https://api.acme.io' },
      { vendor: 'Acme', api: 4, endpoint: 'get /{deep}', server: 'https://{x}.deep.acme.io' },
    ])
    expect(find('GET https://api.acme.io/1')).toBe('get /{self}')
    expect(find('GET https://b.acme.io/1')).toBe('get /{that}')
    expect(find('GET https://c.acme.io/1')).toBe('get /{any}')
    expect(find('GET https://c.deep.acme.io/1')).toBe('get /{deep}')
  })

  it('that anyone may own match only by the default of their variable', () => {
    const preset = { name: 'host', default: 'api.acme.io', values: [] }
    const find = finderOf([
      { ...USERS, server: serverWith('https://{host}/v1', preset) },
      { endpoint: 'get /a', server: 'https://{tenant}.co.uk' },
      { endpoint: 'get /b', server: 'https://{tenant}.com' },
      { endpoint: 'get /c', server: 'https://api.{domain}' },
      { endpoint: 'get /d', server: 'http://{name}.localhost' },
      { endpoint: 'get /e', server: 'http://{a}.0.0.1' },
    ])
    expect(find('GET https://api.acme.io/v1/users')).toBe('get /users')
    expect(find('GET https://evil.io/v1/users')).toBeUndefined()
    expect(find('GET https://bank.co.uk/a')).toBeUndefined()
    expect(find('GET https://bank.com/b')).toBeUndefined()
    expect(find('GET https://api.bank.com/c')).toBeUndefined()
    expect(find('GET http://x.localhost/d')).toBeUndefined()
    expect(find('GET http://127.0.0.1/e')).toBeUndefined()
  })

  it('that are loopback or private match only if an endpoint matches', () => {
    const find = finderOf([
      { ...USERS, server: 'http://localhost:3000' },
      { endpoint: 'get /net', server: 'http://10.0.0.5' },
    ])
    expect(find('GET http://localhost:3000/users')).toBe('get /users')
    expect(find('GET http://localhost:3000/other')).toBeUndefined()
    expect(find('GET http://10.0.0.5/net')).toBe('get /net')
    expect(find('http://10.0.0.5')).toBeUndefined()
  })

  it('do not match relative servers and servers of other schemes', () => {
    const find = finderOf([
      { ...USERS, server: '/v1' },
      { endpoint: 'get /f', server: 'ftp://api.acme.io' },
      { endpoint: 'get /u', server: '{server}/v1' },
    ])
    expect(find('GET https://api.acme.io/v1/users')).toBeUndefined()
    expect(find('/v1/users')).toBeUndefined()
    expect(find('ftp://api.acme.io/f')).toBeUndefined()
  })

  it('match traffic by host, port, scheme and path', () => {
    const matcher = matcherOf([USERS, { endpoint: 'get /alt', server: 'http://api.acme.io:8080' }])
    const idOf = (query: Parameters<typeof matcher.match>[0]) => matcher.match(query)?.endpointId
    expect(idOf({ host: 'api.acme.io', path: '/users?page=1', method: 'GET' })).toBe(1)
    expect(idOf({ host: 'api.acme.io', port: 443, path: '/users', method: 'GET' })).toBe(1)
    expect(idOf({ host: 'api.acme.io:8080', path: '/alt', method: 'GET' })).toBe(2)
    expect(idOf({ host: 'API.acme.io', port: 8080, path: 'alt', method: 'GET' })).toBe(2)
    expect(idOf({ host: 'api.acme.io', port: 443, scheme: 'http', path: '/users' })).toBeUndefined()
    expect(matcher.match({ host: 'api.acme.io/users' })).toBeUndefined()
    expect(matcher.match({ host: '', path: '/users' })).toBeUndefined()
  })
})
