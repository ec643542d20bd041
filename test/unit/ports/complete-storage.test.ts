import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../adapters/storage/sqlite.ts'
import { completeStorage } from '../../../core/ports/complete-storage.ts'
import type { FullStorage, Storage } from '../../../core/ports/storage.ts'
import { importSampleApi, saveSampleVendor } from '../../conformance/storage/samples.ts'
import { createMemoryStorage } from '../../custom-storage/memory-storage.ts'

const ADA = { id: 'ada', name: 'Ada' }

describe('a completed storage', () => {
  it('derives absent methods with the results of a full storage', async () => {
    const sqlite = await openSqlite({ file: ':memory:' })
    const memory = completeStorage(createMemoryStorage())
    const [expected, found] = await Promise.all([read(sqlite), read(memory)])
    expect(found).toEqual(expected)
    expect(found.endpoints.length).toBe(120)
    await sqlite.close()
  })

  it('rejects a call of any other absent method, with its name', async () => {
    const called: string[] = []
    const { gateway, users } = completeStorage(createMemoryStorage(), (name) => called.push(name))
    await expect(gateway.listPolicies(ADA)).resolves.toEqual([])
    await expect(gateway.removePolicy(ADA, 'key')).rejects.toMatchObject({
      code: 'not_implemented',
      message: 'The storage does not implement gateway.removePolicy',
    })
    await expect(users.listUsers(ADA)).rejects.toMatchObject({ code: 'not_implemented' })
    expect(called).toEqual(['gateway.listPolicies', 'gateway.removePolicy', 'users.listUsers'])
  })

  it('never hides a policy, credential or agreement that the storage may have', async () => {
    const written = async () => undefined
    const { gateway, agreements } = completeStorage({
      ...createMemoryStorage(),
      gateway: { savePolicy: written, saveCredential: written },
      agreements: { replaceEntered: async () => true },
    })
    const target = { apiId: 1, vendorId: 1 }
    for (const find of [
      () => gateway.findPolicy(ADA, 'key'),
      () => gateway.findCredentials(ADA, target),
      () => gateway.listCredentials(ADA),
      () => agreements.listAgreements(1),
      () => agreements.listTexts(1),
    ]) {
      await expect(find()).rejects.toMatchObject({ code: 'not_implemented' })
    }
    const none = completeStorage(createMemoryStorage())
    expect(await none.gateway.findPolicy(ADA, 'key')).toBeUndefined()
    expect(await none.gateway.findCredentials(ADA, target)).toEqual([])
  })

  it('has repositories that can be returned by promises and written as JSON', async () => {
    const { catalogue } = completeStorage(createMemoryStorage())
    expect(await Promise.resolve(catalogue)).toBe(catalogue)
    expect(JSON.stringify(catalogue)).toBe('{}')
  })

  it('keeps the receiver of inherited methods with private fields', async () => {
    class Jobs {
      readonly #found = [{ kind: 'sample', state: 'queued' as const, count: 3 }]
      async countJobs() {
        return this.#found
      }
    }
    const memory = createMemoryStorage()
    const jobs = Object.assign(new Jobs(), memory.jobs)
    const { countJobs } = completeStorage({ ...memory, jobs } satisfies Storage).jobs
    expect(await countJobs()).toMatchObject([{ count: 3 }])
  })
})

/** Imports an API and reads it by the methods that can be derived. */
async function read(storage: FullStorage) {
  const { catalogue, vulnerabilities } = storage
  const vendor = await saveSampleVendor(storage, 1)
  const other = await saveSampleVendor(storage, 2)
  const { apiId } = await importSampleApi(storage, { vendor, api: 1, endpoints: 120 })
  const endpoints = await catalogue.listApiEndpoints(apiId)
  const [first] = endpoints
  return {
    endpoints,
    parameters: await catalogue.findEndpointParameters(first?.shortId ?? ''),
    summaries: await catalogue.findEndpointSummaries([first?.id ?? 0, 4_711]),
    apis: await catalogue.findApis([4_711, apiId]),
    ofEndpoint: await catalogue.findApiOfEndpoint(first?.shortId ?? ''),
    ofNone: await catalogue.findApiOfEndpoint('4711'),
    agreements: await catalogue.listAgreements(apiId),
    vendors: await catalogue.findVendors([other.id, 4_711, vendor.id]),
    described: (await storage.agreements.listAgreements(apiId)).map(({ name, source }) => {
      return { name, source }
    }),
    generation: await vulnerabilities.generation(),
    ready: await storage.checkWrite(),
  }
}
