import { describe, expect, it } from 'vitest'
import type { CallRecord } from '../../../core/gateway/records.ts'
import type { WithStorage } from '../storage.ts'
import { ADA, BOB, sampleCall } from './gateway-samples.ts'
import { TEXTS, toClean } from './texts.ts'

const FIRST = { size: 100, page: 1 }
const START = Date.UTC(2026, 2, 14, 5)
const HOUR_MS = 3_600_000

export function describeCalls(withStorage: WithStorage, more: readonly string[]): void {
  describe('the audit log of calls', () => {
    it('is listed page by page, newest first, with later entries first for equal times', () =>
      withStorage(async ({ storage: { gateway } }) => {
        expect(await gateway.listCalls(ADA, FIRST)).toEqual({ items: [], total: 0 })
        await gateway.saveCalls([])
        const late = sampleCall(5, { startedAt: 50, ms: 0 })
        const [third, fourth] = [3, 4].map((number) => sampleCall(number, { startedAt: 30 }))
        const early = sampleCall(1, { startedAt: 10, bytes: 0, origin: '', keyId: '' })
        const calls = [late, third, early, fourth].filter((call) => call !== undefined)
        await gateway.saveCalls(calls.map((call) => ({ ...call, account: ADA })))
        const next = sampleCall(6, { startedAt: 30, status: 599, method: 'DELETE' })
        await gateway.saveCalls([{ ...next, account: ADA }])
        const expected = [late, next, fourth, third, early]
        expect(await gateway.listCalls(ADA, FIRST)).toEqual({ items: expected, total: 5 })
        for (const page of [1, 2, 3]) {
          const items = expected.slice(2 * page - 2, 2 * page)
          expect(await gateway.listCalls(ADA, { size: 2, page })).toEqual({ items, total: 5 })
        }
        expect(await gateway.listCalls(ADA, { size: 2, page: 4 })).toEqual({ items: [], total: 5 })
      }))

    it('is listed in the same order over many days, even after sweeps', () =>
      withStorage(async ({ storage: { gateway } }) => {
        const calls = Array.from({ length: 60 }, (_, number) =>
          sampleCall(number, { startedAt: START + ((number * 37) % 60) * HOUR_MS }),
        )
        const batches = [calls.slice(0, 20), calls.slice(20, 21), calls.slice(21)]
        for (const batch of batches) {
          await gateway.saveCalls(
            batch.flatMap((call) => [
              { ...call, account: ADA },
              { ...call, account: BOB },
            ]),
          )
        }
        const ordered = calls.toSorted((left, right) => right.startedAt - left.startedAt)
        const expectPages = async (expected: readonly CallRecord[]) => {
          for (let page = 1; page <= 10; page += 1) {
            const items = expected.slice(7 * page - 7, 7 * page)
            for (const account of [ADA, BOB]) {
              const total = expected.length
              expect(await gateway.listCalls(account, { size: 7, page })).toEqual({ items, total })
            }
          }
        }
        await expectPages(ordered)
        const before = START + 30 * HOUR_MS
        for (const count of [50, 10, 0]) {
          expect(await gateway.sweepCalls({ before, limit: 50 })).toBe(count)
        }
        await expectPages(ordered.slice(0, 30))
        expect(await gateway.sweepCalls({ before: START + 99 * HOUR_MS, limit: 99 })).toBe(60)
        await expectPages([])
      }))

    it('hides calls of other accounts written in the same batch', () =>
      withStorage(async ({ storage: { gateway } }) => {
        await gateway.saveCalls([
          { ...sampleCall(1), account: ADA },
          { ...sampleCall(2), account: BOB },
          { ...sampleCall(3), account: ADA },
        ])
        const own = { items: [sampleCall(3), sampleCall(1)], total: 2 }
        expect(await gateway.listCalls(ADA, FIRST)).toEqual(own)
        expect(await gateway.listCalls(BOB, FIRST)).toEqual({ items: [sampleCall(2)], total: 1 })
        const other = { id: 'nobody', name: ADA.name }
        expect(await gateway.listCalls(other, FIRST)).toEqual({ items: [], total: 0 })
      }))

    it('counts the responses of an endpoint by status and account', () =>
      withStorage(async ({ storage: { gateway } }) => {
        const answered = { endpointId: 7, failure: '' }
        const calls = [
          sampleCall(1, { ...answered, status: 200 }),
          sampleCall(2, { ...answered, status: 429 }),
          sampleCall(3, { ...answered, status: 200 }),
          sampleCall(4, { ...answered, status: 429, failure: 'too_many_requests' }),
          sampleCall(5, { ...answered, status: 504, failure: 'target_timeout' }),
          sampleCall(6, { ...answered, status: 200, endpointId: 8 }),
        ]
        await gateway.saveCalls(calls.map((call) => ({ ...call, account: ADA })))
        await gateway.saveCalls([{ ...sampleCall(7, answered), status: 503, account: BOB }])
        const counts = async (account: typeof ADA, endpointId: number) => [
          ...(await gateway.countResponses(account, endpointId)),
        ]
        expect(await counts(ADA, 7)).toEqual([
          [200, 2],
          [429, 1],
        ])
        expect(await counts(ADA, 8)).toEqual([[200, 1]])
        expect(await counts(BOB, 7)).toEqual([[503, 1]])
        expect(await counts(BOB, 8)).toEqual([])
        await gateway.sweepCalls({ before: Date.UTC(2027, 0), limit: 100 })
        expect(await counts(ADA, 7)).toEqual([])
      }))

    it('stores a batch as a whole or not at all', () =>
      withStorage(async ({ storage: { gateway } }) => {
        const batch = Array.from({ length: 1_234 }, (_, number) => sampleCall(number))
        await gateway.saveCalls(batch.map((call) => ({ ...call, account: ADA })))
        expect(await gateway.listCalls(ADA, { size: 3, page: 2 })).toEqual({
          items: [sampleCall(1_230), sampleCall(1_229), sampleCall(1_228)],
          total: 1_234,
        })
        // Calls always have a status: this represents any value that a database rejects.
        const broken = { ...sampleCall(2_000), status: null as unknown as number }
        await expect(
          gateway.saveCalls([...batch, broken].map((call) => ({ ...call, account: ADA }))),
        ).rejects.toMatchObject({ name: 'ServiceError' })
        expect((await gateway.listCalls(ADA, FIRST)).total).toBe(1_234)
      }))

    it('is swept from the oldest, up to the limit', () =>
      withStorage(async ({ storage: { gateway } }) => {
        const calls = Array.from({ length: 25 }, (_, number) =>
          sampleCall(number, { startedAt: number }),
        )
        await gateway.saveCalls(
          calls.map((call, index) => ({ ...call, account: index % 2 === 0 ? ADA : BOB })),
        )
        expect(await gateway.sweepCalls({ before: 0, limit: 10 })).toBe(0)
        expect(await gateway.sweepCalls({ before: 15, limit: 0 })).toBe(0)
        expect(await gateway.sweepCalls({ before: 15, limit: 10 })).toBe(10)
        const left = (await gateway.listCalls(ADA, FIRST)).items.map(({ startedAt }) => startedAt)
        expect(left).toEqual([24, 22, 20, 18, 16, 14, 12, 10])
        expect(await gateway.sweepCalls({ before: 15, limit: 10 })).toBe(5)
        expect(await gateway.sweepCalls({ before: 15, limit: 10 })).toBe(0)
        expect((await gateway.listCalls(BOB, FIRST)).total).toBe(5)
      }))

    it('is swept concurrently, each call once', (context) =>
      withStorage(async ({ storage, reopen }) => {
        if (!reopen) return context.skip('this storage is opened once only')
        const other = await reopen()
        try {
          const calls = Array.from({ length: 900 }, (_, number) =>
            sampleCall(number, { startedAt: number }),
          )
          await storage.gateway.saveCalls(calls.map((call) => ({ ...call, account: ADA })))
          const swept = await Promise.all(
            [storage, other, storage, other].map(({ gateway }) =>
              gateway.sweepCalls({ before: 800, limit: 150 }),
            ),
          )
          const count = swept.reduce((sum, each) => sum + each, 0)
          const { items, total } = await other.gateway.listCalls(ADA, FIRST)
          expect(total).toBe(900 - count)
          expect(items[0]).toEqual(sampleCall(899, { startedAt: 899 }))
          expect(count > 0).toBe(true)
        } finally {
          await other.close()
        }
      }))

    it('stores texts of every kind', () =>
      withStorage(async ({ storage: { gateway } }) => {
        const texts = [...TEXTS, ...more].slice(0, 100)
        const calls = texts.map((text, number) =>
          sampleCall(number, { keyId: text, endpoint: text, origin: text, failure: text }),
        )
        await gateway.saveCalls(calls.map((call) => ({ ...call, account: ADA })))
        const items = texts
          .map(toClean)
          .map((text, number) =>
            sampleCall(number, { keyId: text, endpoint: text, origin: text, failure: text }),
          )
        expect(await gateway.listCalls(ADA, FIRST)).toEqual({
          items: items.toReversed(),
          total: texts.length,
        })
      }))
  })
}
