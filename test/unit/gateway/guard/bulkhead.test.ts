import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Bulkhead, type CallCounters } from '../../../../core/gateway/guard/bulkhead.ts'
import { runs } from '../../../helpers/runs.ts'

/** Counters for each account and origin. Accounts share the counter of an origin. */
function createPlaces(counts: { readonly accounts: number; readonly origins: number }) {
  const origins = Array.from({ length: counts.origins }, () => ({ inFlight: 0 }))
  return Array.from({ length: counts.accounts }, (_, account) =>
    origins.map((origin): CallCounters => {
      return { origin, own: { inFlight: 0 }, accountId: `account ${account}` }
    }),
  )
}

/** Enters calls until a limit is exceeded. Returns their number and that limit. */
function enterUntilFull(bulkhead: Bulkhead, places: CallCounters | undefined) {
  if (!places) return []
  let count = 0
  while (bulkhead.findExceededLimit(places) === undefined) {
    bulkhead.enter(places)
    count += 1
  }
  return [count, bulkhead.findExceededLimit(places)]
}

describe('bulkhead', () => {
  it('has 20 slots per origin and 200 in total if configured', () => {
    const bulkhead = new Bulkhead({ perOrigin: 20, total: 200 })
    const accounts = createPlaces({ accounts: 3, origins: 16 })
    const filled = accounts.map((places) => places.map((each) => enterUntilFull(bulkhead, each)))
    expect(filled[0]?.slice(0, 8)).toEqual([
      ...Array.from({ length: 6 }, () => [15, 'own_origin']),
      [10, 'own_service'],
      [0, 'own_service'],
    ])
    expect(filled[1]?.slice(0, 8)).toEqual([
      ...Array.from({ length: 6 }, () => [5, 'origin']),
      [10, 'origin'],
      [15, 'own_origin'],
    ])
    expect(filled[1]?.slice(8)).toEqual([
      [15, 'own_origin'],
      [15, 'own_origin'],
      [15, 'own_origin'],
      ...Array.from({ length: 5 }, () => [0, 'own_service']),
    ])
    expect(bulkhead.inFlight).toBe(200)
    expect(filled[2]?.[15]).toEqual([0, 'service'])
  })

  it('has a slot for an account if there is only one', () => {
    const bulkhead = new Bulkhead({ perOrigin: 1, total: 1 })
    const [[one] = [], [another] = []] = createPlaces({ accounts: 2, origins: 1 })
    expect([enterUntilFull(bulkhead, one), enterUntilFull(bulkhead, another)]).toEqual([
      [1, 'own_origin'],
      [0, 'origin'],
    ])
  })

  it(`refuses exactly the calls above its limits in ${runs(10_000)} random traces`, () => {
    const seen = new Set<string>()
    const counts = { accounts: 3, origins: 4 }
    fc.assert(
      fc.property(fc.array(fc.nat(2 ** 10), { maxLength: 80, size: 'max' }), (steps) => {
        const bulkhead = new Bulkhead({ perOrigin: 5, total: 9 })
        const all = createPlaces(counts)
        // The reference stores account and origin of each call in flight.
        const underWay: (readonly [account: number, origin: number])[] = []
        for (const step of steps) {
          const [account, origin] = [step % counts.accounts, Math.floor(step / 3) % counts.origins]
          const places = all[account]?.[origin]
          if (!places) continue
          if (step % 5 < 4) {
            const toOrigin = underWay.filter((each) => each[1] === origin)
            const own = underWay.filter((each) => each[0] === account)
            const ownToOrigin = toOrigin.filter((each) => each[0] === account)
            const isFull =
              toOrigin.length >= 5 ||
              underWay.length >= 9 ||
              ownToOrigin.length >= 4 ||
              own.length >= 5
            const fullness = bulkhead.findExceededLimit(places)
            expect(fullness !== undefined).toBe(isFull)
            seen.add(String(fullness))
            if (isFull) continue
            bulkhead.enter(places)
            underWay.push([account, origin])
          } else {
            const at = underWay.findIndex((each) => each[0] === account && each[1] === origin)
            if (at === -1) continue
            underWay.splice(at, 1)
            bulkhead.leave(places)
          }
          expect(bulkhead.inFlight).toBe(underWay.length)
        }
      }),
      { seed: 20, numRuns: runs(10_000) },
    )
    const all = ['origin', 'own_origin', 'own_service', 'service', 'undefined']
    expect([...seen].sort()).toEqual(all)
  })
})
