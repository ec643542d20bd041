import { describe, expect, it } from 'vitest'
import { createDelays } from '../../../core/users/lockout.ts'
import { createManualClock } from '../../helpers/random.ts'
import { runs } from '../../helpers/runs.ts'

const LIMITS = { free: 3, maxKeys: 1000 }

describe('delay', () => {
  it('starts after the free failures and doubles up to 15 minutes', () => {
    const clock = createManualClock()
    const delays = createDelays(LIMITS, clock)
    const waits = Array.from({ length: 16 }, () => {
      delays.addFailure('a')
      return delays.retryAfter('a')
    })
    expect(waits).toEqual([0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900])
    expect(delays.retryAfter('b')).toBe(0)
  })

  it('decreases with time, and is reset an hour later', () => {
    const clock = createManualClock()
    const delays = createDelays(LIMITS, clock)
    for (let n = 0; n < 6; n += 1) delays.addFailure('a')
    clock.advance(7001)
    expect(delays.retryAfter('a')).toBe(1)
    clock.advance(999)
    expect(delays.retryAfter('a')).toBe(0)
    clock.advance(3_599_999)
    delays.addFailure('a')
    expect(delays.retryAfter('a')).toBe(16)
    clock.advance(16_000 + 3_600_000)
    delays.addFailure('a')
    expect(delays.retryAfter('a')).toBe(0)
  })

  it('can be undone completely, also between others', () => {
    const clock = createManualClock()
    const delays = createDelays(LIMITS, clock)
    const undo = [1, 2, 3, 4].map(() => delays.addFailure('a'))
    expect(delays.retryAfter('a')).toBe(2)
    undo[0]?.()
    expect(delays.retryAfter('a')).toBe(1)
    undo[3]?.()
    delays.addFailure('b')()
    expect(delays.size).toBe(1)
    for (const each of undo) each()
    expect(delays.size).toBe(0)
  })

  it('is reset if the clock was set back', () => {
    const clock = createManualClock()
    const delays = createDelays(LIMITS, clock)
    for (let n = 0; n < 20; n += 1) delays.addFailure('a')
    clock.advance(-86_400_000)
    expect(delays.retryAfter('a')).toBe(0)
  })

  it('is stored for a limited number of keys', () => {
    const clock = createManualClock()
    const delays = createDelays(LIMITS, clock)
    const names = runs(1_000_000)
    for (let n = 0; n < names; n += 1) delays.addFailure(`name ${n}`)
    expect(delays.size).toBe(1000)
  })
})
