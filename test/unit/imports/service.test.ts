import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../adapters/storage/sqlite.ts'
import type { ApiDiscovery } from '../../../core/api-discovery.ts'
import { createApiDiscovery } from '../../../core/app.ts'
import type { ImportRequest } from '../../../core/imports/service.ts'
import { type Caller, SCOPES } from '../../../core/shared/account.ts'

const CALLER: Caller = {
  account: { id: 'account', name: 'Account' },
  scopes: new Set(SCOPES),
  keyId: undefined,
}

describe('importing the same description again', () => {
  let app: ApiDiscovery
  beforeEach(async () => {
    app = createApiDiscovery({ storage: await openSqlite({ file: ':memory:' }) })
  })
  afterEach(() => app.close())

  const importAgain = (document: object, more: Partial<ImportRequest> = {}) =>
    app.imports.importDescription({
      bytes: new TextEncoder().encode(JSON.stringify(document)),
      createVendor: true,
      isPublic: true,
      ...more,
    })

  const RELATIVE = {
    openapi: '3.0.0',
    info: { title: 'Weather', version: '1', contact: { url: 'https://acme.example/api' } },
    servers: [{ url: '/v1' }],
    paths: { '/days': { get: { summary: 'List days' } } },
  }

  it.each([
    ['named', { vendorName: 'Acme' }],
    ['inferred', {}],
  ])('changes nothing if the vendor is %s, created and provides the base URL', async (_, more) => {
    expect((await importAgain(RELATIVE, more)).report).toMatchObject({ added: 1, unchanged: 0 })
    expect((await importAgain(RELATIVE, more)).report).toMatchObject({
      added: 0,
      changed: 0,
      unchanged: 1,
    })
    expect(await app.call('listEndpoints', {}, CALLER)).toMatchObject([
      { endpoint: 'https://acme.example/v1/days' },
    ])
  })

  it("shows the vendor's homepage if the description has none", async () => {
    await importAgain(RELATIVE, { vendorName: 'Acme' })
    const { info: _, ...bare } = RELATIVE
    await importAgain({ ...bare, info: { title: 'Tides', version: '1' } }, { vendorName: 'Acme' })
    const { endpoints } = await app.call('searchEndpoints', { q: 'tides' }, CALLER)
    expect(endpoints.map(({ homepage }) => homepage)).toEqual(['https://acme.example/api'])
  })

  it('retains the category and countries of a previous import', async () => {
    const given = { categoryName: 'Environment & Weather', countries: ['AT'] }
    await importAgain(RELATIVE, given)
    const changed = { ...RELATIVE, info: { ...RELATIVE.info, description: 'Now with rain' } }
    await importAgain(changed)
    const search = async (q: string) => {
      const { endpoints } = await app.call('searchEndpoints', { q }, CALLER)
      return endpoints.map(({ category, countries }) => [category.name, countries])
    }
    expect(await search('rain')).toEqual([['Environment & Weather', ['AT']]])
    expect(await search('environment')).toEqual([['Environment & Weather', ['AT']]])
  })

  it('retains ids if paths that differ only in parameter names are reordered', async () => {
    const toDocument = (names: readonly string[]) => ({
      ...RELATIVE,
      paths: Object.fromEntries(
        names.map((name) => [`/days/{${name}}`, { get: { summary: `By ${name}` } }]),
      ),
    })
    const list = async () => {
      const found = await app.call('listEndpoints', {}, CALLER)
      return found.map(({ endpoint_id, description }) => [endpoint_id, description])
    }
    await importAgain(toDocument(['date', 'number']))
    const before = await list()
    await importAgain(toDocument(['number', 'date']))
    expect(await list()).toEqual(before)
    await importAgain(toDocument(['number']))
    expect(await list()).toEqual(before.slice(1))
    const { endpoints } = await app.call('searchEndpoints', { q: 'number' }, CALLER)
    expect(endpoints[0]?.matched_endpoints.map(({ endpoint_id }) => endpoint_id)).toEqual([
      before[1]?.[0],
    ])
  })
})
