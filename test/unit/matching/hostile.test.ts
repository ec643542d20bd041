import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseLocation } from '../../../core/matching/locations.ts'
import { createMatcher } from '../../../core/matching/matcher.ts'
import { matcherOf, toEndpoints } from './support.ts'

const URL_TESTS = '../shared/data/hostile/urltestdata.json'
const WEB = /^\s*(?:https?|wss?):\/\//i

interface UrlTest {
  readonly input: string
  readonly base: string | null
  readonly failure?: boolean
  readonly hostname: string
  readonly port: string
  readonly pathname: string
}

describe('hostile input', () => {
  it('parses the URLs of the web platform tests like browsers', (context) => {
    if (!existsSync(URL_TESTS)) return context.skip(`There is no ${URL_TESTS}`)
    const tests = readTests()
    const matcher = matcherOf([
      { endpoint: 'get /{x}', server: 'http://{t}.example.com' },
      { endpoint: 'get /{y}', server: 'http://example.org' },
    ])
    for (const test of tests) {
      matcher.match({ url: test.input })
      matcher.match({ host: test.input, path: test.input, scheme: test.input })
      createMatcher().addEndpoints(toEndpoints([{ endpoint: 'get /', server: test.input }]))
    }
    // Hosts that consist of dots are excluded, and braces, which are placeholders here.
    const isOdd = (test: UrlTest) => /^\.|\.\.|\{/.test(test.hostname)
    const isWeb = (test: UrlTest) => test.failure !== true && WEB.test(test.input)
    const valid = tests.filter((test) => isWeb(test) && !isOdd(test))
    const wrong = valid.filter((test) => {
      const location = parseLocation(test.input)
      const host = test.hostname.replace(/\.$/, '')
      return location?.host !== host || location.port !== test.port
    })
    console.log(`${tests.length} URL tests, ${valid.length} compared, ${wrong.length} differ`)
    expect(wrong.map((test) => test.input)).toEqual([])
  })

  it('stops if the catalogue matches a path in very many ways', () => {
    const paths = Array.from({ length: 2 ** 13 }, (_, index) =>
      Array.from({ length: 13 }, (_, bit) => ((index >> bit) & 1 ? '/{x}' : '/a')).join(''),
    )
    const matcher = matcherOf(paths.map((path) => ({ endpoint: `get ${path}/end` })))
    const host = 'https://api.acme.io'
    const url = host + '/a'.repeat(13)
    expect(matcher.match({ method: 'GET', url: `${url}/end` })?.confidence).toBe(1)
    expect(matcher.match({ method: 'GET', url: `${url}/other` })?.level).toBe('api')
    expect(matcher.match({ method: 'PUT', url: `${url}/end` })?.level).toBe('api')
    expect(matcher.match({ url: host + '/<a>'.repeat(13) })?.level).toBe('api')
  })

  it('handles thousands of endpoints, patterns and APIs on one host', () => {
    const lines = Array.from({ length: 5000 }, (_, index) => [
      { api: index, endpoint: `get /asked?q={q}&n=${index}&r`, server: 'https://one.acme.io' },
      { api: index, endpoint: 'get /same', server: 'https://one.acme.io' },
      { api: index, endpoint: `get /parts/{a}x${index}{b}y`, server: 'https://one.acme.io' },
      { api: index, endpoint: 'get /host', server: `https://{a}-${index}.acme.io` },
    ]).flat()
    const matcher = matcherOf(lines)
    const match = matcher.match({ method: 'GET', url: 'https://one.acme.io/same' })
    expect([match?.endpointId, match?.alternatives.length]).toEqual([2, 5])
    const query = `${'q=1&'.repeat(2000)}n=77&r`
    const asked = matcher.match({ url: `https://one.acme.io/asked?${query}` })
    expect(asked?.endpointId).toBe(77 * 4 + 1)
    const part = matcher.match({ method: 'GET', url: 'https://one.acme.io/parts/0x4999zy' })
    expect(part?.endpointId).toBe(4999 * 4 + 3)
    expect(matcher.match({ url: 'https://one.acme.io/parts/none' })?.level).toBe('api')
    expect(matcher.match({ url: 'https://zzz.acme.io/host' })).toBeUndefined()
    for (let api = 0; api < 5000; api += 1) matcher.replaceApi(api, [])
    expect(matcher.size()).toEqual({ endpoints: 0, hosts: 0 })
  })

  it('expands a server with many variables and values to a bounded number of hosts', () => {
    const names = Array.from({ length: 30 }, (_, index) => `v${index}`)
    const values = Array.from({ length: 300 }, (_, index) => `x${index}`)
    const [endpoint] = toEndpoints([{ endpoint: 'get /users' }])
    const matcher = createMatcher()
    const url = `https://${names.map((name) => `{${name}}`).join('.')}.acme.io`
    const variables = names.map((name) => ({ name, default: 'x0', values }))
    const servers = Array.from({ length: 500 }, () => ({ url, name: '', variables }))
    matcher.addEndpoints(endpoint ? [{ ...endpoint, servers }] : [])
    expect(matcher.size().hosts).toBeLessThan(300)
  })

  it('limits the work for servers with thousands of variables and for many server lists', () => {
    const toServers = (first: number) =>
      Array.from({ length: 64 }, (_, at) => {
        const url = `https://h${first + at}.acme.io/${'{a}/'.repeat(at % 2 ? 2 : 1500)}`
        const values = Array.from({ length: 11 }, (_, value) => `v${value}`)
        return { url, name: '', variables: [{ name: 'a', default: 'v0', values }] }
      })
    const lists = Array.from({ length: 50 }, (_, at) => toServers(at * 64))
    const endpoints = toEndpoints(
      Array.from({ length: 1000 }, (_, at) => ({ endpoint: `get /p${at}` })),
    ).map((endpoint, at) => ({ ...endpoint, servers: lists[at % 50] ?? [] }))
    const matcher = createMatcher()
    matcher.addEndpoints(endpoints)
    const find = (url: string) => matcher.match({ method: 'GET', url })?.endpointId
    expect(find('https://h1.acme.io/v1/v10/p0')).toBe(1)
    expect(find('https://h3199.acme.io/v1/v10/p999')).toBe(1000)
    expect(matcher.size()).toEqual({ endpoints: 1000, hosts: 1600 })
  })

  it('treats names of object members and odd methods as plain strings', () => {
    const matcher = matcherOf([{ endpoint: '__proto__ /__proto__/constructor' }])
    const url = 'https://api.acme.io/__proto__/constructor'
    expect(matcher.match({ method: '__proto__', url })?.endpointId).toBe(1)
    expect(matcher.match({ method: 'get', url: 'https://__proto__/x' })).toBeUndefined()
  })
})

function readTests(): readonly UrlTest[] {
  const entries: readonly (UrlTest | string)[] = JSON.parse(readFileSync(URL_TESTS, 'utf8'))
  return entries.filter((entry) => typeof entry !== 'string')
}
