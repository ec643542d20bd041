import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../../core/errors.ts'
import {
  createBoundedStates,
  type Retention,
} from '../../../../core/gateway/guard/bounded-states.ts'
import {
  createTargetGuard,
  type GuardLimits,
  type GuardPass,
} from '../../../../core/gateway/guard/target-guard.ts'
import type { EgressFailure, HeaderLine } from '../../../../core/ports/egress.ts'
import { createManualClock, createSeededRandom } from '../../../helpers/random.ts'

const ORIGIN = 'https://api.example.com'
const OTHER = 'https://other.example.com'

/** A guard with a function for calls of one of two accounts. */
function createSubject(limits?: Partial<GuardLimits>) {
  const clock = createManualClock()
  const guard = createTargetGuard({ clock, limits })
  const enter = (origin = ORIGIN, id = 'a') => guard.enter({ origin, account: { id } })
  return {
    clock,
    guard,
    enter,
    answer(status: number, headers: readonly HeaderLine[] = [], origin = ORIGIN) {
      const pass = enter(origin)
      pass.responded(status, headers)
      pass.leave()
    },
    fail(failure: EgressFailure | 'aborted', origin = ORIGIN, id = 'a') {
      const pass = enter(origin, id)
      pass.failed(failure)
      pass.leave()
    },
    /** Returns code, message and delay of the rejection; undefined if the call is admitted. */
    refusal(origin = ORIGIN, id = 'a') {
      try {
        enter(origin, id).leave()
        return undefined
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        return [error.code, error.message, error.retryAfter]
      }
    },
  }
}

const UNAVAILABLE = `Cannot call ${ORIGIN}: too many recent calls failed`
const THROTTLED = `Cannot call ${ORIGIN}: its rate limit is reached`

describe('target guard', () => {
  it('blocks only the origin that failed', () => {
    const { clock, fail, refusal } = createSubject()
    for (let call = 0; call < 5; call += 1) fail('connect_failed')
    expect(refusal()).toEqual(['target_unavailable', UNAVAILABLE, 30])
    expect(refusal(OTHER)).toBeUndefined()
    clock.advance(30_000)
    expect(refusal()).toBeUndefined()
  })

  it('blocks an origin for all accounts after it failed for several', () => {
    const { clock, fail, refusal } = createSubject()
    for (let call = 0; call < 5; call += 1) fail('connect_failed')
    expect(refusal(ORIGIN, 'b')).toBeUndefined()
    fail('connect_failed', ORIGIN, 'b')
    for (const id of ['b', 'c']) {
      expect(refusal(ORIGIN, id)).toEqual(['target_unavailable', UNAVAILABLE, 30])
    }
    clock.advance(30_000)
    expect(refusal(ORIGIN, 'c')).toBeUndefined()
  })

  it('does not let one account block an origin for others', () => {
    const { clock, enter, refusal } = createSubject()
    const bytes = createSeededRandom(7)
    const random = () => bytes(1)[0] ?? 0
    for (let step = 0; step < 5000; step += 1) {
      clock.advance(random() * 20)
      if (refusal()) continue
      const passes = [enter()]
      for (let more = random() % 8; more > 0 && !refusal(); more -= 1) passes.push(enter())
      for (const pass of passes) {
        if (random() % 8 === 0) pass.responded(200, [])
        else if (random() % 2 === 0) pass.responded(503, [])
        else pass.failed('first_byte_timeout')
        pass.leave()
      }
      expect(refusal(ORIGIN, 'b')).toBeUndefined()
    }
  })

  it.each<readonly [EgressFailure | 'aborted', isFailure: boolean]>([
    ['refused_url', false],
    ['refused_address', false],
    ['unresolved', true],
    ['connect_failed', true],
    ['connect_timeout', true],
    ['first_byte_timeout', true],
    ['total_timeout', true],
    ['malformed_answer', true],
    ['too_large', false],
    ['too_slow', true],
    ['aborted', false],
  ])('counts %s before a response as a failure of the target: %s', (failure, isFailure) => {
    const { fail, refusal } = createSubject()
    for (let call = 0; call < 5; call += 1) fail(failure)
    expect(refusal() !== undefined).toBe(isFailure)
  })

  it.each<readonly [EgressFailure | 'aborted', isFailure: boolean]>([
    ['connect_failed', true],
    ['malformed_answer', true],
    ['too_slow', true],
    ['total_timeout', false],
    ['reader_too_slow', false],
    ['too_large', false],
    ['aborted', false],
  ])('counts %s within a response as a failure of the target: %s', (failure, isFailure) => {
    const { enter, refusal } = createSubject()
    for (let call = 0; call < 5; call += 1) {
      const pass = enter()
      pass.responded(200, [])
      pass.failed(failure)
      pass.leave()
    }
    expect(refusal() !== undefined).toBe(isFailure)
  })

  it.each([200, 304, 400, 401, 403, 404, 408, 429, 500, 501, 507])(
    'counts status %i as a success',
    (status) => {
      const { answer, refusal } = createSubject()
      for (let call = 0; call < 20; call += 1) answer(status)
      expect(refusal()).toBeUndefined()
    },
  )

  it.each([502, 503, 504])('counts status %i as a failure', (status) => {
    const { answer, refusal } = createSubject()
    for (let call = 0; call < 5; call += 1) answer(status)
    expect(refusal()).toEqual(['target_unavailable', UNAVAILABLE, 30])
  })

  it('treats a 503 with a retry time as a rate limit of the account', () => {
    const { clock, answer, refusal } = createSubject()
    for (let call = 0; call < 20; call += 1) {
      answer(503, [['retry-after', '7']])
      expect(refusal()).toEqual(['target_throttled', THROTTLED, 7])
      expect(refusal(ORIGIN, 'b')).toBeUndefined()
      clock.advance(7000)
    }
  })

  it('learns limits per account and origin', () => {
    const { clock, answer, refusal } = createSubject()
    answer(200, [
      ['x-ratelimit-remaining', '0'],
      ['x-ratelimit-reset', '60'],
    ])
    clock.advance(500)
    expect(refusal()).toEqual(['target_throttled', THROTTLED, 60])
    expect(refusal(OTHER)).toBeUndefined()
    expect(refusal(ORIGIN, 'b')).toBeUndefined()
    clock.advance(59_500)
    expect(refusal()).toBeUndefined()
  })

  it('has 20 slots per origin and 200 in total, not all for one account', () => {
    const { guard, enter, refusal } = createSubject()
    const passes: GuardPass[] = []
    const fill = (count: number, origin = ORIGIN, id = 'a') => {
      for (let call = 0; call < count; call += 1) passes.push(enter(origin, id))
    }
    const full = (what: string) => [
      'overloaded',
      `Cannot start the call: too many ${what} are in flight`,
      1,
    ]
    fill(15)
    expect(refusal()).toEqual(full(`of the account's calls to ${ORIGIN}`))
    fill(5, ORIGIN, 'b')
    expect(refusal(ORIGIN, 'c')).toEqual(full(`calls to ${ORIGIN}`))
    for (let call = 0; call < 85; call += 1) fill(1, `https://${call}.example.com`)
    expect(refusal(OTHER)).toEqual(full("of the account's calls"))
    for (let call = 0; call < 95; call += 1) fill(1, `https://${call}.example.com`, 'b')
    expect(refusal(OTHER, 'c')).toEqual(full('calls'))
    for (const pass of passes) {
      pass.leave()
      pass.leave()
      pass.failed('connect_failed')
      pass.responded(502, [])
    }
    expect(guard.gauges()[0]?.samples).toEqual([{ labels: {}, value: 0 }])
    expect(refusal()).toBeUndefined()
  })

  it('reserves the trial call of an open breaker for a call with a slot', () => {
    const { clock, fail, enter, refusal } = createSubject({ perOrigin: 1 })
    const stalled = enter(OTHER)
    for (let call = 0; call < 5; call += 1) fail('connect_timeout')
    clock.advance(30_000)
    const probe = enter()
    expect(refusal()).toEqual(['target_unavailable', UNAVAILABLE, 1])
    probe.responded(200, [])
    expect(refusal()?.[0]).toBe('overloaded')
    probe.leave()
    stalled.leave()
    expect(refusal()).toBeUndefined()
  })

  it('lets the next call try if the trial call was aborted', () => {
    const { clock, fail, enter, refusal } = createSubject()
    for (let call = 0; call < 5; call += 1) fail('first_byte_timeout')
    clock.advance(30_000)
    enter().leave()
    expect(refusal()).toBeUndefined()
    fail('aborted')
    fail('first_byte_timeout')
    expect(refusal()).toEqual(['target_unavailable', UNAVAILABLE, 30])
  })

  it('does not count aborted calls as in flight', () => {
    const { answer, fail, refusal } = createSubject()
    for (let call = 0; call < 5; call += 1) fail('aborted')
    answer(200, [['ratelimit', '"default";r=1;t=60']])
    expect(refusal()).toBeUndefined()
    expect(refusal()).toEqual(['target_throttled', THROTTLED, 60])
  })

  it('reports calls in flight, open breakers and throttled pairs, naming at most 20 origins', () => {
    const { guard, enter, answer, fail } = createSubject()
    enter()
    enter()
    for (let at = 0; at < 30; at += 1) {
      enter(`https://${at}.example.com`)
      for (let call = 0; call < 5; call += 1) fail('unresolved', `https://dead-${at}.example.com`)
    }
    answer(429, [['retry-after', '5']], OTHER)
    const gauges = guard.gauges()
    const values = gauges.map(({ name, samples }) => [name, samples.length, samples[0]])
    expect(values).toEqual([
      ['gateway_calls_in_flight', 1, { labels: {}, value: 32 }],
      ['gateway_origin_calls_in_flight', 20, { labels: { origin: ORIGIN }, value: 2 }],
      ['gateway_open_breakers', 1, { labels: {}, value: 30 }],
      ['gateway_breaker_open', 20, { labels: { origin: 'https://dead-0.example.com' }, value: 1 }],
      ['gateway_throttled', 1, { labels: {}, value: 1 }],
    ])
  })

  it('evicts neither open breakers nor throttled accounts before healthy states', () => {
    const { fail, answer, refusal } = createSubject({ maxOrigins: 50, maxPairs: 50 })
    for (let call = 0; call < 5; call += 1) fail('connect_failed')
    answer(429, [['retry-after', '600']], OTHER)
    for (let at = 0; at < 1000; at += 1) answer(200, [], `https://${at}.example.com`)
    expect(refusal()?.[0]).toBe('target_unavailable')
    expect(refusal(OTHER)?.[0]).toBe('target_throttled')
  })
})

describe('bounded states', () => {
  function createStates(capacity: number) {
    return createBoundedStates<{ worth: Retention }>({
      capacity,
      create: () => ({ worth: 0 }),
      retentionOf: ({ worth }) => worth,
    })
  }

  it('evict idle states first, then counts, then blocking ones, and never those in use', () => {
    const states = createStates(4)
    for (const [key, worth] of [
      ['use', 3],
      ['refusal', 2],
      ['news', 1],
      ['nothing', 0],
    ] as const) {
      states.get(key).worth = worth
    }
    const keysAfter = (key: string) => {
      states.get(key).worth = 3
      return [...states.entries()].map(([each]) => each).sort()
    }
    expect(keysAfter('b')).toEqual(['b', 'news', 'refusal', 'use'])
    expect(keysAfter('c')).toEqual(['b', 'c', 'refusal', 'use'])
    expect(keysAfter('d')).toEqual(['b', 'c', 'd', 'use'])
    expect(keysAfter('e')).toEqual(['b', 'c', 'd', 'e', 'use'])
  })

  it('stay bounded if all of them block calls', () => {
    const states = createStates(200)
    for (let at = 0; at < 5000; at += 1) {
      states.get(`${at}`).worth = 2
      expect(states.size).toBeLessThanOrEqual(200)
    }
    expect([states.get('4999').worth, states.get('0').worth]).toEqual([2, 0])
  })
})
