import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Bulkhead, type OriginPlaces } from '../../../../core/gateway/guard/bulkhead.ts'

describe('a bulkhead', () => {
  it('has 20 places for an origin and 200 in all when told so', () => {
    const bulkhead = new Bulkhead({ perOrigin: 20, total: 200 })
    const origins = Array.from({ length: 12 }, (): OriginPlaces => ({ inFlight: 0 }))
    const entered = origins.map((places) => {
      let count = 0
      while (bulkhead.fullness(places) === undefined) {
        bulkhead.enter(places)
        count += 1
      }
      return [count, bulkhead.fullness(places)]
    })
    expect(entered).toEqual([
      ...Array.from({ length: 10 }, () => [20, 'origin']),
      [0, 'service'],
      [0, 'service'],
    ])
  })

  it('refuses exactly what is over its bounds in 10,000 random traces', () => {
    const limits = { perOrigin: 3, total: 7 }
    fc.assert(
      fc.property(fc.array(fc.nat(63), { maxLength: 80, size: 'max' }), (steps) => {
        const bulkhead = new Bulkhead(limits)
        const origins = Array.from({ length: 4 }, (): OriginPlaces => ({ inFlight: 0 }))
        // The reference: the origins of the calls under way.
        const underWay: number[] = []
        for (const step of steps) {
          const origin = step % 4
          const places = origins[origin]
          if (!places) continue
          if (step < 40) {
            const own = underWay.filter((each) => each === origin).length
            const isFull = own >= limits.perOrigin || underWay.length >= limits.total
            expect(bulkhead.fullness(places) !== undefined).toBe(isFull)
            if (isFull) continue
            bulkhead.enter(places)
            underWay.push(origin)
          } else {
            const at = underWay.indexOf(origin)
            if (at === -1) continue
            underWay.splice(at, 1)
            bulkhead.leave(places)
          }
          expect(bulkhead.inFlight).toBe(underWay.length)
        }
      }),
      { seed: 20, numRuns: 10_000 },
    )
  })
})
