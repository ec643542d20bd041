import { describe, expect, it } from 'vitest'
import type { WithStorage } from '../storage.ts'
import { sampleVendor, saveSampleVendor } from './samples.ts'

export function describeVendors(withStorage: WithStorage): void {
  describe('vendors', () => {
    it('get increasing IDs and are returned as saved', () =>
      withStorage(async ({ storage }) => {
        const first = await storage.catalogue.saveVendor(sampleVendor(1))
        const second = await storage.catalogue.saveVendor(sampleVendor(2))
        expect(first).toEqual({ ...sampleVendor(1), id: first?.id })
        expect(second).toEqual({ ...sampleVendor(2), id: second?.id })
        expect((second?.id ?? 0) > (first?.id ?? 0)).toBe(true)
        expect(await storage.catalogue.findVendor('Vendor 2')).toEqual(second)
        const ids = [second?.id ?? 0, 999_999, first?.id ?? 0]
        expect(await storage.catalogue.findVendors(ids)).toEqual([second, first])
        expect(await storage.catalogue.findVendors([])).toEqual([])
      }))

    it('are identical if names differ only in case, accents and spacing', () =>
      withStorage(async ({ storage }) => {
        const saved = await storage.catalogue.saveVendor({
          ...sampleVendor(1),
          name: 'Café  Zürich',
        })
        const again = { ...sampleVendor(2), name: ' CAFE zurich' }
        expect(await storage.catalogue.saveVendor(again)).toBeUndefined()
        expect(await storage.catalogue.findVendor('cafe Zürich ')).toEqual(saved)
        expect(await storage.catalogue.findVendor('cafe')).toBeUndefined()
      }))

    it('are found by word prefixes and host, full names first', () =>
      withStorage(async ({ storage }) => {
        const names = ['Mail House', 'Mail', 'Mailbox', 'Best of Mail', 'Paper']
        for (const [index, name] of names.entries()) {
          await storage.catalogue.saveVendor({
            ...sampleVendor(index),
            name,
            description: 'Sends post',
          })
        }
        expect(await search('mail')).toEqual(['Mail', 'Mail House', 'Mailbox', 'Best of Mail'])
        expect(await search('POST mai')).toEqual(['Best of Mail', 'Mail', 'Mail House', 'Mailbox'])
        expect(await search('vendor4.exam')).toEqual(['Paper'])
        expect(await search('ail')).toEqual([])
        expect(await search('mail paper')).toEqual([])

        async function search(q: string) {
          const page = await storage.catalogue.searchVendors({ q }, { size: 10, page: 1 })
          expect(page.total).toBe(page.items.length)
          return page.items.map(({ name }) => name)
        }
      }))

    it('are found with wildcard characters taken literally', () =>
      withStorage(async ({ storage }) => {
        await storage.catalogue.saveVendor({ ...sampleVendor(1), name: '100% Fun_Co!' })
        await saveSampleVendor(storage, 2)
        for (const q of ['%', '_', '!', '100%', 'fun_co!', "'", '\\', '*']) {
          const { items } = await storage.catalogue.searchVendors({ q }, { size: 10, page: 1 })
          expect([q, items.map(({ name }) => name)]).toEqual([
            q,
            ['100%', 'fun_co!'].includes(q) ? ['100% Fun_Co!'] : [],
          ])
        }
      }))

    it('are paged with exact counts, even past the end, and filtered by day', () =>
      withStorage(async ({ storage }) => {
        const day = 86_400_000
        for (const number of [1, 2, 3, 4, 5]) {
          await storage.catalogue.saveVendor({ ...sampleVendor(number), createdAt: number * day })
        }
        const page = (size: number, number: number) =>
          storage.catalogue.searchVendors({}, { size, page: number })
        expect(names(await page(2, 1))).toEqual([['Vendor 1', 'Vendor 2'], 5])
        expect(names(await page(2, 3))).toEqual([['Vendor 5'], 5])
        expect(names(await page(2, 4))).toEqual([[], 5])
        const range = { startDate: '1970-01-03', endDate: '1970-01-04' }
        const within = await storage.catalogue.searchVendors(range, { size: 10, page: 1 })
        expect(names(within)).toEqual([['Vendor 2', 'Vendor 3'], 2])

        function names({ items, total }: Awaited<ReturnType<typeof page>>) {
          return [items.map(({ name }) => name), total]
        }
      }))
  })
}
