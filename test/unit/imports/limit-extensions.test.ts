import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readLimitExtensions } from '../../../core/imports/extract/rate-limits.ts'
import { isObject } from '../../../core/schemas/values.ts'

const SECOND = 1000
const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000

type Limit = readonly [calls: number, windowMs?: number]

function readLimits(owner: Record<string, unknown>): readonly Limit[] {
  const limits = readLimitExtensions(owner, (value) => (isObject(value) ? value : undefined))
  return limits.map(({ calls, windowMs }) => (windowMs === undefined ? [calls] : [calls, windowMs]))
}

const SHAPES: readonly (readonly [name: string, value: unknown, ...limits: Limit[]])[] = [
  ['x-rateLimit', 100, [100]],
  ['x-ratelimit', '100', [100]],
  ['x-rate-limit', '120/min', [120, MINUTE]],
  ['x-rateLimit', '120 requests/minute/IP', [120, MINUTE]],
  ['x-rate-limit', { requests: 1000, window: 60 }, [1000, MINUTE]],
  ['x-rate-limit', { max: 10, window: 60_000 }, [10, MINUTE]],
  ['x-rate-limit', { enabled: true, events: 1000, window: '1m' }, [1000, MINUTE]],
  ['x-rateLimit', { limit: 5, window: '15 minutes', scope: 'ip' }, [5, 15 * MINUTE]],
  ['x-rateLimit', { limit: 1000, period: 'hour' }, [1000, HOUR]],
  ['x-ratelimit', { windowMs: 3_600_000, max: 5, reason: '1 per day' }, [5, HOUR]],
  ['x-ratelimit', { max: 5, decay_seconds: 90 }, [5, 90 * SECOND]],
  ['x-rateLimiting', { windowMs: '15 minutes', maxRequests: 100 }, [100, 15 * MINUTE]],
  ['x-rate-limit', { limit: '100/hour' }, [100, HOUR]],
  ['x-rate-limit', { limit: 10, period: 'PT30S' }, [10, 30 * SECOND]],
  [
    'x-ratelimit',
    [
      [100, 60],
      [800, 3600],
    ],
    [100, MINUTE],
    [800, HOUR],
  ],
  [
    'x-rate-limits',
    [
      { limit: 1, per: 'second' },
      { limit: 90, per: 'day' },
    ],
    [1, SECOND],
    [90, DAY],
  ],
  ['x-ratelimits', { requestsPerMinute: 60, requests_per_day: 5000 }, [60, MINUTE], [5000, DAY]],
  ['x-throttling', { rps: 5 }, [5, SECOND]],
  ['x-quota', { limit: 100, unit: 'day' }, [100, DAY]],
  ['x-throttling-tier', '10KPerMin', [10_000, MINUTE]],
  ['x-wso2-throttling-tier', '50PerHour', [50, HOUR]],
  [
    'x-throttling-info',
    [{ type: 'time', numberOfRequests: 400, numberOfTimeUnits: 2, timeUnit: 's' }],
    [400, 2 * SECOND],
  ],
  ['x-kong-plugin-rate-limiting', { config: { minute: 6, hour: 100 } }, [6, MINUTE], [100, HOUR]],
  [
    'x-kong-plugin-rate-limiting-advanced',
    { config: { limit: [10, 200], window_size: [1, 60] } },
    [10, SECOND],
    [200, MINUTE],
  ],
  ['x-apisix-plugins', { 'limit-count': { count: 2, time_window: 60 } }, [2, MINUTE]],
  ['x-apisix-plugins', { 'limit-req': { rate: 3, burst: 9 }, cors: {} }, [3, SECOND]],
  ['x-yc-apigateway-rate-limit', { allRequests: { rps: 2, burst: 5 } }, [2, SECOND]],
  [
    'x-kuadrant',
    { rate_limit: { rates: [{ limit: 1, duration: 10, unit: 'second' }] } },
    [1, 10 * SECOND],
  ],
  ['x-tyk-api-gateway', { upstream: { rateLimit: { rate: 10, per: '1m' } } }, [10, MINUTE]],
  ['x-acme-rate-limits', { perApiKeyOwner: { period: 'MINUTE', maxInPeriod: 300 } }, [300, MINUTE]],
  ['x-rateLimit', { description: 'Free keys: 100 requests/month.' }, [100, 30 * DAY]],
]

const NOTHING: readonly (readonly [name: string, value: unknown])[] = [
  ['x-throttling-tier', 'Unlimited'],
  ['x-throttling-tier', '20'],
  ['x-rate-limit', { enabled: false, requests: 10, window: 60 }],
  ['x-rate-limit', { limit: 100, type: 'tokens', window: 60 }],
  ['x-quota', { limit: 5, unit: 'GB' }],
  ['x-rate-limit', { limit: 0, window: 60 }],
  ['x-rate-limit', { limit: -1 }],
  ['x-rate-limit', null],
  ['x-rate-limit', true],
  ['x-ratelimit', { 'mastery/query': { requests: 50, window: '60s' } }],
  ['x-ratelimit-category', 'reads'],
  ['x-page-limit', 100],
  ['x-disk-quota', 100],
  ['x-kong-plugin-jwt', { config: { minute: 1 } }],
  ['rate-limit', 100],
]

describe('the extensions of a description', () => {
  for (const [name, value, ...limits] of SHAPES) {
    it(`declare a limit: ${name} ${JSON.stringify(value)}`, () => {
      expect(readLimits({ [name]: value })).toEqual(limits)
    })
  }

  for (const [name, value] of NOTHING) {
    it(`declare no limit: ${name} ${JSON.stringify(value)}`, () => {
      expect(readLimits({ [name]: value })).toEqual([])
    })
  }

  it('declare one limit in several members', () => {
    const flat = { 'x-ratelimit-permit-limit': 30, 'x-ratelimit-window-seconds': 10 }
    expect(readLimits({ summary: 'x', ...flat, 'x-ratelimit-enabled': true })).toEqual([
      [30, 10_000],
    ])
    expect(readLimits({ ...flat, 'x-ratelimit-enabled': false })).toEqual([])
  })

  it('are named as written, and resolved if they are references', () => {
    const target = { requests: 3, window: '1s' }
    const found = readLimitExtensions({ 'x-Rate-Limit': { $ref: '#/x' } }, () => target)
    expect(found).toEqual([{ calls: 3, windowMs: SECOND, name: 'x-Rate-Limit' }])
    expect(readLimitExtensions({ 'x-rate-limit': { $ref: '#/none' } }, () => undefined)).toEqual([])
  })

  it('are read to a maximum depth, and for at most eight limits', () => {
    let nested: unknown = { limit: 1, window: 1 }
    for (let depth = 0; depth < 50; depth += 1) nested = { limits: nested }
    expect(readLimits({ 'x-rate-limit': nested })).toEqual([])
    const many = Array.from({ length: 1000 }, (_, at) => ({ limit: at + 1, window: 1 }))
    expect(readLimits({ 'x-rate-limit': many }).length).toBe(8)
  })

  it('are read without errors, regardless of their content', () => {
    const names = fc.constantFrom(
      ...'limit limits max rate requests window windowMs period unit timeUnit per config rates rps'
        .split(' ')
        .concat('minute', 'enabled', 'limit-count', 'window_size', 'quota', '__proto__'),
    )
    const { tree } = fc.letrec<{ tree: unknown; leaf: unknown }>((tie) => ({
      leaf: fc.oneof(
        fc.constantFrom<unknown>('1m', 'second', '5/min', '10KPerMin', '7', null, true, 1e300, 0.5),
        fc.integer(),
        fc.double(),
        fc.string({ maxLength: 5 }),
      ),
      tree: fc.oneof(
        { maxDepth: 5, withCrossShrink: true },
        tie('leaf'),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(names, tie('tree'), { maxKeys: 5 }),
      ),
    }))
    const keys = fc.constantFrom(
      'x-rate-limit',
      'x-throttling-tier',
      'x-ratelimit-limit',
      'x-quota',
    )
    fc.assert(
      fc.property(fc.dictionary(keys, tree, { minKeys: 1 }), (owner) => {
        const limits = readLimitExtensions(owner, (value) => (isObject(value) ? value : undefined))
        expect(limits.length).toBeLessThan(9)
        for (const { calls, windowMs = 1 } of limits) {
          expect(Number.isSafeInteger(calls) && calls >= 1 && calls <= 1e9).toBe(true)
          expect(Number.isSafeInteger(windowMs) && windowMs >= 1).toBe(true)
        }
      }),
      { seed: 6, numRuns: 1000 },
    )
  })
})
