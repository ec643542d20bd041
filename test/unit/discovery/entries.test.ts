import { describe, expect, it } from 'vitest'
import type { Api } from '../../../core/catalogue/records.ts'
import { findPublisher, toCatalogEntry, toIdentifier } from '../../../core/discovery/entries.ts'

const API: Api = {
  kind: 'http',
  id: 7,
  encryptedId: 'aB3dE5fG7hJ9kL1mN3',
  name: 'Skycast Weather',
  version: '2.1.0',
  majorVersion: '2',
  description: 'Forecasts  for\ncities.',
  homepage: '',
  authTypes: [],
  licenses: [],
  servers: [{ url: 'https://api.skycast.example/v2', name: '', variables: [] }],
  tags: ['forecast'],
  contact: { name: '', url: '', email: '' },
  image: '',
  vendor: {
    id: 1,
    encryptedId: 'v',
    name: 'Skycast',
    homepage: 'https://www.skycast.example/about',
    description: '',
    isPublic: true,
    image: '',
    countries: [],
    createdAt: 0,
  },
  categoryId: undefined,
  isPublic: true,
  isImplemented: true,
  isClaiming: false,
  canClaim: false,
  isAgreementsRestricted: false,
  countries: [],
  isDescribed: true,
  sourceDigest: 'ab',
  createdAt: 0,
  updatedAt: Date.UTC(2026, 2, 10),
}

function withVendor(name: string, homepage: string, server = ''): Api {
  const servers = server === '' ? [] : [{ url: server, name: '', variables: [] }]
  return { ...API, servers, vendor: { ...API.vendor, name, homepage } }
}

describe('toCatalogEntry', () => {
  it('links to the stored description', () => {
    expect(toCatalogEntry(API, 'https://tools.example/api')).toEqual({
      identifier: 'urn:air:skycast.example:skycast-weather.aB3dE5fG7hJ9kL1mN3',
      displayName: 'Skycast Weather',
      type: 'application/openapi+json',
      url: 'https://tools.example/api/apis/description?api_id=aB3dE5fG7hJ9kL1mN3',
      description: 'Forecasts for cities.',
      tags: ['forecast'],
      version: '2.1.0',
      updatedAt: '2026-03-10T00:00:00.000Z',
      metadata: { vendor: 'Skycast' },
    })
  })

  it('contains the names of an API without a description', () => {
    const api = { ...API, sourceDigest: '', description: ' ', tags: [], version: '', categoryId: 1 }
    const entry = toCatalogEntry(api, '')
    expect([entry.type, entry.data, 'url' in entry]).toEqual([
      'application/json',
      { name: 'Skycast Weather', vendor: 'Skycast' },
      false,
    ])
    expect(Object.keys(entry)).not.toContain('description')
    expect(Object.keys(entry)).not.toContain('tags')
    expect(Object.keys(entry)).not.toContain('version')
    expect(Object.keys(entry.metadata ?? {})).toEqual(['vendor', 'category'])
  })

  it.each([
    ['mcp', 'application/mcp-server-card+json'],
    ['a2a', 'application/a2a-agent-card+json'],
  ] as const)('has the type of a card for the kind %s', (kind, type) => {
    expect(toCatalogEntry({ ...API, kind }, '').type).toBe(type)
  })

  it('cuts long texts and lists', () => {
    const tags = Array.from({ length: 80 }, (_, at) => `t${at}`)
    const entry = toCatalogEntry({ ...API, description: 'x'.repeat(5000), tags }, '')
    expect([entry.description?.length, entry.tags?.length]).toEqual([1000, 50])
  })
})

describe('the publisher of an API', () => {
  it.each([
    [
      'the domain of the homepage',
      withVendor('Acme', 'https://developers.acme.co.uk/x'),
      'acme.co.uk',
    ],
    ['a shared domain of its own vendor', withVendor('GitHub', 'https://github.com'), 'github.com'],
    [
      'the domain of a server',
      withVendor('Acme', '', 'https://api.acme.example/v1'),
      'acme.example',
    ],
    [
      'the domain of a server template',
      withVendor('Acme', '', 'https://{region}.acme.example'),
      'acme.example',
    ],
    [
      'no domain that many share',
      withVendor('Élan & Co.', 'https://gitlab.com/elan', 'https://raw.githubusercontent.com/x'),
      'elan-co.invalid',
    ],
    ['no address', withVendor('Acme', 'http://10.0.0.1/', '/v1'), 'acme.invalid'],
    ['no name', withVendor('天気', ''), 'vendor.invalid'],
  ])('is %s', (_, api, domain) => {
    expect(findPublisher(api)).toBe(domain)
  })
})

it('is the domain that a vendor is named after, before that of a server', () => {
  const vendor = { ...API.vendor, name: 'Anchorage.example', homepage: '' }
  expect(findPublisher({ ...API, vendor })).toBe('anchorage.example')
})

describe('the identifier of an API', () => {
  it.each(['天気 API', '', '../../:#?', `${'long name '.repeat(30)}`, 'A_b.c-d'])(
    'is a URN for the name %j',
    (name) => {
      expect(toIdentifier({ ...API, name })).toMatch(
        /^urn:air:skycast\.example:[a-z\d]+(?:-[a-z\d]+)*\.aB3dE5fG7hJ9kL1mN3$/,
      )
    },
  )
})
