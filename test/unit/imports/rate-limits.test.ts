import { describe, expect, it } from 'vitest'
import type { DeclaredRateLimits } from '../../../core/catalogue/records.ts'
import { parseInline } from '../../../core/imports/parse-description.ts'

type Json = Readonly<Record<string, unknown>>

const MINUTE = 60_000
const VERSIONS = [
  { swagger: '2.0' },
  ...['3.0.3', '3.1.0', '3.2.0'].map((openapi) => ({ openapi })),
]
const TEXT = { type: 'string', schema: { type: 'integer' } }

function parseDocument(document: Json) {
  const info = { title: 'Tides', version: '1' }
  const bytes = new TextEncoder().encode(JSON.stringify({ openapi: '3.1.0', info, ...document }))
  return parseInline({ bytes, options: {} })
}

/** Returns the stored limits of each endpoint by its key. */
function readLimits(document: Json): Record<string, DeclaredRateLimits | undefined> {
  return Object.fromEntries(
    parseDocument(document).endpoints.map(({ key, rateLimits }) => [key, rateLimits]),
  )
}

describe('the limits of a description', () => {
  for (const version of VERSIONS) {
    it(`are read from headers, extensions and prose: ${JSON.stringify(version)}`, () => {
      const limited = { description: 'Too many', headers: { 'Retry-After': TEXT } }
      const found = readLimits({
        ...version,
        paths: {
          '/tides': {
            get: {
              description: 'At most 10 requests per minute.',
              'x-rateLimit': { requests: 3, window: '1s' },
              responses: {
                200: { description: '', headers: { 'X-RateLimit-Limit': TEXT, ETag: TEXT } },
                429: limited,
              },
            },
            put: { responses: { 200: { description: '' } } },
          },
        },
      })
      expect(found).toEqual({
        'get /tides': {
          headers: ['x-ratelimit-limit', 'retry-after'],
          limits: [
            { calls: 3, windowMs: 1000, source: 'x-rateLimit of the operation' },
            { calls: 10, windowMs: MINUTE, source: 'words of the operation' },
          ],
        },
        'put /tides': undefined,
      })
    })
  }

  it('are sorted nearest first, and the nearest extension overrides the others', () => {
    const found = readLimits({
      info: { title: 'Tides', version: '1', description: 'Limited to 5 requests per hour.' },
      'x-rate-limit': 500,
      tags: [
        { name: 'sea', description: 'Limited to 4 requests per hour.' },
        { name: 'moon', description: 'Limited to 9 requests per hour.' },
      ],
      paths: {
        '/own': {
          description: 'Limited to 3 requests per hour.',
          'x-rate-limit': 300,
          get: {
            tags: ['sea'],
            summary: 'Limited to 1 request per hour',
            'x-rate-limit': 100,
            responses: { 429: { description: 'Limited to 2 requests per hour.' } },
          },
          put: {},
        },
        '/none': { get: {} },
      },
    })
    const words = (calls: number, place: string) => ({
      calls,
      windowMs: 60 * MINUTE,
      source: `words of the ${place}`,
    })
    const whole = words(5, 'description')
    expect(found).toEqual({
      'get /own': {
        headers: [],
        limits: [
          { calls: 100, source: 'x-rate-limit of the operation' },
          words(1, 'operation'),
          words(2, 'answer 429'),
          words(3, 'path'),
          words(4, 'tag sea'),
          whole,
        ],
      },
      'put /own': {
        headers: [],
        limits: [{ calls: 300, source: 'x-rate-limit of the path' }, words(3, 'path'), whole],
      },
      'get /none': {
        headers: [],
        limits: [{ calls: 500, source: 'x-rate-limit of the description' }, whole],
      },
    })
  })

  it('are the same object for endpoints with equal limits', () => {
    const { endpoints } = parseDocument({
      'x-rate-limit': '5/min',
      paths: { '/a': { get: {} }, '/b': { get: {}, put: {} } },
    })
    expect(new Set(endpoints.map(({ rateLimits }) => rateLimits)).size).toBe(1)
    expect(endpoints[0]?.rateLimits?.limits).toEqual([
      { calls: 5, windowMs: MINUTE, source: 'x-rate-limit of the description' },
    ])
  })

  it('are found behind references, without a warning about dangling ones', () => {
    const { endpoints, report } = parseDocument({
      paths: {
        '/tides': {
          get: {
            'x-yc-apigateway-rate-limit': { $ref: '#/components/x-limits/slow' },
            responses: {
              200: { description: '' },
              400: { $ref: '#/components/responses/none' },
              404: { $ref: 'other.json#/responses/none' },
              429: { $ref: '#/components/responses/busy' },
              500: { $ref: '#/components/responses/loop' },
            },
          },
        },
      },
      components: {
        'x-limits': { slow: { allRequests: { rpm: 4 } } },
        responses: {
          busy: {
            description: 'Limited to 6 requests per minute.',
            headers: { 'RateLimit-Policy': TEXT, RateLimit: TEXT },
          },
          loop: { $ref: '#/components/responses/loop' },
        },
      },
    })
    expect(endpoints[0]?.rateLimits).toEqual({
      headers: ['ratelimit-policy', 'ratelimit'],
      limits: [
        { calls: 4, windowMs: MINUTE, source: 'x-yc-apigateway-rate-limit of the operation' },
        { calls: 6, windowMs: MINUTE, source: 'words of the answer 429' },
      ],
    })
    expect(report.warnings).toEqual([])
  })

  it('exclude delays for other reasons, and calls by the vendor', () => {
    const answers = { 202: { description: '', headers: { 'Retry-After': TEXT } } }
    const found = readLimits({
      'x-rate-limit': 5,
      paths: { '/jobs': { post: { 'x-rate-limit': false, responses: answers } } },
      webhooks: { done: { post: { description: 'At most 2 calls per second.' } } },
    })
    expect(found).toEqual({
      'post /jobs': {
        headers: [],
        limits: [{ calls: 5, source: 'x-rate-limit of the description' }],
      },
      'webhook post done': undefined,
    })
  })

  it('are bounded for each endpoint', () => {
    const headers = Object.fromEntries(
      Array.from({ length: 99 }, (_, at) => [`X-RateLimit-Limit-${at}`, TEXT]),
    )
    const name = 'n'.repeat(5000)
    const found = readLimits({
      tags: [{ name, description: 'Limited to 7 requests per hour.' }],
      paths: {
        '/tides': {
          get: {
            tags: [name],
            description: Array.from({ length: 99 }, (_, at) => `max ${at + 1} requests/s.`).join(
              ' ',
            ),
            responses: { 200: { description: '', headers } },
          },
          put: { tags: [name] },
        },
      },
    })
    expect(found['get /tides']?.headers.length).toBe(16)
    expect(found['get /tides']?.limits.length).toBe(8)
    expect(found['put /tides']?.limits[0]?.source).toBe(`words of the tag ${'n'.repeat(60)}`)
  })

  it('in parts shared by thousands are read once', () => {
    const words = 'We send 5 calls per day and 7 requests per hour. '.repeat(5000)
    const members = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, TEXT]))
    const item = {
      description: `${words} Limited to 3 requests per second.`,
      'x-rate-limit': Array.from({ length: 500 }, () => [{ limits: [{ limits: [{}] }] }]),
      get: {
        description: 'Reads.',
        ...members(5000),
        responses: {
          200: { description: '', headers: { ...members(5000), 'Retry-After-Ms': TEXT } },
          429: { $ref: '#/components/responses/busy' },
        },
      },
    }
    const found = readLimits({
      paths: Object.fromEntries(
        Array.from({ length: 3000 }, (_, at) => [
          `/tides/${at}`,
          { $ref: '#/components/pathItems/tides', summary: 'Tides' },
        ]),
      ),
      components: {
        pathItems: { tides: item },
        responses: { busy: { description: `${words} Limited to 2 requests per second.` } },
      },
    })
    expect(Object.keys(found).length).toBe(3000)
    expect(found['get /tides/2999']).toEqual({
      headers: [],
      limits: [
        { calls: 2, windowMs: 1000, source: 'words of the answer 429' },
        { calls: 3, windowMs: 1000, source: 'words of the path' },
      ],
    })
  })
})
