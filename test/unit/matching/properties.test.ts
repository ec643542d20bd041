import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MatchableEndpoint } from '../../../core/matching/match.ts'
import { createMatcher } from '../../../core/matching/matcher.ts'
import { codePoint } from '../../helpers/code-point.ts'
import { runs } from '../../helpers/runs.ts'
import { expectedEndpoint, type SampleEndpoint, toMatchable } from './reference.ts'

const RUNS = { seed: 20_261_121, numRuns: runs(1000) }

const segment = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('a', 'b', 'users', 'größe', 'a b', '50%', 'v1') },
  { weight: 4, arbitrary: fc.constant('{p}') },
  {
    weight: 3,
    arbitrary: fc.constantFrom('{p}.json', '{p}-{q}', 'v{p}', '{p}:run', '{p}{q}', 'a{p}b{q}c'),
  },
)
const sample: fc.Arbitrary<SampleEndpoint> = fc.record({
  apiId: fc.integer({ min: 1, max: 4 }),
  host: fc.constantFrom('api.acme.io', 'other.io', 'xn--mnchen-3ya.de'),
  base: fc.array(segment, { maxLength: 2 }),
  path: fc.array(segment, { maxLength: 3 }),
  hasSlash: fc.boolean(),
  method: fc.constantFrom('get', 'post', 'head', 'query'),
})
const catalogue = fc.array(sample, { minLength: 1, maxLength: 30 })

/** An arbitrary value of a path parameter. */
const value = fc
  .oneof(
    fc.string({ unit: codePoint, minLength: 1, maxLength: 12 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
    fc.constantFrom('a', 'users', 'v1', 'x.json', 'a-b', 'x:run', '100%', 'a/b', '{id}', '..x'),
  )
  .filter((text) => text !== '.' && text !== '..')

describe('properties of the matcher', () => {
  it('finds every endpoint by its URL with random values, or the more literal sibling', () => {
    const property = fc.property(
      catalogue,
      fc.array(value, { minLength: 12, maxLength: 12 }),
      expectMatches,
    )
    fc.assert(property, RUNS)
  })

  it('does not change a match when other hosts are added, and restores it after removal', () => {
    const property = fc.property(
      catalogue,
      catalogue,
      fc.array(value, FIVE),
      (own, more, values) => {
        const matcher = createMatcher()
        matcher.addEndpoints(own.map(toMatchable))
        const urls = own.map((endpoint) => toEndpointUrl(endpoint, values))
        const before = urls.map((url) => matcher.match({ url }))
        const others = more.map((endpoint, index) => ({
          ...toMatchable({ ...endpoint, apiId: 100 + endpoint.apiId }, index + 1000),
          servers: [{ url: `https://{t}.unrelated.net/${index % 2}`, name: '', variables: [] }],
        }))
        matcher.addEndpoints(others)
        expect(urls.map((url) => matcher.match({ url }))).toEqual(before)
        const guests = more.map((endpoint, index) =>
          toMatchable({ ...endpoint, apiId: 200 + endpoint.apiId }, index + 2000),
        )
        matcher.addEndpoints(guests)
        for (const apiId of [201, 202, 203, 204]) matcher.replaceApi(apiId, [])
        expect(urls.map((url) => matcher.match({ url }))).toEqual(before)
      },
    )
    fc.assert(property, { ...RUNS, numRuns: runs(150) })
  })

  it('does not depend on the order in which endpoints were added', () => {
    const shuffled = catalogue.chain((own) => {
      const endpoints = own.map(toMatchable)
      const order = fc.shuffledSubarray(endpoints, { minLength: own.length })
      return fc.record({ own: fc.constant(own), order })
    })
    const property = fc.property(shuffled, fc.array(value, FIVE), ({ own, order }, values) => {
      const one = matcherOf(own.map(toMatchable))
      const other = matcherOf(order)
      for (const endpoint of own) {
        const url = toEndpointUrl(endpoint, values)
        expect(other.match({ url })).toEqual(one.match({ url }))
        const loose = url.replace(/[^/]+\/?$/, '<x>')
        expect(other.match({ url: loose })).toEqual(one.match({ url: loose }))
      }
    })
    fc.assert(property, { ...RUNS, numRuns: runs(150) })
  })

  it('handles any text and any description without throwing', () => {
    const text = fc.oneof(fc.string({ unit: codePoint }), fc.webUrl(), urlLike())
    const property = fc.property(text, text, fc.string(), (url, path, method) => {
      const endpoint = toMatchable(SAMPLE, 0)
      const server = { url, name: '', variables: [{ name: path, default: url, values: [] }] }
      const matcher = matcherOf([endpoint, { ...endpoint, id: 2, path, servers: [server] }])
      matcher.match({ url, method })
      matcher.match({ url: path })
      matcher.match({ host: url, path, scheme: method, port: url.length })
      matcher.replaceApi(endpoint.apiId, [])
      expect(matcher.size()).toEqual({ endpoints: 0, hosts: 0 })
    })
    fc.assert(property, { ...RUNS, numRuns: runs(2000) })
  })
})

const FIVE = { minLength: 5, maxLength: 5 }
const SAMPLE: SampleEndpoint = {
  apiId: 1,
  host: 'api.acme.io',
  base: [],
  path: ['a', '{p}'],
  hasSlash: false,
  method: 'get',
}

function expectMatches(own: readonly SampleEndpoint[], values: readonly string[]): void {
  const matcher = matcherOf(own.map(toMatchable))
  for (const endpoint of own) {
    const segments = fillSegments(endpoint, values)
    const url = toEndpointUrl(endpoint, values)
    const request = { ...endpoint, segments }
    const match = matcher.match({ method: endpoint.method.toUpperCase(), url })
    expect({ url, endpointId: match?.endpointId, level: match?.level }).toEqual({
      url,
      endpointId: expectedEndpoint(own, request),
      level: 'endpoint',
    })
  }
}

function matcherOf(endpoints: readonly MatchableEndpoint[]) {
  const matcher = createMatcher()
  matcher.addEndpoints(endpoints)
  return matcher
}

function fillSegments(endpoint: SampleEndpoint, values: readonly string[]): readonly string[] {
  let next = 0
  return [...endpoint.base, ...endpoint.path].map((part) =>
    part.replace(/\{\w\}/g, () => {
      next += 1
      return values[(next - 1) % values.length] ?? 'x'
    }),
  )
}

function toEndpointUrl(endpoint: SampleEndpoint, values: readonly string[]): string {
  const segments = fillSegments(endpoint, values).map(encodeURIComponent)
  const slash = endpoint.hasSlash && segments.length > 0 ? '/' : ''
  return `https://${endpoint.host}/${segments.join('/')}${slash}`
}

function urlLike(): fc.Arbitrary<string> {
  const piece = fc.constantFrom(
    ...['http', '://', '/', '//', '{', '}', '<', '>', '%', '$', '?', '#', ':', '@', '[', ']'],
    ...['*', '.', '..', 'a', 'io', '\\', '\0', '\u0001', '%00', '%7B', '{a+}', 'acme', '80'],
  )
  return fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''))
}
