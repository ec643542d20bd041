import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../adapters/storage/sqlite.ts'
import type { AgreementEntry } from '../../../core/catalogue/index.ts'
import { type ApiDiscovery, type Caller, createApiDiscovery, SCOPES } from '../../../core/index.ts'

const ADA = { id: 'ada', name: 'Ada' }
const CALLER: Caller = { account: ADA, scopes: new Set(SCOPES) }
const NAMED = { apiName: 'Orchard', vendorName: 'Orchard Ltd' }
const TERMS: AgreementEntry = { name: 'Terms', link: 'https://orchard.example/terms' }
const PRICES: AgreementEntry = { name: 'Pricing', link: 'https://orchard.example/prices' }

let app: ApiDiscovery

beforeEach(async () => {
  app = createApiDiscovery({ storage: await openSqlite({ file: ':memory:' }) })
  await app.call('createVendor', { body: { name: 'Orchard Ltd' } }, CALLER)
})
afterEach(() => app.close())

function describeOrchard(version: string, server = 'https://api.orchard.example'): Uint8Array {
  return new TextEncoder().encode(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Orchard', version },
      servers: [{ url: server }],
      paths: { '/apples': { get: { responses: {} } } },
    }),
  )
}

function importVersion(version: string) {
  const request = { bytes: describeOrchard(version), vendorName: 'Orchard Ltd', isPublic: true }
  return app.imports.importDescription(request)
}

async function listAgreements(api: { readonly id: number }) {
  return (await app.agreements.list(api)).map(({ kind, link, text }) => [kind, link, text?.size])
}

function importIndex(index: unknown) {
  const bytes = new TextEncoder().encode(JSON.stringify(index))
  return app.agreements.importIndex({ bytes, by: ADA })
}

describe('API known by name only', () => {
  it('is found, and becomes the described one with its agreements', async () => {
    const named = await app.agreements.enter({ target: NAMED, agreements: [TERMS], by: ADA })
    expect([named.isDescribed, named.isImplemented]).toEqual([false, false])
    const search = { q: 'orchard', size: 10 }
    const found = await app.call('searchEndpoints', search, CALLER)
    expect(found.endpoints.map(({ id }) => id)).toEqual([named.id])
    const { apiId } = await importVersion('3.1')
    expect(apiId).toBe(named.encryptedId)
    const [api, ...others] = await app.agreements.findApis('orchard')
    expect([api?.isDescribed, api?.majorVersion, others]).toEqual([true, '3', []])
    expect(await listAgreements(named)).toEqual([['TermsOfService', TERMS.link, undefined]])
    expect((await importVersion('4.0')).apiId).not.toBe(apiId)
    expect((await importVersion('soon')).apiId).not.toBe(apiId)
  })

  it('is added once by concurrent requests', async () => {
    const all = await Promise.all(
      [1, 2, 3, 4].map((number) =>
        app.agreements.enter({
          target: { ...NAMED, apiName: number % 2 ? 'ORCHARD' : 'Orchard' },
          agreements: [TERMS, PRICES],
          by: ADA,
        }),
      ),
    )
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(await app.agreements.findApis('orchard')).toHaveLength(1)
  })

  it('must be distinguished from others with the name', async () => {
    await importVersion('1.0')
    await importVersion('2.0')
    const entering = app.agreements.enter({ target: NAMED, agreements: [TERMS], by: ADA })
    await expect(entering).rejects.toMatchObject({
      code: 'ambiguous_selection',
      extra: { api_ids: [expect.any(String), expect.any(String)] },
    })
  })
})

describe('enterAgreements', () => {
  it('replaces all, or only their kinds, and retains texts with their links', async () => {
    const enter = (agreements: readonly AgreementEntry[], mode?: 'kinds') =>
      app.agreements.enter({ target: NAMED, agreements, by: ADA, mode })
    const api = await enter([{ ...TERMS, text: 'No.' }, PRICES])
    await enter([TERMS, { name: 'CC0', link: 'https://orchard.example/cc0' }], 'kinds')
    expect(await listAgreements(api)).toEqual([
      ['Pricing', PRICES.link, undefined],
      ['TermsOfService', TERMS.link, 3],
      ['InterfaceLicense', 'https://orchard.example/cc0', undefined],
    ])
    await enter([{ ...TERMS, link: 'https://orchard.example/new' }], 'kinds')
    expect((await listAgreements(api)).at(-1)).toEqual([
      'TermsOfService',
      'https://orchard.example/new',
      undefined,
    ])
    await enter([PRICES])
    expect(await listAgreements(api)).toEqual([['Pricing', PRICES.link, undefined]])
  })

  it.each([
    [{ name: 'x', link: 'https://a.example', type: 'x-privacy-policy' }, 'PrivacyPolicy'],
    [{ name: 'x', link: 'https://a.example', type: 'sla' }, 'ServiceLevelAgreement'],
    [{ name: 'x', link: 'https://a.example', type: 'Handshake' }, 'Handshake'],
    [{ name: 'Apache 2.0', link: 'https://a.example' }, 'InterfaceLicense'],
    [{ name: 'Nutzungsbedingungen', link: 'https://a.example' }, 'Agreement'],
  ])('detects the kind of %j', async (entry, kind) => {
    const api = await app.agreements.enter({ target: NAMED, agreements: [entry], by: ADA })
    expect((await app.agreements.list(api))[0]?.kind).toBe(kind)
  })

  it('validates in process as over HTTP', async () => {
    const wrong: readonly AgreementEntry[] = [
      { name: ' ', link: TERMS.link },
      { name: 'x', link: 'javascript:alert(1)' },
      { ...TERMS, text: 'ü'.repeat(600_000) },
      { ...TERMS, type: '<script>' },
      { ...TERMS, retrievedAt: Number.NaN },
      { ...TERMS, retrievedAt: 8.7e15 },
    ]
    for (const entry of wrong) {
      const entering = app.agreements.enter({ target: NAMED, agreements: [entry], by: ADA })
      await expect(entering).rejects.toMatchObject({ code: 'invalid_input' })
    }
    expect(await app.agreements.findApis('orchard')).toEqual([])
  })
})

describe('index of APIs', () => {
  it('matches APIs by name and vendor, name and host, base address, or a unique name', async () => {
    const { apiId } = await importVersion('1.0')
    const properties = [{ type: 'PrivacyPolicy', url: 'https://orchard.example/privacy' }]
    const ask = async (name: string, api: Readonly<Record<string, unknown>>) =>
      (await importIndex({ name, apis: [{ ...api, properties }] }))[0]?.apis.map(
        (each) => each.apiId,
      )
    expect(await ask('ORCHARD ltd', { name: 'orchard' })).toEqual([apiId])
    expect(await ask('X', { name: 'Orchard', baseURL: 'https://api.orchard.example/x' })).toEqual([
      apiId,
    ])
    expect(await ask('X', { name: 'Y', baseURL: 'https://api.orchard.example' })).toEqual([apiId])
    expect(await ask('', { name: 'Orchard' })).toEqual([apiId])
    expect(await ask('X', { name: 'Orchard' })).toEqual([])
    expect(await ask('X', { name: 'Orchard', humanURL: 'https://y.example' })).toEqual([])
    expect(await ask('Orchard Ltd', { name: 'Y' })).toEqual([])
    expect(await ask('', { name: '', baseURL: 'https://y.example' })).toEqual([])
  })

  it('merges agreements of several indexed APIs, and can be imported again', async () => {
    const { apiId } = await importVersion('1.0')
    const [api = { id: 0 }] = await app.agreements.findApis(apiId)
    const of = (path: string, type: string) => ({
      name: `Orchard ${path}`,
      baseURL: 'https://api.orchard.example',
      properties: [{ type, url: `https://orchard.example/${path}` }],
    })
    const index = { name: 'X', apis: [of('a', 'Pricing'), of('b', 'Pricing'), of('c', 'Support')] }
    await importIndex(index)
    const once = await app.agreements.list(api)
    expect(once.map(({ kind, link }) => `${kind} ${link}`)).toEqual([
      'Pricing https://orchard.example/a',
      'Pricing https://orchard.example/b',
      'Support https://orchard.example/c',
    ])
    await importIndex(index)
    expect(await app.agreements.list(api)).toEqual(once)
  })
})
