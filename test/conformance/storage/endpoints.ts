import { describe, expect, it } from 'vitest'
import type { WithStorage } from '../storage.ts'
import {
  collectPages,
  identityOf,
  importSampleApi,
  NO_CHANGE,
  sampleChange,
  sampleEndpoint,
  saveSampleVendor,
} from './samples.ts'

export function describeEndpoints(withStorage: WithStorage): void {
  describe('endpoints', () => {
    it('are returned as imported, by either ID', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const { apiId } = await importSampleApi(storage, { vendor, api: 1, endpoints: 3 })
        const all = await storage.catalogue.listApiEndpoints(apiId)
        expect(all).toEqual(
          sampleChange({ api: 1, endpoints: 3 }).added.map(({ description, shortIds }, index) => ({
            ...description,
            id: (all[0]?.id ?? 0) + index,
            shortId: shortIds[0],
            apiId,
          })),
        )
        const [, second] = all
        expect(await storage.catalogue.findEndpoint(String(second?.id))).toEqual(second)
        expect(await storage.catalogue.findEndpoint(second?.shortId ?? '')).toEqual(second)
        for (const id of [String(second?.id), second?.shortId ?? '']) {
          expect(await storage.catalogue.findEndpointParameters(id)).toEqual({
            method: second?.method,
            url: second?.url,
            description: second?.description,
            parameters: second?.parameters,
          })
        }
        const api = await storage.catalogue.findApi(String(apiId))
        expect(await storage.catalogue.findApiOfEndpoint(second?.shortId ?? '')).toEqual(api)
        expect(await storage.catalogue.findApiOfEndpoint(String(second?.id))).toEqual(api)
      }))

    it('have the rate limits of the newest import', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const { added } = sampleChange({ api: 1, endpoints: 2 })
        const stated = [
          {
            headers: ['retry-after'],
            limits: [{ calls: 5, windowMs: 1000, source: 'words of é' }],
          },
          { headers: [], limits: [{ calls: 7, source: 'x-ratelimit of the path' }] },
        ]
        const save = (rateLimits: (typeof stated)[number] | undefined) =>
          storage.imports.replaceApi(identityOf({ vendor, name: 'Limited' }), (existing) => {
            const all = added.map((row) => ({
              ...row,
              description: { ...row.description, rateLimits },
            }))
            if (!existing) return { ...sampleChange({ api: 1, endpoints: 2 }), added: all }
            const ids = existing.endpoints.map(({ id }) => id)
            const changed = all.map((row, index) => ({ ...row, id: ids[index] ?? 0 }))
            return { ...NO_CHANGE, changed }
          })
        for (const rateLimits of [...stated, undefined]) {
          const { apiId } = await save(rateLimits)
          const endpoints = await storage.catalogue.listApiEndpoints(apiId)
          expect(endpoints.map((endpoint) => endpoint.rateLimits)).toEqual([rateLimits, rateLimits])
        }
      }))

    it('are summarised in the order of requested IDs', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        await importSampleApi(storage, { vendor, api: 1, endpoints: 3 })
        const all = await collectPages(storage.catalogue.listEndpoints())
        expect(all.map(({ url, method, description }) => [url, method, description])).toEqual(
          [0, 1, 2].map((number) => [
            `https://api1.example/v1/things/${number}/{id}`,
            'get',
            `Does thing ${number}`,
          ]),
        )
        const ids = [all[2]?.id ?? 0, 4_711, all[0]?.id ?? 0]
        expect(await storage.catalogue.findEndpointSummaries(ids)).toEqual([all[2], all[0]])
      }))

    it('are summarised with their deprecation', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const old = sampleEndpoint({ api: 1, endpoint: 1 })
        await storage.imports.replaceApi(identityOf({ vendor, name: 'API 1' }), () => ({
          ...sampleChange({ api: 1, endpoints: 1 }),
          added: [
            sampleEndpoint({ api: 1, endpoint: 0 }),
            { ...old, description: { ...old.description, isDeprecated: true } },
          ],
        }))
        const all = await collectPages(storage.catalogue.listEndpoints())
        expect(all.map(({ isDeprecated }) => isDeprecated)).toEqual([false, true])
        const ids = all.map(({ id }) => id)
        expect(await storage.catalogue.findEndpointSummaries(ids)).toEqual(all)
      }))

    it('retain their IDs on re-import, changed or not', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const { apiId } = await importSampleApi(storage, { vendor, api: 1, endpoints: 4 })
        const before = await storage.catalogue.listApiEndpoints(apiId)
        const id = (index: number) => before[index]?.id ?? 0
        const changed = sampleEndpoint({ api: 1, endpoint: 1, description: 'Changed' })
        let idsByKey: ReadonlyMap<string, number> = new Map()
        await storage.imports.replaceApi(identityOf({ vendor, name: 'API 1' }), (existing) => {
          expect(existing?.endpoints).toEqual(
            sampleChange({ api: 1, endpoints: 4 }).added.map(({ digest, description }, index) => ({
              id: id(index),
              shortId: before[index]?.shortId,
              key: description.key,
              path: description.path,
              digest,
            })),
          )
          return {
            ...NO_CHANGE,
            changed: [{ ...changed, id: id(1) }],
            removed: [id(2)],
            added: [sampleEndpoint({ api: 1, endpoint: 9 })],
            postings(ids) {
              idsByKey = ids
              return []
            },
          }
        })
        const after = await storage.catalogue.listApiEndpoints(apiId)
        expect(after.slice(0, 3)).toEqual([
          before[0],
          { ...before[1], description: 'Changed' },
          before[3],
        ])
        expect(after.length).toBe(4)
        expect((after[3]?.id ?? 0) > id(3)).toBe(true)
        expect(idsByKey).toEqual(new Map(after.map(({ key, id: endpointId }) => [key, endpointId])))
        expect(await storage.catalogue.findEndpoint(String(id(2)))).toBeUndefined()
        expect(await storage.catalogue.findEndpointParameters(String(id(2)))).toBeUndefined()
      }))

    it('reuse the short IDs of removed endpoints, not of changed ones', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const { apiId } = await importSampleApi(storage, { vendor, api: 1, endpoints: 2 })
        const [kept, removed] = await storage.catalogue.listApiEndpoints(apiId)
        const changed = sampleEndpoint({ api: 1, endpoint: 7 })
        const shortIds = [kept?.shortId ?? '', removed?.shortId ?? '', 'aaaaaaa']
        const toNew = (endpoint: number) => ({ ...sampleEndpoint({ api: 1, endpoint }), shortIds })
        await storage.imports.replaceApi(identityOf({ vendor, name: 'API 1' }), () => ({
          ...NO_CHANGE,
          changed: [{ ...changed, id: kept?.id ?? 0 }],
          removed: [removed?.id ?? 0],
          // Has the former key of the changed endpoint.
          added: [toNew(0), toNew(8)],
        }))
        const after = await storage.catalogue.listApiEndpoints(apiId)
        expect(after.map(({ path, shortId }) => [path, shortId])).toEqual([
          ['/things/7/{id}', kept?.shortId],
          ['/things/0/{id}', removed?.shortId],
          ['/things/8/{id}', 'aaaaaaa'],
        ])
      }))

    it('get the first free short ID, and fail as a whole when all are taken', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const { apiId } = await importSampleApi(storage, { vendor, api: 1, endpoints: 1 })
        const [taken] = await storage.catalogue.listApiEndpoints(apiId)
        const shortIds = [taken?.shortId ?? '', 'aaaaaaa', 'bbbbbbb']
        const wanted = (number: number) => ({
          ...sampleEndpoint({ api: 2, endpoint: number }),
          shortIds,
        })
        const change = sampleChange({ api: 2, endpoints: 0 })
        const identity = identityOf({ vendor, name: 'API 2' })
        await expect(
          storage.imports.replaceApi(identity, () => ({
            ...change,
            added: [wanted(1), wanted(2), wanted(3)],
          })),
        ).rejects.toMatchObject({ name: 'ServiceError', code: 'conflict' })
        expect((await collectPages(storage.catalogue.listEndpoints())).length).toBe(1)
        const second = await storage.imports.replaceApi(identity, () => ({
          ...change,
          added: [wanted(1), wanted(2)],
        }))
        const given = await storage.catalogue.listApiEndpoints(second.apiId)
        expect(given.map(({ shortId }) => shortId)).toEqual(['aaaaaaa', 'bbbbbbb'])
      }))
  })
}
