import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFailureLimiter, toAddressBlock } from '../../../core/accounts/failure-limiter.ts'
import { createRequestLimiter } from '../../../core/accounts/request-limiter.ts'
import { ServiceError } from '../../../core/errors.ts'
import { createBoundedMap } from '../../../core/shared/bounded-map.ts'
import { createManualClock } from '../../helpers/random.ts'

const POLICY = '"requests";q=3;w=60, "concurrency";q=2;qu="concurrent-requests"'
const LIMITS = { requests: { quota: 3, windowSeconds: 60 }, concurrency: 2 }

/** Returns code, message, delay and headers of the error that a call throws. */
function findRejection(call: () => unknown) {
  try {
    call()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { code, message, retryAfter, headers } = error
    return { code, message, retryAfter, headers }
  }
  return undefined
}

describe('request limiter', () => {
  it('admits everything without headers if no limit is set', () => {
    const limiter = createRequestLimiter({ concurrency: Infinity }, createManualClock())
    for (let request = 0; request < 1000; request += 1) {
      expect(limiter.enter('key_1').headers).toEqual({})
    }
  })

  it('allows 16 concurrent requests per key by default, and announces that only in refusals', () => {
    const limiter = createRequestLimiter({}, createManualClock())
    const running = Array.from({ length: 16 }, () => limiter.enter('key_1'))
    expect(running.map(({ headers }) => headers)).toEqual(running.map(() => ({})))
    expect(findRejection(() => limiter.enter('key_1'))).toEqual({
      code: 'too_many_requests',
      message: 'Request limit reached: a key may send at most 16 requests at a time',
      retryAfter: 1,
      headers: {
        'ratelimit-policy': '"concurrency";q=16;qu="concurrent-requests"',
        ratelimit: '"concurrency";r=0',
      },
    })
    expect(findRejection(() => limiter.enter('key_2'))).toBeUndefined()
    running[0]?.release()
    expect(findRejection(() => limiter.enter('key_1'))).toBeUndefined()
  })

  it('reports policy and remaining requests, and refuses requests above the quota', () => {
    const clock = createManualClock()
    const limiter = createRequestLimiter(LIMITS, clock)
    const seen: unknown[] = []
    for (let request = 0; request < 3; request += 1) {
      const { headers, release } = limiter.enter('key_1')
      seen.push(headers)
      release()
      clock.advance(1500)
    }
    expect(seen).toEqual([
      { 'ratelimit-policy': POLICY, ratelimit: '"requests";r=2;t=60, "concurrency";r=1' },
      { 'ratelimit-policy': POLICY, ratelimit: '"requests";r=1;t=59, "concurrency";r=1' },
      { 'ratelimit-policy': POLICY, ratelimit: '"requests";r=0;t=57, "concurrency";r=1' },
    ])
    expect(findRejection(() => limiter.enter('key_1'))).toEqual({
      code: 'too_many_requests',
      message: 'Request limit reached: a key may send at most 3 requests in 60 s',
      retryAfter: 56,
      headers: { 'ratelimit-policy': POLICY, ratelimit: '"requests";r=0;t=56, "concurrency";r=2' },
    })
    expect(findRejection(() => limiter.enter('key_2'))).toBeUndefined()
  })

  it('starts a new window after the old one ended or the clock was set back', () => {
    const clock = createManualClock()
    const limiter = createRequestLimiter({ requests: { quota: 1, windowSeconds: 10 } }, clock)
    limiter.enter('key_1')
    clock.advance(9999)
    expect(findRejection(() => limiter.enter('key_1'))?.retryAfter).toBe(1)
    clock.advance(1)
    expect(limiter.enter('key_1').headers.ratelimit).toBe('"requests";r=0;t=10')
    clock.advance(-3_600_000)
    expect(limiter.enter('key_1').headers.ratelimit).toBe('"requests";r=0;t=10')
  })

  it('limits concurrent requests, and counts each release once', () => {
    const limiter = createRequestLimiter({ concurrency: 2 }, createManualClock())
    const [first] = [limiter.enter('key_1'), limiter.enter('key_1')]
    const policy = '"concurrency";q=2;qu="concurrent-requests"'
    const refusal = {
      code: 'too_many_requests',
      message: 'Request limit reached: a key may send at most 2 requests at a time',
      retryAfter: 1,
      headers: { 'ratelimit-policy': policy, ratelimit: '"concurrency";r=0' },
    }
    expect(findRejection(() => limiter.enter('key_1'))).toEqual(refusal)
    first?.release()
    first?.release()
    expect(limiter.enter('key_1').headers).toEqual(refusal.headers)
    expect(findRejection(() => limiter.enter('key_1'))).toEqual(refusal)
  })

  it('never exceeds quota and concurrency, regardless of the order of events', () => {
    const event = fc.oneof(
      fc.constant('enter' as const),
      fc.constant('leave' as const),
      fc.integer({ min: 1, max: 30_000 }),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 200 }), (events) => {
        const clock = createManualClock()
        const limiter = createRequestLimiter(LIMITS, clock)
        const running: (() => void)[] = []
        const enteredAt: number[] = []
        for (const each of events) {
          if (typeof each === 'number') clock.advance(each)
          else if (each === 'leave') running.pop()?.()
          else {
            try {
              running.push(limiter.enter('key_1').release)
              enteredAt.push(clock())
            } catch (error) {
              expect(error).toBeInstanceOf(ServiceError)
            }
          }
          expect(running.length).toBeLessThanOrEqual(2)
        }
        // A window begins with a request, so any minute overlaps at most two windows.
        for (const start of enteredAt) {
          const within = enteredAt.filter((at) => at >= start && at < start + 60_000)
          expect(within.length).toBeLessThanOrEqual(6)
        }
      }),
      { seed: 429, numRuns: 100 },
    )
  })
})

describe('failure limiter', () => {
  const limits = { burst: 2, perSecond: 0.5, maxAddresses: 3 }

  it('allows a burst, then one attempt per refilled token', () => {
    const clock = createManualClock()
    const limiter = createFailureLimiter(limits, clock)
    limiter.take('192.0.2.1')
    expect(limiter.retryAfter('192.0.2.1')).toBe(0)
    limiter.take('192.0.2.1')
    expect(limiter.retryAfter('192.0.2.1')).toBe(2)
    clock.advance(1000)
    expect(limiter.retryAfter('192.0.2.1')).toBe(1)
    clock.advance(1000)
    expect(limiter.retryAfter('192.0.2.1')).toBe(0)
    expect(limiter.retryAfter('192.0.2.2')).toBe(0)
  })

  it('does not limit attempts from unknown addresses', () => {
    const limiter = createFailureLimiter(limits, createManualClock())
    for (let attempt = 0; attempt < 5; attempt += 1) limiter.take('')
    expect([limiter.retryAfter(''), limiter.size]).toEqual([0, 0])
  })

  it('removes an address once all its tokens are refilled', () => {
    const limiter = createFailureLimiter(limits, createManualClock())
    limiter.take('192.0.2.1')
    limiter.returnToken('192.0.2.1')
    expect(limiter.size).toBe(0)
  })

  it('locks no address out after the clock was set back', () => {
    const clock = createManualClock()
    const limiter = createFailureLimiter(limits, clock)
    for (let attempt = 0; attempt < 5; attempt += 1) limiter.take('192.0.2.1')
    clock.advance(-3_600_000)
    expect(limiter.retryAfter('192.0.2.1')).toBe(0)
  })

  it('stores a limited number of addresses, the most recent ones', () => {
    const limiter = createFailureLimiter(limits, createManualClock())
    for (const last of [1, 2, 3, 1, 4]) {
      limiter.take(`192.0.2.${last}`)
      limiter.take(`192.0.2.${last}`)
    }
    expect(limiter.size).toBe(3)
    expect([1, 2, 3, 4].map((last) => limiter.retryAfter(`192.0.2.${last}`))).toEqual([2, 0, 2, 2])
  })
})

describe('address', () => {
  it('counts individually for IPv4 and by /64 for IPv6', () => {
    expect(
      [
        '192.0.2.1',
        '::ffff:192.0.2.1',
        '2001:db8:1:2:3:4:5:6',
        '2001:DB8:1:2::9',
        'fe80::1%eth0',
        '::1',
        '',
        'unix:/run/x',
      ].map(toAddressBlock),
    ).toEqual([
      '192.0.2.1',
      '192.0.2.1',
      '2001:db8:1:2::/64',
      '2001:db8:1:2::/64',
      'fe80:0:0:0::/64',
      '0:0:0:0::/64',
      undefined,
      undefined,
    ])
  })
})

describe('bounded map', () => {
  it('evicts the oldest entry when it is full', () => {
    const map = createBoundedMap<string, number>(2)
    map.set('a', 1)
    map.set('b', 2)
    map.set('a', 3)
    map.set('c', 4)
    expect([...map.entries()]).toEqual([
      ['a', 3],
      ['c', 4],
    ])
    map.delete('a')
    expect([map.size, map.get('a'), map.get('c')]).toEqual([1, undefined, 4])
  })
})
