import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPacer, toSendOffsets } from '../../../core/rate-limits/probe/arrivals.ts'
import { toSentAt } from '../../../core/rate-limits/probe/find-limit.ts'
import { runInProcess } from '../../helpers/limiters/run-in-process.ts'
import { createSeeded } from '../../helpers/limiters/seeded.ts'
import { createVirtualClock } from '../../helpers/limiters/virtual-clock.ts'

describe('The send times of a ramp', () => {
  it('rise during the first fifth, then stay at the full rate', () => {
    const offsets = toSendOffsets({ count: 10, rate: 5 })
    expect(offsets.map(Math.round)).toEqual([
      0, 1000, 1333, 1533, 1733, 1933, 2133, 2333, 2533, 2733,
    ])
  })

  it('span 12 seconds with the default budget', () => {
    const offsets = toSendOffsets({ count: 54, rate: 5 })
    expect(Math.round((offsets.at(-1) ?? 0) / 1000)).toBe(13)
  })

  it('never exceed the rate in any second', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 50 }),
        (count, rate) => {
          const offsets = toSendOffsets({ count, rate })
          expect(offsets).toHaveLength(count)
          expect(findBurst(offsets, rate)).toBeUndefined()
        },
      ),
      { seed: 1, numRuns: 200 },
    )
  })
})

describe('A pacer', () => {
  it('enforces the rate for late requests', () => {
    const delays = fc.array(fc.double({ min: 0, max: 3000, noNaN: true }), { maxLength: 120 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), delays, (rate, lateness) => {
        const pacer = createPacer(rate)
        const sent: number[] = []
        let now = 0
        for (const late of lateness) {
          // Half of the requests are due at once.
          now = Math.max(now + (late > 1500 ? late : 0), pacer.earliest())
          pacer.note(now)
          sent.push(now)
        }
        expect(findBurst(sent, rate)).toBeUndefined()
      }),
      { seed: 2, numRuns: 200 },
    )
  })

  it('allows the first request at once, and the next after half the usual interval', () => {
    const pacer = createPacer(5)
    const first = pacer.earliest()
    pacer.note(100)
    expect([first, pacer.earliest()]).toEqual([-Infinity, 200])
  })
})

describe('The requests of a run', () => {
  it('are sent on schedule even if responses are slow', async () => {
    const evidence = await runInProcess(() => ({ ...SERVED, delayMs: 2900 }))
    const offsets = toSendOffsets({ count: 54, rate: 5 })
    const ramp = evidence.records.filter(({ stage }) => stage === 'ramp')
    // Three requests are sent before the first response.
    const putOffMs = 2900 - (offsets[3] ?? 0)
    expect(ramp.map(({ at }) => Math.round(at))).toEqual(
      offsets.map((offset, index) => Math.round(index < 3 ? offset : offset + putOffMs)),
    )
    expect(Math.max(...ramp.map(({ lateMs }) => lateMs))).toBeLessThan(0.2)
    expect(Math.max(...ramp.map(({ inFlight }) => inFlight))).toBe(14)
  })

  it.each([5, 50])(
    'stop after five without any response, at most three at a time, at %i per second',
    async (rate) => {
      const budget = { requests: 400, rate, payloadBytes: 0 }
      const { records, stop } = await runInProcess(() => 'silent', { budget })
      const open = Math.max(...records.map(({ inFlight }) => inFlight + 1))
      expect([stop, records.length, open]).toEqual(['timeouts', 5, 3])
    },
  )

  it.each([5, 50])(
    'are sent on schedule while the target pauses, at %i per second',
    async (rate) => {
      const budget = { requests: 200, rate, payloadBytes: 0 }
      const virtual = createVirtualClock()
      const offsets = toSendOffsets({ count: 194, rate })
      const from = offsets[100] ?? 0
      const pause = { from, to: from + 2900 }
      const { records, stop } = await runInProcess(
        () => {
          const now = virtual.timers.now()
          const isPaused = now >= pause.from && now < pause.to
          return { ...SERVED, delayMs: isPaused ? pause.to - now : 20 }
        },
        { budget, virtual },
      )
      const ramp = records.filter(({ stage }) => stage === 'ramp')
      expect(ramp.map(({ at }) => Math.round(at))).toEqual(
        offsets.slice(0, ramp.length).map(Math.round),
      )
      const came = offsets.filter((at) => at >= pause.from && at < pause.to).length
      const open = Math.max(...ramp.map(({ inFlight }) => inFlight + 1))
      expect([stop, ramp.length, open]).toEqual(['budget_used', 194, came])
    },
  )

  it.each([5, 50])(
    'stop after the third timeout while others are in flight, at %i per second',
    async (rate) => {
      const budget = { requests: 400, rate, payloadBytes: 0 }
      let asked = 0
      const { records, stop } = await runInProcess(
        () => {
          asked += 1
          return asked <= 100 ? { ...SERVED, delayMs: 20 } : 'silent'
        },
        { budget },
      )
      const ramp = records.filter(({ stage }) => stage === 'ramp')
      const open = Math.max(...records.map(({ inFlight }) => inFlight + 1))
      // The requests due within the response timeout of three seconds, and two more.
      expect([stop, ramp.length, open]).toEqual(['timeouts', 100 + 3 * rate + 2, 3 * rate])
    },
  )

  it('are on schedule if permission is slow but prepared', async () => {
    const virtual = createVirtualClock()
    const { timers } = virtual
    let readyAt = 0
    const evidence = await runInProcess(() => ({ ...SERVED, delayMs: 10 }), {
      virtual,
      budget: { requests: 100, rate: 20, payloadBytes: 0 },
      prepare: () => {
        readyAt = timers.now() + 40
      },
      take: async () => {
        await timers.sleep(readyAt - timers.now())
        return true
      },
    })
    const [first, ...others] = evidence.records.map(({ lateMs }) => Math.round(lateMs))
    expect([first, Math.max(...others)]).toEqual([40, 0])
  })

  it('are never early or above the rate with inaccurate timers and slow permission', async () => {
    for (let seed = 1; seed <= 30; seed += 1) {
      const seeded = createSeeded(seed)
      const rate = seeded.integer(1, 50)
      const virtual = createVirtualClock()
      const { timers } = virtual
      const evidence = await runInProcess(() => ({ ...SERVED, delayMs: seeded.between(1, 40) }), {
        virtual,
        budget: { requests: 80, rate, payloadBytes: 0 },
        timers: {
          now: timers.now,
          // Some timers fire early, some late, some very late.
          sleep: (ms, signal) => {
            const odd = seeded.pick([0.9, 1, 1.01, 1.5])
            return timers.sleep(seeded.share() < 0.02 ? ms + 2000 : ms * odd, signal)
          },
        },
        take: async () => {
          await timers.sleep(seeded.share() < 0.1 ? seeded.between(0, 500) : 0)
          return true
        },
      })
      const sent = evidence.records.map(toSentAt).sort((a, b) => a - b)
      expect(findBurst(sent, rate), `seed ${seed}`).toBeUndefined()
      expect(
        evidence.records.filter(({ lateMs }) => lateMs < 0),
        `seed ${seed}`,
      ).toEqual([])
    }
  })
})

const SERVED = { status: 200, headers: [], body: '{}' } as const

/** Finds the first second with more requests than the rate. */
function findBurst(times: readonly number[], rate: number): number | undefined {
  return times.find((at, index) => (times[index + rate] ?? Infinity) - at < 1000 - 1e-6)
}
