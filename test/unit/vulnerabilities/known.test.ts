import { describe, expect, it } from 'vitest'
import {
  findKnownVulnerabilities,
  findNamedApis,
} from '../../../core/vulnerabilities/known-vulnerabilities.ts'
import { loadAll } from './search/loaded.ts'
import { affects, sampleRecord } from './search/samples.ts'

const exploited = {
  id: 'CVE-2020-1000',
  name: 'Acme Ledger',
  addedOn: '2021-01-01',
  dueOn: '',
  action: 'Patch.',
  isRansomware: false,
}

const records = [
  sampleRecord('CVE-2020-1000', { configurations: affects('acme_data:ledger:1.0') }),
  sampleRecord('CVE-2021-1000', { configurations: affects('acme_data:ledger:2.0') }),
  sampleRecord('CVE-2022-1000', { configurations: affects('acme_data:ledger_server:2.0') }),
  sampleRecord('CVE-2023-1000', { configurations: affects('acme_data:api:2.0') }),
  sampleRecord('CVE-2023-2000', {
    configurations: affects('acme_data:ledger:3.0'),
    descriptions: [{ language: 'en', text: 'Lets anybody in.' }],
    weaknesses: [{ source: 'nvd', isPrimary: true, id: 'CWE-287' }],
  }),
  sampleRecord('CVE-2024-1000', { configurations: affects('other:ledger:1.0') }),
]

async function findKnown(name: string, vendorName: string, limit = 10) {
  const vulnerabilities = await loadAll({ records, exploited: [exploited] })
  const known = await findKnownVulnerabilities(vulnerabilities, {
    api: { name, vendorName },
    limit,
  })
  return { ...known, found: known.found.map(({ id }) => id) }
}

describe('findKnownVulnerabilities', () => {
  it('returns those of products that the API names, exploited ones first', async () => {
    expect(await findKnown('Ledger API', 'Acme Data, Inc.')).toEqual({
      found: ['CVE-2020-1000', 'CVE-2023-2000', 'CVE-2021-1000'],
      count: 3,
      exploited: 1,
    })
  })

  it('counts those beyond the limit', async () => {
    expect(await findKnown('Ledger', 'acme data', 1)).toEqual({
      found: ['CVE-2020-1000'],
      count: 3,
      exploited: 1,
    })
  })

  it('filters by a minimum score', async () => {
    const scored = (id: string, score: number) =>
      sampleRecord(id, {
        configurations: affects('acme_data:ledger:1.0'),
        metrics: [
          { version: '3.1', source: 'nvd', isPrimary: true, vector: '', score, severity: '' },
        ],
      })
    const severe = ['CVE-2019-1001', 'CVE-2019-1002', 'CVE-2020-1000'].map((id) => scored(id, 9))
    const newer = Array.from({ length: 30 }, (_, index) => scored(`CVE-2025-${1000 + index}`, 8.9))
    const vulnerabilities = await loadAll({
      records: [...newer, ...severe, ...records.slice(1)],
      exploited: [exploited],
    })
    const api = { name: 'Ledger', vendorName: 'Acme Data' }
    const ask = async (minScore?: number) => {
      const known = await findKnownVulnerabilities(vulnerabilities, { api, limit: 2, minScore })
      return { ...known, found: known.found.map(({ id }) => id) }
    }
    expect(await ask()).toEqual({
      found: ['CVE-2020-1000', 'CVE-2025-1000'],
      count: 35,
      exploited: 1,
    })
    expect(await ask(9)).toEqual({
      found: ['CVE-2020-1000', 'CVE-2019-1001'],
      count: 3,
      exploited: 1,
    })
    expect(await ask(9.1)).toEqual({ found: [], count: 0, exploited: 0 })
  })

  it('counts a CVE of several products once if all are read', async () => {
    const vulnerabilities = await loadAll({
      records: [
        sampleRecord('CVE-2021-1000', {
          configurations: affects('acme_data:ledger:1.0', 'acme_data:ledger_api:1.0'),
        }),
      ],
    })
    const api = { name: 'Ledger API', vendorName: 'Acme Data' }
    const { count, found } = await findKnownVulnerabilities(vulnerabilities, { api, limit: 5 })
    expect([count, found.length]).toEqual([1, 1])
  })

  it('returns none for a product with other words, or with generic ones only', async () => {
    const none = { found: [], count: 0, exploited: 0 }
    expect(await findKnown('API', 'Acme Data')).toEqual(none)
    expect(await findKnown('Payments', 'Acme Data')).toEqual(none)
    expect(await findKnown('Ledger', 'Nobody')).toEqual(none)
    expect(await findKnown('', '')).toEqual(none)
  })

  it('returns the data of each record', async () => {
    const vulnerabilities = await loadAll({ records: records.slice(4, 5) })
    const api = { name: 'Ledger Server', vendorName: 'acme.data' }
    const { found } = await findKnownVulnerabilities(vulnerabilities, { api, limit: 5 })
    const at = Date.UTC(2023, 5, 1)
    expect(found).toEqual([
      {
        id: 'CVE-2023-2000',
        authority: 'nvd',
        description: 'Lets anybody in.',
        publishedAt: at,
        modifiedAt: at,
        metric: undefined,
        weaknesses: ['CWE-287'],
        isExploited: false,
        vendor: 'acme_data',
        product: 'ledger',
      },
    ])
  })
})

describe('findNamedApis', () => {
  const apis = [
    { name: 'Ledger API', vendorName: 'Acme Data, Inc.' },
    { name: 'Payments', vendorName: 'Acme Data' },
    { name: 'Ledger', vendorName: 'data.acme.com' },
    { name: 'Ledger', vendorName: 'Acmé-Data' },
    { name: 'Ledger', vendorName: '' },
  ]

  it('returns the APIs whose known vulnerabilities are of that product', async () => {
    const product = { vendor: 'acme_data', product: 'ledger' }
    const named = findNamedApis(apis, [product])
    const vulnerabilities = await loadAll({ records })
    const known = await Promise.all(
      apis.map(async (api) => findKnownVulnerabilities(vulnerabilities, { api, limit: 1 })),
    )
    expect(named.map((api) => apis.indexOf(api))).toEqual([0, 3])
    expect(known.map(({ count }) => count)).toEqual([3, 0, 0, 3, 0])
  })

  it('matches domains, and any of several products', () => {
    const products = [
      { vendor: 'acme', product: 'ledger' },
      { vendor: 'acme_data', product: 'payments' },
      { vendor: 'acme_data', product: 'api' },
    ]
    expect(findNamedApis(apis, products).map((api) => apis.indexOf(api))).toEqual([1, 2])
    expect(findNamedApis(apis, [])).toEqual([])
    expect(findNamedApis(apis, [{ vendor: '_', product: '_' }])).toEqual([])
  })
})
