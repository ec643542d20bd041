import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../core/ports/storage.ts'
import type { WithStorage } from '../storage.ts'
import { ADA, BOB, DAY, sampleCall, samplePolicy } from './gateway-samples.ts'

/** Number of calls taken concurrently. */
const BUDGET = 10_000

export function describePolicies(withStorage: WithStorage): void {
  describe('policies of keys', () => {
    it('are found by key and listed in order of key, with unchanged lists', () =>
      withStorage(async ({ storage: { gateway } }) => {
        const open = samplePolicy(2, {
          vendorIds: undefined,
          apiIds: undefined,
          methods: undefined,
          dailyBudget: undefined,
        })
        const closed = samplePolicy(1, { vendorIds: [], apiIds: [], methods: [], dailyBudget: 0 })
        for (const policy of [open, samplePolicy(3), closed]) await gateway.savePolicy(ADA, policy)
        expect(await gateway.listPolicies(ADA)).toEqual([closed, open, samplePolicy(3)])
        expect(await gateway.findPolicy(ADA, 'key1')).toEqual(closed)
        expect(await gateway.findPolicy(ADA, 'key2')).toEqual(open)
        expect(await gateway.findPolicy(ADA, 'key9')).toBeUndefined()
        await gateway.savePolicy(ADA, { ...open, keyId: 'key3' })
        expect(await gateway.findPolicy(ADA, 'key3')).toEqual({ ...open, keyId: 'key3' })
        expect(await gateway.removePolicy(ADA, 'key3')).toBe(true)
        expect(await gateway.removePolicy(ADA, 'key3')).toBe(false)
        expect(await gateway.findPolicy(ADA, 'key3')).toBeUndefined()
        expect(await gateway.listPolicies(ADA)).toEqual([closed, open])
      }))

    it('are isolated by account', () =>
      withStorage(async ({ storage: { gateway } }) => {
        await gateway.savePolicy(ADA, samplePolicy(1))
        expect(await gateway.findPolicy(BOB, 'key1')).toBeUndefined()
        expect(await gateway.listPolicies(BOB)).toEqual([])
        expect(await gateway.removePolicy(BOB, 'key1')).toBe(false)
        await gateway.savePolicy(BOB, samplePolicy(1, { dailyBudget: 1 }))
        expect(await gateway.findPolicy(ADA, 'key1')).toEqual(samplePolicy(1))
      }))
  })

  describe('daily budgets', () => {
    it('grant the requested calls, then the rest, then none', () =>
      withStorage(async ({ storage }) => {
        const take = takerOf(storage)
        expect([await take(4), await take(4), await take(4), await take(1)]).toEqual([4, 4, 2, 0])
        expect([await take(2, 11), await take(1, 11)]).toEqual([1, 0])
        expect([await take(3, 5), await take(3, 13), await take(3, 13)]).toEqual([0, 2, 0])
      }))

    it('grant at most the budget at once, and none for an empty request or budget', () =>
      withStorage(async ({ storage }) => {
        const take = takerOf(storage)
        expect([await take(0), await take(-1), await take(5, 0), await take(5, -1)]).toEqual([
          0, 0, 0, 0,
        ])
        expect([await take(25), await take(25)]).toEqual([10, 0])
      }))

    it('accept returned calls, at most as many as were taken', () =>
      withStorage(async ({ storage }) => {
        const { gateway } = storage
        const take = takerOf(storage)
        const giveBack = (count: number) =>
          gateway.returnCalls(ADA, { keyId: 'key1', day: DAY, count })
        await giveBack(5)
        expect(await take(25)).toBe(10)
        await giveBack(3)
        await giveBack(0)
        await giveBack(-5)
        expect(await take(25)).toBe(3)
        await giveBack(1_000)
        expect(await take(25)).toBe(10)
      }))

    it('are separate for each account, key and day', () =>
      withStorage(async ({ storage }) => {
        const { gateway } = storage
        const requests = [
          [ADA, { keyId: 'key1', day: DAY }],
          [ADA, { keyId: 'key2', day: DAY }],
          [ADA, { keyId: 'key1', day: '2026-03-15' }],
          [BOB, { keyId: 'key1', day: DAY }],
        ] as const
        for (const [account, request] of requests) {
          const all = { ...request, wanted: 25, budget: 10 }
          expect(await gateway.takeCalls(account, all)).toBe(10)
        }
        await gateway.returnCalls(BOB, { keyId: 'key1', day: DAY, count: 4 })
        const count = (account: typeof ADA, keyId: string) =>
          gateway.countTakenCalls(account, { keyId, day: DAY })
        expect([await count(ADA, 'key1'), await count(BOB, 'key1')]).toEqual([10, 6])
        expect([await count(ADA, 'nokey'), await count(BOB, 'key2')]).toEqual([0, 0])
        expect(await takerOf(storage)(25)).toBe(0)
        expect(
          await gateway.takeCalls(BOB, { keyId: 'key1', day: DAY, wanted: 9, budget: 10 }),
        ).toBe(4)
      }))

    it('are swept after their day, following the calls', () =>
      withStorage(async ({ storage }) => {
        const { gateway } = storage
        const days = ['2026-03-12', '2026-03-13', DAY]
        for (const day of days) {
          await gateway.takeCalls(ADA, { keyId: 'key1', day, wanted: 10, budget: 10 })
        }
        const before = Date.UTC(2026, 2, 14, 23, 59)
        const old = [1, 2, 3].map((number) => sampleCall(number, { startedAt: before - number }))
        await gateway.saveCalls(old.map((call) => ({ ...call, account: ADA })))
        expect(await gateway.sweepCalls({ before, limit: 4 })).toBe(4)
        expect(await gateway.sweepCalls({ before, limit: 4 })).toBe(1)
        expect(await gateway.sweepCalls({ before, limit: 4 })).toBe(0)
        const left = days.map((day) =>
          gateway.takeCalls(ADA, { keyId: 'key1', day, wanted: 10, budget: 10 }),
        )
        expect(await Promise.all(left)).toEqual([10, 10, 0])
      }))

    it(`of ${BUDGET} calls never grant more to concurrent callers`, (context) =>
      withStorage(async ({ storage, reopen }) => {
        if (!reopen) return context.skip('this storage is opened once only')
        const others = [await reopen(), await reopen()]
        try {
          const takers = [storage, ...others].flatMap((each) => [each, each, each, each])
          const request = { keyId: 'key1', day: DAY, budget: BUDGET }
          const taken = await Promise.all(
            takers.map(async ({ gateway }, index) => {
              let sum = 0
              for (let turn = 0; ; turn += 1) {
                const wanted = 1 + ((index * 53 + turn * 97) % 120)
                const count = await gateway.takeCalls(ADA, { ...request, wanted })
                if (count === 0) return sum
                const back = turn % 7 === 3 ? Math.min(count, 5) : 0
                await gateway.returnCalls(ADA, { ...request, count: back })
                sum += count - back
                // Lets other callers proceed, even if they wait for a timer.
                await new Promise((resolve) => setTimeout(resolve, turn % 4))
              }
            }),
          )
          // Calls that are returned after the others have ended are available again.
          const rest = await storage.gateway.takeCalls(ADA, { ...request, wanted: BUDGET })
          expect(taken.reduce((sum, count) => sum + count, rest)).toBe(BUDGET)
        } finally {
          for (const other of others) await other.close()
        }
      }))
  })
}

/** Takes calls from the budget of `ADA`'s first key. */
function takerOf({ gateway }: FullStorage) {
  return (wanted: number, budget = 10) =>
    gateway.takeCalls(ADA, { keyId: 'key1', day: DAY, wanted, budget })
}
