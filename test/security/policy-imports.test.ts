import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, type TestService } from '../helpers/service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService()
})

afterAll(() => service.close())

/** Uploads a description of a vendor with a server on another host. */
async function uploadWithKey(key: string, vendor: string) {
  const description = {
    openapi: '3.0.3',
    info: { title: 'Elsewhere', version: '1.0.0' },
    servers: [{ url: 'https://anything.example' }],
    paths: { '/a': { get: { responses: { 200: { description: 'Done' } } } } },
  }
  const response = await service.app.fetch(
    new Request('http://service.test/api/benchmark/upload_swagger', {
      method: 'POST',
      headers: {
        'api-key': key,
        'content-type': 'application/json',
        vendor,
        category: 'News & Media',
      },
      body: JSON.stringify(description),
    }),
  )
  return { status: response.status, code: JSON.parse(await response.text()).code }
}

describe('key with the scopes call and import', () => {
  it('cannot change the hosts of vendors and APIs in its policy', async () => {
    const { app, storage, caller } = service
    const { account } = caller
    const [vendor] = (await storage.catalogue.searchVendors({}, { size: 1, page: 1 })).items
    const [api] = (await app.call('searchEndpoints', { size: 1 }, caller)).endpoints
    const name = vendor?.name ?? ''
    const { key, record } = await app.accounts.createKey({
      account,
      name: 'narrow',
      scopes: ['call', 'import'],
    })
    expect(await uploadWithKey(key, name)).toMatchObject({ status: 200 })
    const { policies } = app.gateway
    for (const policy of [{ vendors: [name] }, { apiIds: [api?.encrypted_id ?? ''] }]) {
      await policies.put(account, { keyId: record.id, ...policy })
      expect(await uploadWithKey(key, name)).toEqual({ status: 403, code: 'call_not_permitted' })
    }
    // Policies for methods and calls do not restrict hosts.
    await policies.put(account, { keyId: record.id, methods: ['GET'], dailyBudget: 1 })
    expect(await uploadWithKey(key, name)).toMatchObject({ status: 200 })
  })
})
