import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../core/errors.ts'
import { type Budgets, createBudgets } from '../../../core/gateway/budgets.ts'
import type { Account } from '../../../core/shared/account.ts'
import { createManualClock, createSeededRandom } from '../../helpers/random.ts'
import { runs } from '../../helpers/runs.ts'

const ADA: Account = { id: 'ada', name: 'Ada' }
const KEY = 'key_1'
const NOON = Date.UTC(2026, 2, 14, 12)
const DAY_MS = 86_400_000
const TODAY = Math.floor(NOON / DAY_MS)

/** In-memory counters with the interface of a storage. Every call is asynchronous. */
function createCounters() {
  const taken = new Map<string, number>()
  const counters = {
    taken,
    writes: 0,
    isDown: false,
    async takeCalls(
      _: Account,
      request: { keyId: string; day: string; wanted: number; budget: number },
    ) {
      await Promise.resolve()
      if (counters.isDown) throw new ServiceError('storage_unavailable', 'down')
      counters.writes += 1
      const { day, wanted, budget } = request
      const count = taken.get(day) ?? 0
      const got = Math.max(0, Math.min(wanted, budget - count))
      taken.set(day, count + got)
      return got
    },
    async countTakenCalls(_: Account, { day }: { day: string }) {
      return taken.get(day) ?? 0
    },
    async returnCalls(_: Account, { day, count }: { keyId: string; day: string; count: number }) {
      await Promise.resolve()
      if (counters.isDown) throw new ServiceError('storage_unavailable', 'down')
      counters.writes += 1
      taken.set(day, Math.max(0, (taken.get(day) ?? 0) - count))
    },
  }
  return counters
}

function createBudgetFixture(store = createCounters(), clock = createManualClock(NOON)) {
  const create = () => createBudgets({ store, clock, logger: { log() {} } })
  return { store, clock, create }
}

/** Takes a call. Returns the day of its budget, or undefined if the budget is exhausted. */
async function take(budgets: Budgets, budget: number): Promise<number | undefined> {
  try {
    return await budgets.take(ADA, { keyId: KEY, budget })
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'budget_exhausted') return undefined
    throw error
  }
}

describe('budgets', () => {
  it('report the remaining calls including own reserves, without taking any', async () => {
    const { create } = createBudgetFixture()
    const [budgets, other] = [create(), create()]
    const left = () => budgets.countLeft(ADA, { keyId: KEY, budget: 100 })
    expect(await left()).toBe(100)
    for (let n = 0; n < 3; n += 1) await take(budgets, 100)
    expect([await left(), await left()]).toEqual([97, 97])
    await take(other, 100)
    // The other instance has reserved five calls.
    expect(await left()).toBe(92)
    await other.flush()
    expect(await left()).toBe(96)
    expect(await budgets.countLeft(ADA, { keyId: KEY, budget: 2 })).toBe(0)
  })

  it(`are never exceeded and never lose a call, with several instances on one storage: ${runs(10_000)} traces`, async () => {
    const random = createSeededRandom(4)
    const below = (limit: number) => ((random(2)[0] ?? 0) * 256 + (random(1)[0] ?? 0)) % limit
    for (let trace = 0; trace < runs(10_000); trace += 1) {
      const { store, clock, create } = createBudgetFixture()
      const instances = [create(), create()]
      const budget = below(60)
      const made = new Map<number, number>()
      const pending: Promise<void>[] = []
      for (let step = 0; step < 12; step += 1) {
        const instance = instances[below(2)]
        if (!instance) continue
        const action = below(10)
        if (action < 6) {
          for (let call = below(12); call >= 0; call -= 1) {
            const isGivenBack = below(8) === 0
            const taking = take(instance, budget).then((day) => {
              if (day === undefined) return
              if (isGivenBack) instance.returnCall(ADA, { keyId: KEY, day })
              else made.set(day, (made.get(day) ?? 0) + 1)
            })
            pending.push(taking)
            if (below(2) === 0) await taking
          }
        } else if (action === 6) clock.advance(below(3) * 500)
        else if (action === 7) await instance.flush()
        else if (action === 8) instance.release(KEY)
        else if (below(4) === 0) {
          await Promise.all(pending)
          clock.advance(DAY_MS)
        }
        for (const [, calls] of made) if (calls > budget) expect([trace, calls]).toBeUndefined()
      }
      await Promise.all(pending)
      for (const each of instances) await each.flush()
      await Promise.resolve()
      const today = Math.floor(clock() / DAY_MS)
      const counted = store.taken.get(new Date(clock()).toISOString().slice(0, 10)) ?? 0
      if (counted !== (made.get(today) ?? 0))
        expect([trace, counted]).toEqual([trace, made.get(today)])
    }
  }, 180_000)

  it('make the reserve of one instance available to the other after a flush', async () => {
    const { create, clock } = createBudgetFixture()
    const [first, second] = [create(), create()]
    expect(await take(first, 100)).toBe(TODAY)
    let others = 0
    while (await take(second, 100)) others += 1
    expect(others).toBe(95)
    await first.flush()
    clock.advance(1000)
    let more = 0
    while (await take(second, 100)) more += 1
    expect(others + more).toBe(99)
  })

  it('rarely query the storage during fast calls, and after exhaustion', async () => {
    const { store, create } = createBudgetFixture()
    const budgets = create()
    for (let call = 0; call < 10_000; call += 1) expect(await take(budgets, 1_000_000)).toBe(TODAY)
    expect(store.writes < 20).toBe(true)
    const none = create()
    for (let call = 0; call < 100; call += 1) expect(await take(none, 0)).toBeUndefined()
    expect(store.writes < 21).toBe(true)
  })

  it('allow no call while the storage does not respond', async () => {
    const { store, create } = createBudgetFixture()
    store.isDown = true
    await expect(take(create(), 5)).rejects.toMatchObject({ code: 'storage_unavailable' })
    store.isDown = false
    expect(await take(create(), 5)).toBe(TODAY)
  })

  it('count unreturned calls as made', async () => {
    const { store, create } = createBudgetFixture()
    const budgets = create()
    await take(budgets, 100)
    store.isDown = true
    await budgets.flush()
    store.isDown = false
    let more = 0
    while (await take(budgets, 100)) more += 1
    expect(more).toBe(95)
  })
})
