import { describe, expect, it } from 'vitest'
import type { KeyRefusal } from '../../../core/accounts/store.ts'
import type { WithStorage } from '../storage.ts'

const ADA = { id: 'a1', name: 'Ada' }
const BOB = { id: 'b2', name: 'Bob' }
const ALL = { size: 100, page: 1, since: 0 }

/** Refused requests by key. */
export function describeKeyRefusals(withStorage: WithStorage): void {
  describe('refusals of keys', () => {
    it('are counted by key, operation and reason, and listed to their account', () =>
      withStorage(async ({ storage: { accounts } }) => {
        await accounts.addRefusals([])
        await accounts.addRefusals([
          { ...refused(5), account: ADA },
          { ...refused(7, { operation: 'searchApis' }), account: ADA },
          { ...refused(6, { keyId: 'key_2', reason: 'expired' }), account: ADA },
          { ...refused(9, { keyId: 'key_3' }), account: BOB },
        ])
        await accounts.addRefusals([{ ...refused(8, { count: 41 }), account: ADA }])
        await accounts.addRefusals([{ ...refused(3, { reason: 'limit' }), account: ADA }])
        // An earlier refusal that arrives late does not change the last time.
        await accounts.addRefusals([{ ...refused(2), account: ADA }])
        const own = [
          refused(8, { count: 43 }),
          refused(7, { operation: 'searchApis' }),
          refused(6, { keyId: 'key_2', reason: 'expired' }),
          refused(3, { reason: 'limit' }),
        ]
        expect(await accounts.listRefusals(ADA, ALL)).toEqual({ items: own, total: 4 })
        expect(await accounts.listRefusals(ADA, { ...ALL, size: 3, page: 2 })).toEqual({
          items: own.slice(3),
          total: 4,
        })
        expect(await accounts.listRefusals(ADA, { ...ALL, since: 7 })).toEqual({
          items: own.slice(0, 2),
          total: 2,
        })
        const ofKey = await accounts.listRefusals(ADA, { ...ALL, keyId: 'key_2' })
        expect(ofKey).toEqual({ items: [own[2]], total: 1 })
        const foreign = await accounts.listRefusals(ADA, { ...ALL, keyId: 'key_3' })
        expect(foreign).toEqual({ items: [], total: 0 })
        expect((await accounts.listRefusals(BOB, ALL)).total).toBe(1)
        const other = { id: 'nobody', name: ADA.name }
        expect(await accounts.listRefusals(other, ALL)).toEqual({ items: [], total: 0 })
      }))

    it('are removed by age, some at a time', () =>
      withStorage(async ({ storage: { accounts } }) => {
        const rows = Array.from({ length: 300 }, (_, n) => refused(n, { keyId: `key_${n}` }))
        await accounts.addRefusals(rows.map((row) => ({ ...row, account: ADA })))
        expect(await accounts.sweepRefusals({ before: 200, limit: 150 })).toBe(150)
        expect(await accounts.sweepRefusals({ before: 200, limit: 150 })).toBe(50)
        expect(await accounts.sweepRefusals({ before: 200, limit: 150 })).toBe(0)
        const left = await accounts.listRefusals(ADA, ALL)
        expect([left.total, left.items[0]?.lastAt]).toEqual([100, 299])
      }))

    it('are all counted under concurrency', (context) =>
      withStorage(async ({ storage, reopen }) => {
        if (!reopen) return context.skip('this storage is opened once only')
        const other = await reopen()
        try {
          const rows = Array.from({ length: 40 }, (_, n) => ({
            ...refused(n, { keyId: `key_${n}` }),
            account: ADA,
          }))
          const adding = Array.from({ length: 10 }, (_, n) =>
            (n % 2 === 0 ? storage : other).accounts.addRefusals(
              n % 3 === 0 ? rows : rows.toReversed(),
            ),
          )
          await Promise.all(adding)
          const { items, total } = await storage.accounts.listRefusals(ADA, ALL)
          expect([total, new Set(items.map(({ count }) => count))]).toEqual([40, new Set([10])])
        } finally {
          await other.close()
        }
      }))
  })
}

function refused(lastAt: number, more: Partial<KeyRefusal> = {}): KeyRefusal {
  return { keyId: 'key_1', operation: 'callEndpoint', reason: 'scope', count: 1, lastAt, ...more }
}
