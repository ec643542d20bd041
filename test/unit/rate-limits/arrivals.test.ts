import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPacer, toOffsets } from '../../../core/rate-limits/probe/arrivals.ts'
import { toSentAt } from '../../../core/rate-limits/probe/find-limit.ts'
import { runInProcess } from '../../helpers/limiters/run-in-process.ts'
import { createSeeded } from '../../helpers/limiters/seeded.ts'
import { createVirtualClock } from '../../helpers/limiters/virtual-clock.ts'

describe('the arrivals of a ramp', () => {
  it('come at a rate that rises in the first fifth and stays', () => {
    const offsets = toOffsets({ count: 10, rate: 5 })
    expect(offsets.map(Math.round)).toEqual([
      0, 1000, 1333, 1533, 1733, 1933, 2133, 2333, 2533, 2733,
    ])
  })

  it('take twelve seconds with the budget of a run that asks for nothing else', () => {
    const offsets = toOffsets({ count: 54, rate: 5 })
    expect(Math.round((offsets.at(-1) ?? 0) / 1000)).toBe(13)
  })

  it('are at most as many as the rate in any second', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 50 }),
        (count, rate) => {
          const offsets = toOffsets({ count, rate })
          expect(offsets).toHaveLength(count)
          expect(findBurst(offsets, rate)).toBeUndefined()
        },
      ),
      { seed: 1, numRuns: 200 },
    )
  })
})

describe('a pacer', () => {
  it('holds to the rate whoever is late', () => {
    const delays = fc.array(fc.double({ min: 0, max: 3000, noNaN: true }), { maxLength: 120 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), delays, (rate, lateness) => {
        const pacer = createPacer(rate)
        const sent: number[] = []
        let now = 0
        for (const late of lateness) {
          // Half of them come at once.
          now = Math.max(now + (late > 1500 ? late : 0), pacer.earliest())
          pacer.note(now)
          sent.push(now)
        }
        expect(findBurst(sent, rate)).toBeUndefined()
      }),
      { seed: 2, numRuns: 200 },
    )
  })

  it('lets the first go at once, and the next after half of the usual distance', () => {
    const pacer = createPacer(5)
    const first = pacer.earliest()
    pacer.note(100)
    expect([first, pacer.earliest()]).toEqual([-Infinity, 200])
  })
})

describe('the requests of a run', () => {
  it('are sent at their times however slow the answers are', async () => {
    const evidence = await runInProcess(() => ({ ...SERVED, delayMs: 2900 }))
    const offsets = toOffsets({ count: 54, rate: 5 })
    const ramp = evidence.records.filter(({ stage }) => stage === 'ramp')
    // Three go out before the first answer tells that there is somebody.
    const putOffMs = 2900 - (offsets[3] ?? 0)
    expect(ramp.map(({ at }) => Math.round(at))).toEqual(
      offsets.map((offset, index) => Math.round(index < 3 ? offset : offset + putOffMs)),
    )
    expect(Math.max(...ramp.map(({ lateMs }) => lateMs))).toBeLessThan(0.2)
    expect(Math.max(...ramp.map(({ inFlight }) => inFlight))).toBe(14)
  })

  it.each([5, 50])(
    'are five where nothing is ever answered, three at a time, at %i a second',
    async (rate) => {
      const budget = { requests: 400, rate, payloadBytes: 0 }
      const { records, stop } = await runInProcess(() => 'silent', { budget })
      const open = Math.max(...records.map(({ inFlight }) => inFlight + 1))
      expect([stop, records.length, open]).toEqual(['timeouts', 5, 3])
    },
  )

  it.each([5, 50])('come at their times while a target pauses, at %i a second', async (rate) => {
    const budget = { requests: 200, rate, payloadBytes: 0 }
    const virtual = createVirtualClock()
    const offsets = toOffsets({ count: 194, rate })
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
  })

  it.each([5, 50])('that stay open end with the third time-out, at %i a second', async (rate) => {
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
    // As many as come within the three seconds that an answer may take here, and two.
    expect([stop, ramp.length, open]).toEqual(['timeouts', 100 + 3 * rate + 2, 3 * rate])
  })

  it('are on time where permission is slow, and was prepared', async () => {
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

  it('are never early nor above the rate where timers are wrong and permission is slow', async () => {
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
          // Some wake early, some late, some very late.
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

/** Where more than the rate lie within a second. */
function findBurst(times: readonly number[], rate: number): number | undefined {
  return times.find((at, index) => (times[index + rate] ?? Infinity) - at < 1000 - 1e-6)
}
