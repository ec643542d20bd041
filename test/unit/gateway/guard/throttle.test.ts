import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RateHints, RateQuota } from '../../../../core/egress/rate-headers.ts'
import { Throttle, type ThrottleTicket } from '../../../../core/gateway/guard/throttle.ts'
import { createManualClock } from '../../../helpers/random.ts'
import { runs } from '../../../helpers/runs.ts'

const HOUR = 3_600_000

/** A throttle with a clock and a function for calls. */
function createSubject() {
  const clock = createManualClock()
  const throttle = new Throttle()
  return {
    clock,
    throttle,
    waitMs: () => throttle.waitMs(clock()),
    enter() {
      const ticket: ThrottleTicket = { enteredAt: 0, ended: 0, silent: 0 }
      throttle.enter(ticket, clock())
      return ticket
    },
    answer: (ticket: ThrottleTicket, hints: RateHints | undefined) =>
      throttle.responded(ticket, { hints, now: clock() }),
  }
}

function told(...quotas: readonly RateQuota[]): RateHints {
  return { retryAfterMs: undefined, quotas }
}

function left(remaining: number, waitMs = 10_000, name = ''): RateHints {
  return told({ name, remaining, waitMs })
}

describe('throttle', () => {
  it('admits all calls while no limit is known', () => {
    const { clock, throttle, enter, answer, waitMs } = createSubject()
    const tickets = Array.from({ length: 500 }, enter)
    expect([waitMs(), throttle.isIdle(clock())]).toEqual([0, false])
    for (const ticket of tickets) answer(ticket, undefined)
    expect([waitMs(), throttle.isIdle(clock())]).toEqual([0, true])
  })

  it('blocks calls for the requested time', () => {
    const { clock, throttle, enter, answer, waitMs } = createSubject()
    answer(enter(), { retryAfterMs: 5000, quotas: [] })
    expect(waitMs()).toBe(5000)
    clock.advance(4999)
    expect([waitMs(), throttle.isIdle(clock())]).toEqual([1, false])
    clock.advance(1)
    expect([waitMs(), throttle.isIdle(clock())]).toEqual([0, true])
  })

  it('uses the longest of several retry times', () => {
    const { enter, answer, waitMs } = createSubject()
    const [first, second] = [enter(), enter()]
    answer(first, { retryAfterMs: 5000, quotas: [] })
    answer(second, { retryAfterMs: 100, quotas: [] })
    expect(waitMs()).toBe(5000)
  })

  it('admits the remaining calls, then none until the reset', () => {
    const { clock, enter, answer, waitMs } = createSubject()
    answer(enter(), left(3))
    const burst: ThrottleTicket[] = []
    while (waitMs() === 0) burst.push(enter())
    expect([burst.length, waitMs()]).toEqual([3, 10_000])
    clock.advance(9999)
    expect(waitMs()).toBe(1)
    clock.advance(1)
    expect(waitMs()).toBe(0)
  })

  it('subtracts calls that were in flight when the target reported', () => {
    const { enter, answer, waitMs } = createSubject()
    const [first] = [enter(), enter(), enter()]
    answer(first, left(3))
    expect(waitMs()).toBe(0)
    enter()
    expect(waitMs()).toBe(10_000)
  })

  it('restores calls that the target had already counted', () => {
    const { enter, answer, waitMs } = createSubject()
    const [first, second, third] = [enter(), enter(), enter()]
    // Calls are served in order, but their responses arrive in reverse order.
    answer(third, left(2))
    expect(waitMs()).toBe(10_000)
    answer(second, left(3))
    expect(waitMs()).toBe(0)
    answer(first, left(4))
    enter()
    expect(waitMs()).toBe(0)
    enter()
    expect(waitMs()).toBe(10_000)
  })

  it('does not subtract calls that the target does not count', () => {
    const { enter, answer, waitMs } = createSubject()
    for (let call = 0; call < 50; call += 1) {
      expect(waitMs()).toBe(0)
      answer(enter(), left(2))
    }
  })

  it('applies all limits of a target, each for its own time', () => {
    const { clock, enter, answer, waitMs } = createSubject()
    const second = { name: 'second', remaining: 0, waitMs: 1000 }
    const hour = { name: 'hour', remaining: 1, waitMs: HOUR }
    answer(enter(), told(second, hour))
    expect(waitMs()).toBe(1000)
    clock.advance(1000)
    expect(waitMs()).toBe(0)
    enter()
    expect(waitMs()).toBe(HOUR - 1000)
  })

  it('admits calls if a limit with another unit is not exhausted', () => {
    const { enter, answer, waitMs } = createSubject()
    answer(enter(), left(0, 10_000, 'tokens'))
    expect(waitMs()).toBe(10_000)
    const { enter: enterOther, answer: answerOther, waitMs: otherWaitMs } = createSubject()
    answerOther(enterOther(), left(Infinity, 10_000, 'tokens'))
    for (let call = 0; call < 100; call += 1) enterOther()
    expect(otherWaitMs()).toBe(0)
  })

  it('ignores outdated reports of an ended window', () => {
    const { clock, enter, answer, waitMs } = createSubject()
    const late = enter()
    clock.advance(10_000)
    answer(enter(), left(1, 60_000))
    answer(late, left(0, 1000))
    clock.advance(2000)
    // The late call is treated as if the target had counted it in the new window.
    expect(waitMs()).toBe(58_000)
  })

  it('does not wait for a clock that was set back', () => {
    const { clock, enter, answer, waitMs } = createSubject()
    clock.advance(10 * HOUR)
    answer(enter(), { retryAfterMs: 5000, quotas: [] })
    clock.advance(-10 * HOUR)
    expect(waitMs()).toBe(0)
    answer(enter(), left(0))
    clock.advance(-10 * HOUR)
    expect(waitMs()).toBe(0)
  })

  it('stores at most eight limits', () => {
    const { enter, answer, waitMs } = createSubject()
    for (let limit = 0; limit < 50; limit += 1) answer(enter(), left(100, 1000, `${limit}`))
    answer(enter(), left(0, 5000, 'another'))
    expect(waitMs()).toBe(0)
    answer(enter(), left(0, 5000, '7'))
    expect(waitMs()).toBe(5000)
  })
})

/** A call in flight, with the response of the target. */
interface Call {
  readonly ticket: ThrottleTicket
  /** True if the limits were known when the call was admitted. */
  readonly wasKnown: boolean
  hints: RateHints | undefined
  isServed: boolean
}

const SLOW_TRACE = [
  ...[0, 0, 0, 0, 0, 65487, 4902, 55951, 0, 54171, 422, 32255, 35983, 12998, 5206, 22134, 55291],
  ...[44523, 26667, 17483, 0, 438],
]

describe('throttle with a counting target', () => {
  it(`never exceeds a window, and wastes nothing of it, in ${runs(10_000)} random traces`, () => {
    const quotas = fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 12 }))
    const steps = fc.array(fc.nat(2 ** 16), { maxLength: 90, size: 'max' })
    let refusals = 0
    let exact = 0
    fc.assert(
      fc.property(quotas, steps, fc.boolean(), ([narrow, wide], trace, isTelling) => {
        const { clock, throttle, waitMs, enter } = createSubject()
        const endsAt = clock() + HOUR / 2
        const limits = new Map([
          ['narrow', narrow],
          ['wide', wide],
        ])
        const calls: Call[] = []
        let isKnown = false
        for (const value of trace) {
          const [kind, rest] = [value % 16, Math.floor(value / 16)]
          const call = calls[rest % Math.max(1, calls.length)]
          if (kind < 6) {
            if (waitMs() > 0) refusals += 1
            else
              calls.push({ ticket: enter(), wasKnown: isKnown, hints: undefined, isServed: false })
          } else if (kind < 11) {
            if (!call || call.isServed) continue
            call.isServed = true
            const isRefused = [...limits.values()].includes(0)
            // The main property: the target never rejects a call that was admitted with known
            // limits.
            if (call.wasKnown) expect(isRefused).toBe(false)
            if (!isRefused) for (const [name, remaining] of limits) limits.set(name, remaining - 1)
            const isSilent = !isTelling && rest % 5 === 0
            const waitMsTold = Math.ceil((endsAt - clock()) / 1000) * 1000
            const all = [...limits].map(([name, remaining]) => ({
              name,
              remaining,
              waitMs: waitMsTold,
            }))
            // Some targets report one limit in some responses and another limit in others.
            const some = !isTelling && rest % 3 === 0 ? all.slice(rest % 2, (rest % 2) + 1) : all
            call.hints = isSilent ? undefined : told(...some)
          } else if (kind < 15) {
            if (!call) continue
            const isLost = !isTelling && rest % 7 === 0
            if (!call.isServed && !isLost) continue
            calls.splice(calls.indexOf(call), 1)
            if (isLost) throttle.aborted()
            else throttle.responded(call.ticket, { hints: call.hints, now: clock() })
            if (!isLost && call.hints?.quotas.length === 2) isKnown = true
          } else clock.advance(rest % 700)
          if (calls.length === 0 && isKnown && isTelling) {
            expect(waitMs() > 0).toBe([...limits.values()].includes(0))
            exact += 1
          }
        }
      }),
      {
        seed: 429,
        numRuns: runs(10_000),
        // A slow response, and others that seem to belong to an earlier window.
        examples: [[[4, 4], SLOW_TRACE, true]],
      },
    )
    // The traces exercise both properties.
    expect(refusals).toBeGreaterThan(runs(10_000))
    expect(exact).toBeGreaterThan(runs(10_000))
  })

  it(`waits no longer than reported, regardless of order, in ${runs(10_000)} random traces`, () => {
    const steps = fc.array(fc.nat(2 ** 20), { maxLength: 90, size: 'max' })
    fc.assert(
      fc.property(steps, (trace) => {
        const { clock, throttle, waitMs, enter, answer } = createSubject()
        const calls: ThrottleTicket[] = []
        let toldUntil = 0
        for (const value of trace) {
          const [kind, rest] = [value % 8, Math.floor(value / 8)]
          if (kind < 3) {
            if (waitMs() === 0) calls.push(enter())
          } else if (kind === 3) {
            if (calls.pop()) throttle.aborted()
          } else if (kind < 7) {
            const [ticket] = calls.splice(rest % Math.max(1, calls.length), 1)
            if (!ticket) continue
            const ms = 1 + (rest % 20_000)
            if (kind < 6) answer(ticket, left(rest % 4, ms, `${rest % 3}`))
            else answer(ticket, { retryAfterMs: ms, quotas: [] })
            toldUntil = Math.max(toldUntil, clock() + ms)
          } else clock.advance(rest % 9000)
          expect(waitMs()).toBeLessThanOrEqual(Math.max(0, toldUntil - clock()))
        }
        for (const _ of calls) throttle.aborted()
        clock.advance(20_000)
        expect([waitMs(), throttle.isIdle(clock())]).toEqual([0, true])
      }),
      { seed: 503, numRuns: runs(10_000) },
    )
  })
})
