import { describe, expect, it } from 'vitest'
import type { WithStorage } from '../storage.ts'
import {
  identityOf,
  importSampleApi,
  NO_CHANGE,
  sampleApiRow,
  sampleChange,
  saveSampleVendor,
} from './samples.ts'

export function describeFacts(withStorage: WithStorage): void {
  describe('facets', () => {
    it('of APIs are listed by folded name, with exact numbers of endpoints after every change', () =>
      withStorage(async ({ storage, has }) => {
        const { catalogue, imports } = storage
        expect(await catalogue.listFacts()).toEqual([])
        const vendor = await saveSampleVendor(storage, 1)
        const other = await importSampleApi(storage, {
          vendor,
          api: 2,
          endpoints: 0,
          name: 'Zebra',
          row: {
            kind: 'mcp',
            isPublic: false,
            categoryId: undefined,
            authTypes: ['OAuth2', 'query'],
            licenses: [
              { name: 'Apache License, Version 2.0', url: '' },
              { name: 'Licence', url: 'https://www.apache.org/licenses/LICENSE-2.0.html' },
              { name: 'House rules', url: '' },
              { name: '', url: 'https://spdx.org/licenses/MIT.html' },
            ],
          },
        })
        const { added } = sampleChange({ api: 1, endpoints: 5 })
        const identity = identityOf({ vendor, name: 'Äpfel' })
        const flags = [{}, { isDeprecated: true }, {}, { isInbound: true }, { isDeprecated: true }]
        const { apiId } = await imports.replaceApi(identity, () => ({
          ...NO_CHANGE,
          api: { ...sampleApiRow(1), name: 'Äpfel' },
          added: added.map((row, index) => ({
            ...row,
            description: { ...row.description, ...flags[index] },
          })),
        }))
        const named = { id: vendor.id, name: vendor.name }
        const first = {
          id: apiId,
          kind: 'http',
          name: 'apfel',
          vendor: named,
          categoryId: 3,
          authTypes: ['header'],
          licenses: ['MIT'],
          isPublic: true,
          createdAt: sampleApiRow(1).now,
          endpoints: 4,
          deprecated: 2,
        }
        const second = {
          id: other.apiId,
          kind: 'mcp',
          name: 'zebra',
          vendor: named,
          categoryId: undefined,
          authTypes: ['OAuth2', 'query'],
          licenses: ['Apache-2.0', 'Apache-2.0', 'House rules', ''],
          isPublic: false,
          createdAt: sampleApiRow(2).now,
          endpoints: 0,
          deprecated: 0,
        }
        const facts = await catalogue.listFacts()
        expect(facts).toEqual([first, second])
        expect(await catalogue.listFacts()).toBe(facts)

        const removed = (await catalogue.listApiEndpoints(apiId)).slice(1, 3).map(({ id }) => id)
        await imports.replaceApi(identity, () => ({ ...NO_CHANGE, removed }))
        expect(await catalogue.listFacts()).toEqual([
          { ...first, endpoints: 2, deprecated: 1 },
          second,
        ])
        if (!has('catalogue', 'removeApi')) return
        await catalogue.removeApi(String(apiId))
        expect(await catalogue.listFacts()).toEqual([second])
      }))

    it('of endpoints filter those of one API page by page, by words, method and deprecation', () =>
      withStorage(async ({ storage }) => {
        const { catalogue, imports } = storage
        const vendor = await saveSampleVendor(storage, 1)
        await importSampleApi(storage, { vendor, api: 2, endpoints: 3 })
        const { added } = sampleChange({ api: 1, endpoints: 25 })
        const { apiId } = await imports.replaceApi(identityOf({ vendor, name: 'Paged' }), () => ({
          ...NO_CHANGE,
          api: { ...sampleApiRow(1), name: 'Paged' },
          added: added.map((row, index) => ({
            ...row,
            description: {
              ...row.description,
              isDeprecated: index === 7,
              method: index % 5 === 0 ? 'post' : 'get',
              description: index === 3 ? '100% of_it! \\ "all"' : row.description.description,
            },
          })),
        }))
        const all = await catalogue.listApiEndpoints(apiId)
        const list = (filter: object, page = 1) =>
          catalogue.listEndpointPage({ apiId, ...filter }, { size: 10, page })
        expect(await list({})).toEqual({ items: all.slice(0, 10), total: 25 })
        expect(await list({}, 3)).toEqual({ items: all.slice(20), total: 25 })
        expect(await list({}, 4)).toEqual({ items: [], total: 25 })
        expect(await list({ method: 'post' })).toEqual({
          items: all.filter((_, index) => index % 5 === 0),
          total: 5,
        })
        expect(await list({ isDeprecated: true })).toEqual({ items: all.slice(7, 8), total: 1 })
        expect(await list({ text: 'THINGS/3/' })).toEqual({ items: all.slice(3, 4), total: 1 })
        for (const text of ['100%', 'of_it', '!', '\\', '"ALL"']) {
          expect(await list({ text }), text).toEqual({ items: all.slice(3, 4), total: 1 })
        }
        expect(await list({ text: '1_0' })).toEqual({ items: [], total: 0 })
      }))
  })
}
