import { describe, expect, it } from 'vitest'
import { buildMatcher, createMatcher } from '../../../core/matching/matcher.ts'
import { type Line, serverWith, toEndpoints } from './support.ts'

const region = {
  name: 'region',
  default: 'r0',
  values: Array.from({ length: 20 }, (_, index) => `r${index}`),
}
const LINES: readonly Line[] = [
  { api: 1, endpoint: 'get /users/{id}' },
  { api: 1, endpoint: 'get /users/{id}.json' },
  { api: 1, endpoint: 'post /users' },
  { api: 2, endpoint: 'get /users/me' },
  { api: 3, endpoint: 'get /x', server: 'https://{tenant}.acme.io' },
  { api: 4, endpoint: 'get /y', server: serverWith('https://{region}.geo.io', region) },
  { api: 4, endpoint: 'put /y', server: serverWith('https://{region}.geo.io', region) },
]
const URLS = [
  'https://api.acme.io/users/me',
  'https://api.acme.io/users/5.json',
  'https://api.acme.io/users',
  'https://api.acme.io/',
  'https://one.acme.io/x',
  'https://r7.geo.io/y',
  'https://{r}.geo.io/y',
]

describe('updates of a matcher', () => {
  it('produce the same matches regardless of the order of endpoints', async () => {
    const all = toEndpoints(LINES)
    const pages = [all.slice(5), all.slice(2, 5).toReversed(), all.slice(0, 2)]
    const built = await buildMatcher(toPages(pages))
    const added = createMatcher()
    added.addEndpoints(all)
    expect(URLS.map((url) => built.match({ url }))).toEqual(URLS.map((url) => added.match({ url })))
    expect(built.size()).toEqual({ endpoints: 7, hosts: 23 })
  })

  it('remove an API without endpoints, and restore it when it is added again', () => {
    const all = toEndpoints(LINES)
    const matcher = createMatcher()
    matcher.addEndpoints(all)
    const before = URLS.map((url) => matcher.match({ url }))
    for (const apiId of [1, 2, 3, 4]) {
      const own = all.filter((endpoint) => endpoint.apiId === apiId)
      matcher.replaceApi(apiId, [])
      const known = URLS.flatMap((url) => {
        const match = matcher.match({ url })
        return match ? [match.apiId, ...match.alternatives.map((other) => other.apiId)] : []
      })
      expect(known).not.toContain(apiId)
      matcher.replaceApi(apiId, own)
      expect(URLS.map((url) => matcher.match({ url }))).toEqual(before)
    }
    for (const apiId of [4, 3, 2, 1]) matcher.replaceApi(apiId, [])
    expect(matcher.size()).toEqual({ endpoints: 0, hosts: 0 })
    expect(URLS.map((url) => matcher.match({ url }))).toEqual(URLS.map(() => undefined))
  })

  it('apply changed endpoints, servers and names', () => {
    const matcher = createMatcher()
    matcher.addEndpoints(toEndpoints(LINES))
    const [moved] = toEndpoints([{ api: 1, endpoint: 'get /people', server: 'https://new.io' }])
    matcher.replaceApi(1, moved ? [{ ...moved, apiName: 'People' }] : [])
    expect(matcher.match({ method: 'POST', url: 'https://api.acme.io/users' })?.apiId).toBe(2)
    expect(matcher.match({ url: 'https://new.io/people' })?.apiName).toBe('People')
  })

  it('ignore the replacement of an unknown API by no endpoints', () => {
    const matcher = createMatcher()
    matcher.replaceApi(99, [])
    expect(matcher.size()).toEqual({ endpoints: 0, hosts: 0 })
  })
})

async function* toPages<T>(pages: readonly (readonly T[])[]) {
  yield* pages
}
