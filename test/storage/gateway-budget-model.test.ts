import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { ADA } from '../conformance/storage/gateway-samples.ts'

/** Models one key's budget as a sum, which the storage computes in one statement. */
function createModel() {
  let taken = 0
  return {
    take(wanted: number, budget: number): number {
      const count = Math.max(0, Math.min(wanted, budget - taken))
      taken += count
      return count
    },
    giveBack(count: number): void {
      taken = Math.max(0, taken - Math.max(0, count))
    },
  }
}

const step = fc.oneof(
  fc.record({
    wanted: fc.integer({ min: -2, max: 40 }),
    budget: fc.integer({ min: -2, max: 120 }),
  }),
  fc.record({ count: fc.integer({ min: -2, max: 60 }) }),
)

describe('a budget of varying size under taken and returned calls', () => {
  it('equals a simple sum over 300 traces', async () => {
    const { gateway, close } = await openSqlite({ file: ':memory:' })
    let trace = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        trace += 1
        const model = createModel()
        const day = `day ${trace}`
        for (const each of steps) {
          if ('count' in each) {
            await gateway.returnCalls(ADA, { keyId: 'key1', day, count: each.count })
            model.giveBack(each.count)
          } else {
            const got = await gateway.takeCalls(ADA, { keyId: 'key1', day, ...each })
            expect(got).toBe(model.take(each.wanted, each.budget))
          }
        }
      }),
      { seed: 41, numRuns: 300 },
    )
    await close()
  })
})
