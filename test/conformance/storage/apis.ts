import { describe, expect, it } from 'vitest'
import type { WithStorage } from '../storage.ts'
import {
  collectPages,
  identityOf,
  importSampleApi,
  NO_CHANGE,
  sampleApiRow,
  saveSampleVendor,
} from './samples.ts'

export function describeApis(withStorage: WithStorage): void {
  describe('APIs', () => {
    it('are returned as imported, by either ID', () =>
      withStorage(async ({ storage, has }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const { apiId, encryptedId } = await importSampleApi(storage, {
          vendor,
          api: 1,
          endpoints: 2,
        })
        const { now, ...row } = sampleApiRow(1)
        const api = await storage.catalogue.findApi(encryptedId)
        expect(api).toEqual({
          ...row,
          id: apiId,
          vendor,
          isClaiming: false,
          canClaim: false,
          isAgreementsRestricted: false,
          isDescribed: true,
          createdAt: now,
          updatedAt: now,
        })
        expect(await storage.catalogue.findApi(String(apiId))).toEqual(api)
        expect(await storage.catalogue.listAgreements(apiId)).toEqual([
          { name: 'MIT', link: 'https://license.example/mit', kind: 'InterfaceLicense' },
        ])
        if (has('catalogue', 'listVendorAgreements')) {
          expect(await storage.catalogue.listVendorAgreements(vendor.id)).toEqual([])
        }
        if (has('imports', 'findSource')) {
          expect(await storage.imports.findSource(apiId)).toEqual({
            bytes: new TextEncoder().encode('source of 1'),
            mediaType: 'application/json',
            digest: 'd1',
          })
        }
        const pointer = '/components/schemas/Thing'
        expect(await storage.catalogue.findComponents(apiId, [pointer, '/none'])).toEqual(
          new Map([[pointer, '{"type":"object"}']]),
        )
      }))

    it('of several kinds share a name and version, and are updated separately', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const sample = { vendor, name: 'Sky', endpoints: 1 }
        const http = await importSampleApi(storage, { ...sample, api: 1 })
        const row = { kind: 'mcp' as const }
        const mcp = await importSampleApi(storage, { ...sample, api: 2, row })
        expect(mcp.apiId).not.toBe(http.apiId)
        const identity = { ...identityOf({ vendor, name: 'Sky' }), kind: 'mcp' as const }
        const { apiId } = await storage.imports.replaceApi(identity, (existing) => {
          expect(existing?.api).toMatchObject({ id: mcp.apiId, kind: 'mcp' })
          return { ...NO_CHANGE, api: { ...sampleApiRow(2), ...row, name: 'SKY' } }
        })
        expect(apiId).toBe(mcp.apiId)
        const found = await storage.catalogue.findApis([http.apiId, mcp.apiId])
        expect(found.map(({ kind, name }) => [kind, name])).toEqual([
          ['http', 'Sky'],
          ['mcp', 'SKY'],
        ])
      }))

    it('are not found by invalid IDs', () =>
      withStorage(async ({ storage, has }) => {
        const vendor = await saveSampleVendor(storage, 1)
        await importSampleApi(storage, { vendor, api: 1, endpoints: 1 })
        const ids = [
          '',
          '0',
          '-1',
          '1.0',
          '1e0',
          ' 1',
          "1' or '1'='1",
          '9'.repeat(30),
          '\0',
          'é',
          '%',
        ]
        for (const id of ids) {
          expect(await storage.catalogue.findApi(id)).toBeUndefined()
          expect(await storage.catalogue.findEndpoint(id)).toBeUndefined()
          expect(await storage.catalogue.findApiOfEndpoint(id)).toBeUndefined()
          if (!has('catalogue', 'removeApi')) continue
          expect(await storage.catalogue.removeApi(id)).toBe(false)
        }
      }))

    it('are updated in place, with their ID and creation day preserved', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const first = await importSampleApi(storage, { vendor, api: 1, endpoints: 1 })
        const before = await storage.catalogue.findApi(first.encryptedId)
        const row = { ...sampleApiRow(1), description: 'Another', version: '1.1', now: 9 }
        const identity = identityOf({ vendor, name: 'api  1' })
        const second = await storage.imports.replaceApi(identity, (existing) => {
          expect(existing?.api).toEqual(before)
          return { ...NO_CHANGE, api: row }
        })
        expect(second.apiId).toBe(first.apiId)
        expect(await storage.catalogue.findApi(first.encryptedId)).toEqual({
          ...before,
          description: 'Another',
          version: '1.1',
          updatedAt: 9,
        })
      }))

    it('record the last import, without a new generation for unchanged descriptions', () =>
      withStorage(async ({ storage: { catalogue, imports }, storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const { apiId, encryptedId } = await importSampleApi(storage, {
          vendor,
          api: 1,
          endpoints: 0,
        })
        expect(await imports.findImportedAt(apiId)).toBeUndefined()
        const identity = identityOf({ vendor, name: 'api 1' })
        const generation = await catalogue.generation()
        for (const importedAt of [7, undefined, 1_900_000_000_000]) {
          await imports.replaceApi(identity, () => ({ ...NO_CHANGE, importedAt }))
          expect(await imports.findImportedAt(apiId)).toBe(importedAt ?? 7)
        }
        expect(await catalogue.generation()).toEqual(generation)
        const api = { ...sampleApiRow(1), now: 9 }
        await imports.replaceApi(identity, () => ({ ...NO_CHANGE, api, importedAt: 9 }))
        expect(await imports.findImportedAt(apiId)).toBe(9)
        expect(await catalogue.removeApi(encryptedId)).toBe(true)
        expect(await imports.findImportedAt(apiId)).toBeUndefined()
      }))

    it('are listed by code points of the folded name, then ID, with exact counts', () =>
      withStorage(async ({ storage }) => {
        const first = await saveSampleVendor(storage, 1)
        const second = await saveSampleVendor(storage, 2)
        const names = [
          'zoo',
          '\u{1F600} smile',
          'Ärger',
          '\uE000 own',
          'b',
          'B2',
          'ß',
          'Ж',
          'a-b',
          'a b',
        ]
        for (const [index, name] of names.entries()) {
          await importSampleApi(storage, { vendor: first, api: index, endpoints: 0, name })
        }
        await importSampleApi(storage, { vendor: second, api: 90, endpoints: 0, name: 'b' })
        const all = await storage.catalogue.listApis({}, { size: 100, page: 1 })
        expect(all.total).toBe(11)
        expect(all.items.map(({ name, vendor }) => [name, vendor.id])).toEqual([
          ['a b', first.id],
          ['a-b', first.id],
          ['Ärger', first.id],
          ['b', first.id],
          ['b', second.id],
          ['B2', first.id],
          ['zoo', first.id],
          ['ß', first.id],
          ['Ж', first.id],
          // Sorts later in UTF-16 than a text that starts with D83D.
          ['\uE000 own', first.id],
          ['\u{1F600} smile', first.id],
        ])
        const third = await storage.catalogue.listApis({}, { size: 4, page: 3 })
        expect([third.total, third.items]).toEqual([11, all.items.slice(8)])
        expect(await storage.catalogue.listApis({}, { size: 4, page: 4 })).toEqual({
          items: [],
          total: 11,
        })
      }))

    it('are filtered by day and visibility', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const day = 86_400_000
        for (const number of [1, 2, 3, 4]) {
          const row = { now: number * day, isPublic: number % 2 === 0 }
          await importSampleApi(storage, { vendor, api: number, endpoints: 0, row })
        }
        const names = async (filter: Parameters<typeof storage.catalogue.listApis>[0]) => {
          const { items, total } = await storage.catalogue.listApis(filter, { size: 10, page: 1 })
          return [items.map(({ name }) => name), total]
        }
        expect(await names({ isPublic: true })).toEqual([['API 2', 'API 4'], 2])
        expect(await names({ isPublic: false })).toEqual([['API 1', 'API 3'], 2])
        const range = { startDate: '1970-01-03', endDate: '1970-01-04' }
        expect(await names(range)).toEqual([['API 2', 'API 3'], 2])
        expect(await names({ ...range, isPublic: false })).toEqual([['API 3'], 1])
        const added = await collectPages(
          storage.catalogue.listAddedApis({ startDate: '1970-01-03' }),
        )
        expect(added.map(({ name }) => name)).toEqual(['API 4', 'API 3', 'API 2'])
      }))

    it('are found by name, vendor or both, and in the order of requested IDs', () =>
      withStorage(async ({ storage }) => {
        const first = await saveSampleVendor(storage, 1)
        const second = await saveSampleVendor(storage, 2)
        const one = await importSampleApi(storage, {
          vendor: first,
          api: 1,
          endpoints: 0,
          name: 'Mail',
        })
        const two = await importSampleApi(storage, {
          vendor: second,
          api: 2,
          endpoints: 0,
          name: 'Mail',
        })
        const three = await importSampleApi(storage, {
          vendor: second,
          api: 3,
          endpoints: 0,
          name: 'Fax',
        })
        const ids = async (names: Parameters<typeof storage.catalogue.findApisByName>[0]) =>
          (await storage.catalogue.findApisByName(names)).map(({ id }) => id)
        expect(await ids({ apiName: ' MAIL' })).toEqual([one.apiId, two.apiId])
        expect(await ids({ vendorName: 'vendor  2' })).toEqual([two.apiId, three.apiId])
        expect(await ids({ apiName: 'mail', vendorName: 'Vendor 2' })).toEqual([two.apiId])
        expect(await ids({ apiName: 'fax', vendorName: 'Vendor 1' })).toEqual([])
        expect(await ids({})).toEqual([])
        const found = await storage.catalogue.findApis([three.apiId, 4_711, one.apiId])
        expect(found.map(({ id }) => id)).toEqual([three.apiId, one.apiId])
        const added = storage.catalogue.listAddedApis({ apiName: 'Mail', vendorName: 'vendor 1' })
        expect((await collectPages(added)).map(({ id }) => id)).toEqual([one.apiId])
      }))

    it('are removed with all dependent data, and their IDs never reused', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const { apiId, encryptedId } = await importSampleApi(storage, {
          vendor,
          api: 1,
          endpoints: 3,
        })
        const [endpoint] = await storage.catalogue.listApiEndpoints(apiId)
        expect(await storage.catalogue.removeApi(encryptedId)).toBe(true)
        expect(await storage.catalogue.removeApi(encryptedId)).toBe(false)
        expect(await storage.catalogue.findApi(encryptedId)).toBeUndefined()
        expect(await storage.catalogue.listApis({}, { size: 10, page: 1 })).toEqual({
          items: [],
          total: 0,
        })
        expect(await storage.catalogue.findEndpoint(endpoint?.shortId ?? '')).toBeUndefined()
        expect(await storage.catalogue.listApiEndpoints(apiId)).toEqual([])
        expect(await collectPages(storage.catalogue.listEndpoints())).toEqual([])
        expect(await collectPages(storage.catalogue.listMatchTargets())).toEqual([])
        expect(await collectPages(storage.catalogue.listAddedApis({}))).toEqual([])
        expect(await storage.catalogue.listAgreements(apiId)).toEqual([])
        expect(await storage.imports.findSource(apiId)).toBeUndefined()
        const terms = [{ text: 'term', isPrefix: true }]
        expect(await storage.catalogue.findPostings(terms, {})).toEqual([])
        expect(await storage.catalogue.findEndpointPostings(terms, [apiId])).toEqual([])
        const again = await importSampleApi(storage, { vendor, api: 1, endpoints: 3 })
        expect(again.apiId > apiId).toBe(true)
        expect(again.encryptedId).toBe(encryptedId)
        const [newest] = await storage.catalogue.listApiEndpoints(again.apiId)
        expect((newest?.id ?? 0) > (endpoint?.id ?? 0) + 2).toBe(true)
        expect(newest?.shortId).toBe(endpoint?.shortId)
      }))

    it('are rejected on import if the vendor is unknown', () =>
      withStorage(async ({ storage }) => {
        const vendor = { ...(await saveSampleVendor(storage, 1)), id: 99 }
        await expect(
          importSampleApi(storage, { vendor, api: 1, endpoints: 1 }),
        ).rejects.toMatchObject({
          name: 'ServiceError',
          code: 'not_found',
        })
        expect(await collectPages(storage.catalogue.listEndpoints())).toEqual([])
      }))
  })
}
