import { describe, expect, it } from 'vitest'
import { createApiDiscovery } from '../../../core/app.ts'
import { TERMS_VERSION } from '../../../core/catalogue/search/postings.ts'
import type { FullStorage } from '../../../core/ports/storage.ts'
import { foldName } from '../../../core/shared/text.ts'
import type { WithStorage } from '../storage.ts'
import { identityOf, importSampleApi, NO_CHANGE, saveSampleVendor } from './samples.ts'

export function describeSearchUpdates(withStorage: WithStorage): void {
  describe('the search index of an earlier release', () => {
    it('is listed until each API is updated, the last one with a new generation', () =>
      withStorage(async ({ storage: { imports, catalogue }, storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const ids: number[] = []
        for (const api of [1, 2, 3]) {
          const { apiId } = await importSampleApi(storage, { vendor, api, endpoints: 1 })
          ids.push(apiId)
        }
        const [first = 0, second = 0, third = 0] = ids
        await imports.replaceApi(identityOf({ vendor, name: 'API 2' }), () => ({
          ...NO_CHANGE,
          postings: () => [posting('present')],
          termsVersion: 7,
        }))
        expect(await imports.listOutdatedSearch(7, 10)).toEqual([first, third])
        expect(await imports.listOutdatedSearch(7, 1)).toEqual([first])
        expect(await imports.listOutdatedSearch(8, 10)).toEqual(ids)
        const read = await catalogue.generation()
        await importSampleApi(storage, { vendor, api: 1, endpoints: 0 })
        const before = await catalogue.generation()
        const update = (apiId: number, term: string, generation = before) =>
          imports.updateSearch({ apiId, version: 7, generation, postings: [posting(term)] })
        await update(second, 'refused')
        await update(first, 'refused', read)
        expect(await imports.listOutdatedSearch(7, 10)).toEqual([first, third])
        await update(first, 'mail')
        expect(await catalogue.generation()).toBe(before)
        await update(third, 'mail')
        expect(await catalogue.generation()).toBe(before + 1)
        await update(third, 'refused')
        await update(99, 'refused')
        expect(await catalogue.generation()).toBe(before + 1)
        expect(await imports.listOutdatedSearch(7, 10)).toEqual([])
        const terms = ['mail', 'present', 'refused', 'term0'].map((text) => ({
          text,
          isPrefix: false,
        }))
        const found = await catalogue.findPostings(terms, {})
        expect(found.map(({ term, apiId }) => [term, apiId])).toEqual([
          [0, first],
          [0, third],
          [1, second],
        ])
      }))

    it('is found by current terms after the update, and by its own before', () =>
      withStorage(async ({ storage }) => {
        const earlier = createApiDiscovery({ storage })
        await importOrders(earlier)
        const indexed = await findWord(storage, 'orders')
        expect(indexed).toHaveLength(1)
        await indexAsBefore(storage)
        await importOrders(earlier)
        expect(await listOutdated(storage)).toHaveLength(1)
        expect(await findWord(storage, 'orders')).toEqual([])
        expect(await findWord(storage, 'formerly')).toHaveLength(1)
        const app = createApiDiscovery({ storage })
        const count = async (q: string) => {
          const request = { q, chosen: {}, page: { size: 10, page: 1 } }
          return (await app.catalogue.browse(request)).total
        }
        // Starts the update without waiting for it.
        await count('orders')
        await app.catalogue.updateSearch()
        expect([await count('formerly'), await count('orders')]).toEqual([0, 1])
        expect(await findWord(storage, 'orders')).toEqual(indexed)
        expect(await listOutdated(storage)).toEqual([])
      }))
  })
}

const DESCRIPTION = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1.0.0' },
  servers: [{ url: 'https://shop.example' }],
  paths: {
    '/orders': { get: { summary: 'List orders', responses: { 200: { description: 'OK' } } } },
  },
}

function importOrders({ imports }: ReturnType<typeof createApiDiscovery>) {
  const bytes = new TextEncoder().encode(JSON.stringify(DESCRIPTION))
  return imports.importDescription({
    bytes,
    vendorName: 'Shop',
    createVendor: true,
    isPublic: true,
  })
}

/** Simulates an index by a release that stored no version of its term rules. */
async function indexAsBefore(storage: FullStorage): Promise<void> {
  const vendor = await storage.catalogue.findVendor('Shop')
  if (!vendor) throw new Error('No vendor')
  const identity = { kind: 'http' as const, vendor, name: foldName('Shop'), majorVersion: '1' }
  await storage.imports.replaceApi(identity, () => ({
    ...NO_CHANGE,
    postings: () => [posting('formerly')],
  }))
}

const listOutdated = (storage: FullStorage) => storage.imports.listOutdatedSearch(TERMS_VERSION, 10)

async function findWord(storage: FullStorage, text: string) {
  const terms = [{ text, isPrefix: false }]
  const apis = await storage.catalogue.findPostings(terms, {})
  const ids = apis.map(({ apiId }) => apiId)
  return (await storage.catalogue.findEndpointPostings(terms, ids)).map(({ apiId, endpoints }) => [
    apiId,
    apis[0]?.weight,
    [...endpoints],
  ])
}

function posting(term: string) {
  return { term, weight: 1, endpoints: new Uint8Array([10, 1, 0]) }
}
