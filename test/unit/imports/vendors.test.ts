import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../adapters/storage/sqlite.ts'
import type { ApiDiscovery } from '../../../core/api-discovery.ts'
import { createApiDiscovery } from '../../../core/app.ts'
import type { Vendor } from '../../../core/catalogue/records.ts'
import type { ImportRequest } from '../../../core/imports/service.ts'
import type { FullStorage } from '../../../core/ports/storage.ts'

describe('the vendor of an import', () => {
  let app: ApiDiscovery
  let storage: FullStorage
  beforeEach(async () => {
    storage = await openSqlite({ file: ':memory:' })
    app = createApiDiscovery({ storage })
  })
  afterEach(() => app.close())

  const importApi = (document: object, more: Partial<ImportRequest> = {}) =>
    app.imports.importDescription({
      bytes: new TextEncoder().encode(JSON.stringify(document)),
      createVendor: true,
      isPublic: true,
      ...more,
    })

  const enter = (name: string, homepage = '') =>
    storage.catalogue.saveVendor({
      encryptedId: `vendor-${name}`,
      name,
      homepage,
      description: '',
      isPublic: true,
      image: '',
      countries: [],
      createdAt: 0,
    })

  const listVendors = async (): Promise<readonly Vendor[]> => {
    const { items } = await storage.catalogue.searchVendors({}, { page: 1, size: 100 })
    return items
  }

  const countApis = async () => (await storage.catalogue.listApis({}, { page: 1, size: 1 })).total

  it.each<readonly [why: string, vendor: string, more: object]>([
    ['a known host', 'GitHub', { servers: ['https://api.github.com'] }],
    ['a service that is a suffix', 'httpbin.org', { servers: ['https://httpbin.org'] }],
    ['a known domain', 'Amazon Web Services', { servers: ['https://sqs.us-east-1.amazonaws.com'] }],
    ['a domain as provider', 'Amazon Web Services', { provider: 'amazonaws.com' }],
    ['a name as provider', 'Acme', { provider: 'Acme', servers: ['https://api.github.com'] }],
    [
      'a contact, not a private provider',
      'acme.io',
      { provider: 'pets.local', email: 'api@acme.io' },
    ],
    ['its own domain', 'acme.io', { servers: ['https://api.acme.io/v1'] }],
    [
      'a contact, not a code host',
      'acme.io',
      { servers: ['https://github.com/acme'], email: 'api@acme.io' },
    ],
    ['its title, not a code host', 'Pets', { contact: 'https://github.com/acme/pets' }],
    ['its title, not a mail service', 'Pets', { email: 'acme@gmail.com' }],
    ['its title, not another mail service', 'Pets', { email: 'acme@outlook.com' }],
    ['its title, not an example', 'Pets', { servers: ['https://api.example.com'] }],
    ['its title, not a private name', 'Pets', { servers: ['https://pets.local'] }],
    [
      'a contact, not a hosting service',
      'acme.io',
      { servers: ['https://pets.herokuapp.com'], contact: 'https://acme.io' },
    ],
    [
      'a name at a hosting service',
      'pets.herokuapp.com',
      { servers: ['https://pets.herokuapp.com'] },
    ],
    [
      'a tenant of a known vendor',
      'acme.io',
      { servers: ['https://pets.supabase.co'], contact: 'https://acme.io' },
    ],
    [
      'a mock server of many owners',
      'Pets',
      { servers: ['https://virtserver.swaggerhub.com/acme/pets'] },
    ],
  ])('is named after %s: %s', async (_, vendor, more) => {
    await importApi(toDocument(more))
    expect((await listVendors()).map(({ name }) => name)).toEqual([vendor])
  })

  it.each([
    ['spotify.com', 'Spotify'],
    ['Spotify', 'spotify.com'],
  ])('is the same if %s is stored and %s is requested', async (entered, named) => {
    await enter(entered)
    const imported = await importApi(toDocument({}), { vendorName: named, createVendor: false })
    expect(imported.vendorName).toBe(entered)
    expect((await listVendors()).map(({ name }) => name)).toEqual([entered])
  })

  it('is the stored vendor with a homepage in the domain and a similar name', async () => {
    await enter('Acme Inc.', 'https://www.acme.io')
    await enter('Partner', 'https://partners.acme.io')
    const imported = await importApi(toDocument({ servers: ['https://api.acme.io'] }))
    expect(imported.vendorName).toBe('Acme Inc.')
  })

  it('retains the vendor of an API whose vendor is stored under both names', async () => {
    const document = toDocument({ servers: ['https://api.spotify.com/v1'] })
    await enter('spotify.com')
    const first = await importApi(document)
    await enter('Spotify')
    const second = await importApi(document)
    expect(second).toMatchObject({ apiId: first.apiId, vendorName: 'spotify.com' })
    expect(second.report).toMatchObject({ added: 0, unchanged: 1 })
    expect(await importApi(document, { vendorName: 'Spotify' })).toMatchObject({
      apiId: first.apiId,
    })
    expect(await countApis()).toBe(1)
    const other = await importApi({ ...document, info: { title: 'Podcasts', version: '1' } })
    expect(other.vendorName).toBe('Spotify')
  })

  it('does not use a contact page at a code host as homepage', async () => {
    await importApi(toDocument({ provider: 'acme.io', contact: 'https://github.com/acme/pets' }))
    expect((await listVendors()).map(({ homepage }) => homepage)).toEqual([''])
  })

  it('causes a warning if a server belongs to another vendor', async () => {
    const servers = ['https://api.github.com', 'https://{account}.zendesk.com', 'https://acme.io']
    const { report } = await importApi(toDocument({ servers }), { vendorName: 'Acme' })
    expect(report.warnings).toEqual([
      {
        pointer: '/servers',
        message:
          'The host of https://api.github.com belongs to GitHub: its URLs are not matched to this API',
      },
      {
        pointer: '/servers',
        message:
          'The host of https://{account}.zendesk.com belongs to Zendesk: its URLs are not matched to this API',
      },
    ])
    const own = await importApi(toDocument({ servers }), { vendorName: 'GitHub, Inc.' })
    expect(own.report.warnings).toEqual(report.warnings.slice(1))
  })
})

function toDocument(has: {
  readonly servers?: readonly string[]
  readonly contact?: string
  readonly email?: string
  readonly provider?: string
}) {
  const { servers = [], contact, email, provider } = has
  return {
    openapi: '3.0.0',
    info: {
      title: 'Pets',
      version: '1',
      contact: { ...(contact && { url: contact }), ...(email && { email }) },
      ...(provider && { 'x-providerName': provider }),
    },
    servers: servers.map((url) => ({
      url,
      ...(url.includes('{') && { variables: { account: { default: 'acme' } } }),
    })),
    paths: { '/pets': { get: { responses: {} } } },
  }
}
