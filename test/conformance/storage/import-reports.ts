import { describe, expect, it } from 'vitest'
import type { ImportRecord } from '../../../core/imports/records.ts'
import type { WithStorage } from '../storage.ts'
import { TEXTS, toClean } from './texts.ts'

const ADA = { id: 'a1', name: 'Ada' }
const BOB = { id: 'b2', name: 'Bob' }
const ALL = { size: 100, page: 1 }

function imported(at: number, more: Partial<ImportRecord> = {}): ImportRecord {
  return {
    at,
    by: undefined,
    fileName: 'loaves.yaml',
    vendorName: 'Mill',
    apiId: `api${at}`,
    apiName: 'Loaves',
    outcome: {
      kind: 'imported',
      report: {
        operations: 3,
        webhooks: 0,
        callbacks: 0,
        parameters: 5,
        added: 2,
        changed: 1,
        removed: 0,
        unchanged: 0,
        skipped: 1,
        warnings: [{ pointer: '/paths/~1loaves', message: 'has no operation' }],
      },
      warningCount: 7,
    },
    ...more,
  }
}

function failed(at: number, more: Partial<ImportRecord> = {}): ImportRecord {
  const where = 'line 3, column 7'
  const outcome = { kind: 'failed', code: 'invalid_description', message: 'No', where } as const
  return imported(at, { apiId: '', apiName: '', outcome, ...more })
}

export function describeImportReports(withStorage: WithStorage, texts: readonly string[]): void {
  describe('import reports', () => {
    it('are listed to their account with those of the operator, newest first', () =>
      withStorage(async ({ storage: { imports } }) => {
        const records = [imported(1), failed(2, { by: ADA }), imported(3, { by: BOB }), failed(4)]
        const ids: number[] = []
        for (const record of records) ids.push(await imports.addReport(record, 1000))
        const listOf = async (account: typeof ADA | undefined) => {
          const { items, total } = await imports.listReports(account, ALL)
          expect(total).toBe(items.length)
          for (const item of items) expect(await imports.findReport(account, item.id)).toEqual(item)
          return items.map(({ id: _, ...rest }) => rest)
        }
        expect(new Set(ids).size).toBe(4)
        for (const [state, times] of [
          ['failed', [4, 2]],
          ['imported', [1]],
        ] as const) {
          const { items, total } = await imports.listReports(ADA, { ...ALL, state })
          expect([total, items.map(({ at }) => at)]).toEqual([times.length, times])
        }
        expect((await imports.findReport(ADA, ids[1] ?? 0))?.at).toBe(2)
        const [first, ofAda, ofBob, last] = records
        expect(await listOf(ADA)).toEqual([last, ofAda, first])
        expect(await listOf(BOB)).toEqual([last, ofBob, first])
        expect(await listOf(undefined)).toEqual([last, first])
        const { items } = await imports.listReports(ADA, { size: 1, page: 2 })
        expect(items.map(({ at }) => at)).toEqual([2])
        const hidden = items[0]?.id ?? 0
        expect(await imports.findReport(BOB, hidden)).toBeUndefined()
        expect(await imports.findReport(undefined, hidden)).toBeUndefined()
        expect(await imports.findLatestTime()).toBe(3)
      }))

    it('are initially empty', () =>
      withStorage(async ({ storage: { imports } }) => {
        expect(await imports.listReports(ADA, ALL)).toEqual({ items: [], total: 0 })
        await imports.addReport(failed(1), 1000)
        expect(await imports.findLatestTime()).toBeUndefined()
      }))

    it('are limited to the newest of an account', () =>
      withStorage(async ({ storage: { imports } }) => {
        await imports.addReport(imported(0), 1000)
        await imports.addReport(failed(0, { by: BOB }), 1000)
        for (let at = 1; at <= 5; at += 1) await imports.addReport(failed(at, { by: ADA }), 3)
        const { items, total } = await imports.listReports(ADA, ALL)
        expect([total, items.map(({ at }) => at)]).toEqual([4, [5, 4, 3, 0]])
        expect((await imports.listReports(BOB, ALL)).total).toBe(2)
      }))

    it('store texts of every kind', () =>
      withStorage(async ({ storage: { imports } }) => {
        for (const text of [...TEXTS, ...texts].slice(0, 100)) {
          const by = { id: 'a1', name: text }
          const names = { by, fileName: text, vendorName: text }
          const outcome = { kind: 'failed', code: 'invalid_input', message: text, where: text }
          await imports.addReport(failed(1, { ...names, outcome } as Partial<ImportRecord>), 1000)
          const { items } = await imports.listReports(by, { size: 1, page: 1 })
          const clean = toClean(text)
          expect(items[0]).toMatchObject({
            by: { name: clean },
            fileName: clean,
            vendorName: clean,
            outcome: { message: clean, where: clean },
          })
        }
      }))
  })
}
