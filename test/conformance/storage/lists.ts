import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../core/ports/storage.ts'
import type { WithStorage } from '../storage.ts'
import {
  collectPages,
  identityOf,
  importSampleApi,
  NO_CHANGE,
  sampleApiRow,
  sampleEndpoint,
  saveSampleVendor,
} from './samples.ts'

/** More than two pages in any storage. */
const MANY = 2_300

export function describeLists(withStorage: WithStorage): void {
  describe('long lists', () => {
    it('return all items in order of ID, over several pages', () =>
      withStorage(async ({ storage }) => {
        await importMany(storage)
        const pages: number[] = []
        const ids: number[] = []
        for await (const page of storage.catalogue.listEndpoints()) {
          pages.push(page.length)
          ids.push(...page.map(({ id }) => id))
        }
        expect(pages.length > 1).toBe(true)
        expect(ids.length).toBe(MANY)
        expect(ids).toEqual([...new Set(ids)].sort((left, right) => left - right))
      }))

    it('show the generation at their start, despite concurrent commits', () =>
      withStorage(async ({ storage }) => {
        const { vendor, apiId } = await importMany(storage)
        const before = await collectPages(storage.catalogue.listEndpoints())
        const targets = await collectPages(storage.catalogue.listMatchTargets())
        const slow = await begin(storage.catalogue.listEndpoints())
        const matching = await begin(storage.catalogue.listMatchTargets())
        await importSampleApi(storage, { vendor, api: 2, endpoints: 5 })
        const seen: unknown[] = []
        for await (const page of storage.catalogue.listEndpoints()) {
          seen.push(...page)
          await change(storage, { vendor, apiId, step: seen.length })
        }
        expect(seen.slice(0, MANY)).toEqual(before)
        expect(seen.length).toBe(MANY + 5)
        expect(await slow.finish()).toEqual(before)
        expect(await matching.finish()).toEqual(targets)
        const now = await collectPages(storage.catalogue.listEndpoints())
        expect(now.length).toBe(5)
      }))

    it('show an API as it was, although it is removed or changed concurrently', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const apis = 230
        for (let api = 1; api <= apis; api += 1) {
          await importSampleApi(storage, { vendor, api, endpoints: 0 })
        }
        const before = await collectPages(storage.catalogue.listAddedApis({}))
        expect(before.map(({ name }) => name)).toEqual(
          Array.from({ length: apis }, (_, index) => `API ${apis - index}`),
        )
        const added = await begin(storage.catalogue.listAddedApis({}))
        await storage.catalogue.removeApi(before.at(-1)?.encryptedId ?? '')
        await storage.imports.replaceApi(identityOf({ vendor, name: 'API 2' }), () => ({
          ...NO_CHANGE,
          api: { ...sampleApiRow(2), description: 'Changed' },
        }))
        await importSampleApi(storage, { vendor, api: 999, endpoints: 1, row: { now: 1 } })
        expect(await added.finish()).toEqual(before)
        const after = await collectPages(storage.catalogue.listAddedApis({}))
        expect(after.slice(-2).map(({ name, description }) => [name, description])).toEqual([
          ['API 2', 'Changed'],
          ['API 999', 'Does the things of API 999'],
        ])
      }))

    it('contain only outbound endpoints, with API and vendor names for the matcher', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const { apiId } = await importSampleApi(storage, { vendor, api: 1, endpoints: 1 })
        const inbound = sampleEndpoint({ api: 1, endpoint: 7 })
        await storage.imports.replaceApi(identityOf({ vendor, name: 'API 1' }), () => ({
          ...NO_CHANGE,
          added: [{ ...inbound, description: { ...inbound.description, isInbound: true } }],
        }))
        const [endpoint, webhook] = await storage.catalogue.listApiEndpoints(apiId)
        const ids = [webhook?.id ?? 0, endpoint?.id ?? 0]
        expect([webhook?.isInbound, endpoint?.isInbound]).toEqual([true, false])
        for (const isInbound of [true, false]) {
          const only = { apiId, isInbound }
          const page = await storage.catalogue.listEndpointPage(only, { page: 1, size: 9 })
          expect([page.total, page.items.map(({ id }) => id)]).toEqual([
            1,
            [ids[Number(!isInbound)]],
          ])
        }
        for (const list of [
          await collectPages(storage.catalogue.listEndpoints()),
          await storage.catalogue.findEndpointSummaries(ids),
        ]) {
          expect(list.map(({ id }) => id)).toEqual([endpoint?.id])
        }
        expect(await collectPages(storage.catalogue.listMatchTargets())).toEqual([
          {
            id: endpoint?.id,
            shortId: endpoint?.shortId,
            apiId,
            method: 'get',
            path: '/things/0/{id}',
            servers: [{ url: 'https://api1.example/v1', name: '', variables: [] }],
            apiName: 'API 1',
            vendorName: 'Vendor 1',
          },
        ])
      }))

    it('may be abandoned early, and end at once for an empty catalogue', () =>
      withStorage(async ({ storage }) => {
        expect(await collectPages(storage.catalogue.listEndpoints())).toEqual([])
        expect(await collectPages(storage.catalogue.listMatchTargets())).toEqual([])
        expect(await collectPages(storage.catalogue.listAddedApis({}))).toEqual([])
        await importMany(storage)
        for await (const _page of storage.catalogue.listEndpoints()) break
        await storage.ping()
      }))
  })
}

/** Reads the first page of a list; `finish` reads the rest and returns all. */
async function begin<T>(pages: AsyncIterable<readonly T[]>) {
  const iterator = pages[Symbol.asyncIterator]()
  const first = await iterator.next()
  return {
    async finish(): Promise<readonly T[]> {
      const rest = await collectPages({ [Symbol.asyncIterator]: () => iterator })
      return first.done ? rest : [...first.value, ...rest]
    },
  }
}

async function importMany(storage: FullStorage) {
  const vendor = await saveSampleVendor(storage, 1)
  const { apiId } = await importSampleApi(storage, { vendor, api: 1, endpoints: MANY })
  return { vendor, apiId }
}

/** First changes endpoints that were not listed yet, then removes the API. */
async function change(
  storage: FullStorage,
  at: {
    readonly vendor: Awaited<ReturnType<typeof saveSampleVendor>>
    readonly apiId: number
    readonly step: number
  },
): Promise<void> {
  const { vendor, apiId, step } = at
  if (step >= MANY / 2) {
    await storage.catalogue.removeApi(String(apiId))
    return
  }
  await storage.imports.replaceApi(identityOf({ vendor, name: 'API 1' }), (existing) => {
    const endpoints = existing?.endpoints ?? []
    const last = endpoints.at(-1)
    const changed = sampleEndpoint({ api: 1, endpoint: MANY - 1, description: 'Changed' })
    return {
      ...NO_CHANGE,
      added: [sampleEndpoint({ api: 1, endpoint: MANY + step })],
      changed: last ? [{ ...changed, id: last.id }] : [],
      removed: endpoints.slice(-3, -1).map(({ id }) => id),
    }
  })
}
