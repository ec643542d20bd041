import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../adapters/storage/sqlite.ts'
import type { Endpoint } from '../../../core/catalogue/records.ts'
import { createImports } from '../../../core/imports/service.ts'
import { createDeclaredLimitsReader } from '../../../core/rate-limits/declared-limits.ts'
import { ADA, BOB, sampleCall } from '../../conformance/storage/gateway-samples.ts'

/** Creates a catalogue with one description, and returns its endpoint. */
async function openCatalogue(description: unknown) {
  const storage = await openSqlite({ file: ':memory:' })
  const { catalogue, imports: store } = storage
  const clock = Date.now
  const logger = { log() {} }
  const deps = { catalogue, store, isolate: undefined, clock, logger, maxBytes: 10_000 }
  const imports = createImports(deps)
  const importAgain = async (again: unknown): Promise<Endpoint> => {
    const bytes = new TextEncoder().encode(JSON.stringify(again))
    const request = { bytes, vendorName: 'Acme', createVendor: true, isPublic: true }
    const { apiId } = await imports.importDescription(request)
    const api = await catalogue.findApi(apiId)
    const [endpoint] = await catalogue.listApiEndpoints(api?.id ?? 0)
    if (!endpoint) throw new Error('The description has no endpoint')
    return endpoint
  }
  return { storage, importAgain, endpoint: await importAgain(description) }
}

const TIDES = {
  openapi: '3.1.0',
  info: { title: 'Tides', version: '1' },
  servers: [{ url: 'https://tides.example' }],
  paths: { '/tides': { get: { responses: { 200: { description: '' } } } } },
}

const LIMITED = {
  ...TIDES,
  'x-rate-limit': 500,
  paths: {
    '/tides': {
      get: {
        description: 'At most 10 requests per minute.',
        responses: { 429: { description: '', headers: { 'Retry-After': {} } } },
      },
    },
  },
}

describe('The limits known without a request', () => {
  it('are empty without declarations and earlier calls', async () => {
    const { storage, endpoint } = await openCatalogue(TIDES)
    expect(await createDeclaredLimitsReader(storage)(ADA, endpoint)).toEqual({
      has429: false,
      headers: [],
      limits: [],
      seen: { calls: 0, limited: 0 },
    })
    await storage.close()
  })

  it('are those that the last imported description declares', async () => {
    const { storage, endpoint, importAgain } = await openCatalogue(LIMITED)
    expect(await createDeclaredLimitsReader(storage)(ADA, endpoint)).toEqual({
      has429: true,
      headers: ['retry-after'],
      limits: [
        { calls: 500, windowMs: undefined, source: 'x-rate-limit of the description' },
        { calls: 10, windowMs: 60_000, source: 'words of the operation' },
      ],
      seen: { calls: 0, limited: 0 },
    })
    const again = await importAgain({ ...TIDES, 'x-rate-limit': '3/s' })
    expect(again.id).toBe(endpoint.id)
    expect(await createDeclaredLimitsReader(storage)(ADA, again)).toMatchObject({
      has429: false,
      headers: [],
      limits: [{ calls: 3, windowMs: 1000, source: 'x-rate-limit of the description' }],
    })
    await storage.close()
  })

  it("include responses of the target to the account's own calls of the endpoint", async () => {
    const { storage, endpoint } = await openCatalogue(TIDES)
    const call = { endpointId: endpoint.id, failure: '' }
    const own = [
      sampleCall(1, { ...call, status: 200 }),
      sampleCall(2, { ...call, status: 429 }),
      sampleCall(3, { ...call, status: 503 }),
      sampleCall(4, { ...call, status: 429, failure: 'too_many_requests' }),
      sampleCall(5, { ...call, status: 429, endpointId: endpoint.id + 1 }),
    ]
    await storage.gateway.saveCalls(own.map((each) => ({ ...each, account: ADA })))
    await storage.gateway.saveCalls([{ ...sampleCall(6, call), status: 429, account: BOB }])
    const read = createDeclaredLimitsReader(storage)
    expect((await read(ADA, endpoint)).seen).toEqual({ calls: 3, limited: 1 })
    expect((await read(BOB, endpoint)).seen).toEqual({ calls: 1, limited: 1 })
    expect((await read({ id: 'nobody', name: '' }, endpoint)).seen).toEqual({
      calls: 0,
      limited: 0,
    })
    await storage.close()
  })
})
