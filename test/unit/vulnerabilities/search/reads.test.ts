import { describe, expect, it } from 'vitest'
import type { ReportedProduct } from '../../../../core/vulnerabilities/records.ts'
import type { CveFilters } from '../../../../core/vulnerabilities/search/query.ts'
import { createVulnerabilityReads } from '../../../../core/vulnerabilities/search/reads.ts'
import { createVulnerabilities } from '../../../../core/vulnerabilities/service.ts'
import { createMemoryVulnerabilities } from '../../../helpers/memory-vulnerabilities.ts'
import { loadAll, toHits } from './loaded.ts'
import { affects, sampleRecord } from './samples.ts'

const withDescription = (of: string) => ({ descriptions: [{ language: 'en', text: of }] })
const clock = () => 1_700_000_000_000

const PRODUCTS = affects(
  'apache:log4j:2.14.1',
  ['apache:log4j:*', { from: { version: '2.0', isIncluded: true } }],
  'Siemens:sppa-t3000_ses3000:-',
  'apache:log4j:*',
  'apache:log4j:-',
  'netapp:cloud_manager:-',
)
const LOG4SHELL = sampleRecord('CVE-2021-44228', {
  ...withDescription('Jndi features'),
  configurations: PRODUCTS,
})
/** Records of reporters, one of which has configurations, too. */
const REPORTED = [
  sampleRecord('CVE-2026-0001', {
    reported: [reportRocket('1.0', '2.0')],
    ssvc: { source: 'cisa', assessedAt: 1, exploitation: 'active' },
  }),
  sampleRecord('CVE-2026-0002', {
    publishedAt: Date.UTC(2026, 6, 1),
    configurations: affects('apache:log4j:2.14.1'),
    reported: [reportRocket('3.0', '3.2')],
    ssvc: { source: 'cisa', assessedAt: 1, exploitation: 'none' },
  }),
]

function reportRocket(version: string, lessThan: string): ReportedProduct {
  return {
    ...{ source: 'cna@acme.example', vendor: 'Acme Data, Inc.', product: 'Rocket' },
    ...{ cpes: [], modules: [], platforms: [], defaultStatus: 'unaffected' },
    versions: [{ version, status: 'affected', lessThan }],
  }
}

const REJECTED = sampleRecord('CVE-2021-0009', {
  ...withDescription('Jndi rejected'),
  isRejected: true,
  configurations: affects('gone:away:1'),
})

describe('createReads', () => {
  it('returns empty results before the first load', async () => {
    const reads = createVulnerabilityReads({ store: createMemoryVulnerabilities() })
    const results = await reads.search({ term: 'Apache "log4j"' })
    expect({ ...results, hits: await toHits(results) }).toEqual({
      count: 0,
      processedTerm: 'apache log4j',
      hits: [],
    })
    await expect(reads.search({ term: '"*"' })).rejects.toMatchObject({
      code: 'invalid_input',
      issues: [{ in: 'body', name: 'search_term' }],
    })
    expect(await reads.findRecord('CVE-2021-44228')).toBeUndefined()
    expect(await reads.listProductsOfCve('CVE-2021-44228')).toBeUndefined()
    expect(await reads.listVendors()).toBe('[]')
    expect(await reads.listProducts('apache')).toEqual([])
    expect(await reads.status()).toEqual({
      generation: 0,
      records: 0,
      rejected: 0,
      vendors: 0,
      products: 0,
      exploited: 0,
      scored: 0,
      completeness: [],
      sources: [],
    })
  })

  it('finds a record by its id, case-insensitive, with EPSS and KEV data', async () => {
    const entry = {
      id: 'CVE-2021-44228',
      name: 'Log4Shell',
      addedOn: '2021-12-10',
      dueOn: '2021-12-24',
      action: 'Update.',
      isRansomware: true,
    }
    const epss = { id: 'CVE-2021-44228', score: 0.97565, percentile: 1 }
    const exploited = { name: 'x', addedOn: '2020-01-01', dueOn: '', action: '' }
    const other = sampleRecord('CVE-2020-0001', { ...withDescription('Other'), exploited })
    const reads = await loadAll({ records: [LOG4SHELL, other] })
    expect(await reads.findRecord('CVE-2020-0001')).toEqual({
      record: other,
      exploited: { id: 'CVE-2020-0001', ...exploited, isRansomware: false },
    })
    const withAll = await loadAll({ records: [LOG4SHELL, other], epss: [epss], exploited: [entry] })
    const found = { record: LOG4SHELL, epss, exploited: entry }
    expect(await withAll.findRecord('cve-2021-44228')).toEqual(found)
    expect(await withAll.findRecord('CVE-2020-0001')).toEqual({
      record: other,
      exploited: { id: 'CVE-2020-0001', ...exploited, isRansomware: false },
    })
    const results = await withAll.search({ term: 'jndi', isExtended: true })
    for await (const batch of results.hits) expect(batch[0]?.extended).toEqual(found)
    for (const id of ['CVE-2021-44229', 'CVE-2021-044228', 'CVE-2021', '', 'XYZ-2021-44228']) {
      expect([id, await withAll.findRecord(id)]).toEqual([id, undefined])
    }
  })

  it('finds the EPSS and KEV data of a CVE without a record', async () => {
    const entry = (id: string) => {
      return { id, name: id, addedOn: '2021-12-10', dueOn: '', action: '', isRansomware: false }
    }
    const score = (id: string, step: number) => ({ id, score: step / 1000, percentile: 0.5 })
    const epss = [
      score('CVE-2021-44228', 975),
      score('CVE-2020-0001', 1),
      score('CVE-2022-1000', 2),
    ]
    const exploited = [entry('CVE-2021-44228'), entry('CVE-2023-1000')]
    for (const records of [[], [sampleRecord('CVE-2020-0001')]]) {
      const reads = await loadAll({ records, epss, exploited })
      expect(await reads.findRatings('cve-2021-44228')).toEqual({
        epss: epss[0],
        exploited: exploited[0],
      })
      expect(await reads.findRatings('CVE-2020-0001')).toEqual({ epss: epss[1] })
      expect(await reads.findRatings('CVE-2022-1000')).toEqual({ epss: epss[2] })
      expect(await reads.findRatings('CVE-2023-1000')).toEqual({ exploited: exploited[1] })
      for (const id of ['CVE-2021-44229', 'CVE-2021-044228', 'XYZ-2021-44228', 'CVE-2021', '']) {
        expect([id, await reads.findRatings(id)]).toEqual([id, {}])
      }
    }
    const reads = createVulnerabilityReads({ store: createMemoryVulnerabilities() })
    expect(await reads.findRatings('CVE-2021-44228')).toEqual({})
  })

  it('lists vendors, products and the products of a record', async () => {
    const reads = await loadAll({ records: [LOG4SHELL, REJECTED] })
    expect(JSON.parse(await reads.listVendors())).toEqual(['apache', 'netapp', 'siemens'])
    expect(await reads.listProducts('APACHE')).toEqual(['log4j'])
    expect(await reads.listProducts('siemens')).toEqual(['sppa-t3000_ses3000'])
    expect(await reads.listProducts('gone')).toEqual([])
    expect(await reads.listProducts('')).toEqual([])
    expect(await reads.listProductsOfCve('cve-2021-44228')).toEqual([
      'apache log4j 2.14.1',
      'apache log4j >=2.0',
      'apache log4j -',
      'Siemens sppa-t3000_ses3000 -',
      'netapp cloud_manager -',
    ])
    expect(await reads.listProductsOfCve('CVE-2021-0009')).toEqual(['gone away 1'])
    expect(await reads.status()).toMatchObject({ records: 2, rejected: 1, vendors: 3, products: 3 })
  })

  it('shows the product that matches the words best', async () => {
    const configurations = affects(
      'acme:suite:1',
      'beta:log_viewer:2',
      'beta:suite:3',
      ['acme:log:*', { to: { version: '4', isIncluded: true } }],
      'acme:log:5',
    )
    const record = sampleRecord('CVE-2020-0001', {
      ...withDescription('Jndi suite'),
      configurations,
    })
    const reads = await loadAll({ records: [record] })
    const shown = async (term: string) => {
      const results = await reads.search({ term })
      const named = []
      for await (const batch of results.hits) for (const hit of batch) named.push(hit.named)
      return named
    }
    expect(await shown('jndi')).toEqual([undefined])
    expect(await shown('suite')).toEqual([undefined])
    expect(await shown('acme')).toEqual([undefined])
    expect(await shown('beta')).toEqual([{ vendor: 'beta', product: 'log_viewer', version: '2' }])
    expect(await shown('beta suite')).toEqual([{ vendor: 'beta', product: 'suite', version: '3' }])
    expect(await shown('log')).toEqual([{ vendor: 'beta', product: 'log_viewer', version: '2' }])
    expect(await shown('"log" acme jndi')).toEqual([
      { vendor: 'acme', product: 'log', version: '<=4' },
    ])
    expect(await shown('CVE-2020-0001')).toEqual([undefined])
  })

  it('excludes rejected records by default', async () => {
    const reads = await loadAll({ records: [LOG4SHELL, REJECTED] })
    const find = async (includesRejected: boolean) =>
      (await toHits(await reads.search({ term: 'jndi', includesRejected }))).map(({ id }) => id)
    expect(await find(false)).toEqual(['CVE-2021-44228'])
    expect(await find(true)).toEqual(['CVE-2021-0009', 'CVE-2021-44228'])
  })

  it('shows a new load to the next search, and the old generation to a running one', async () => {
    const store = createMemoryVulnerabilities(clock)
    const records = Array.from({ length: 1000 }, (_, number) =>
      sampleRecord(`CVE-2020-${1000 + number}`, withDescription('common')),
    )
    const vulnerabilities = await loadAll({ records }, store)
    const results = await vulnerabilities.search({ term: 'common' })
    const changed = sampleRecord('CVE-2020-1000', {
      ...withDescription('changed'),
      modifiedAt: Date.UTC(2022, 0, 1),
    })
    await loadAll({ records: [changed, LOG4SHELL] }, store)
    const ids = (await toHits(results)).map(({ id }) => id)
    expect(ids).toEqual(records.map(({ id }) => id))
    expect((await vulnerabilities.search({ term: 'common' })).count).toBe(999)
    expect((await vulnerabilities.search({ term: 'changed' })).count).toBe(1)
  })

  it('fails if the records of its generation were swept', async () => {
    const store = createMemoryVulnerabilities(clock)
    const vulnerabilities = await loadAll({ records: [LOG4SHELL] }, store)
    const gone = createVulnerabilityReads({
      store: { ...store, readRecords: (ids) => ids.map(() => undefined) },
    })
    await expect(toHits(await gone.search({ term: 'jndi' }))).rejects.toMatchObject({
      code: 'conflict',
      message: 'Cannot continue: a newer data load replaced this result. Repeat the request.',
    })
    const lost = createVulnerabilityReads({
      store: { ...store, readParts: (_, ids) => ids.map(() => undefined) },
    })
    await expect(lost.search({ term: 'jndi' })).rejects.toMatchObject({ code: 'conflict' })
    expect((await vulnerabilities.search({ term: 'jndi' })).count).toBe(1)
  })

  it('reads a part once for concurrent searches over an asynchronous storage', async () => {
    const store = createMemoryVulnerabilities(clock)
    await loadAll({ records: [LOG4SHELL] }, store)
    const read: string[] = []
    const later = <T>(value: T) => new Promise<T>((resolve) => setTimeout(resolve, 1, value))
    const slow = createVulnerabilityReads({
      store: {
        ...store,
        revision: () => later('a'),
        readParts: async (set, numbers) => {
          read.push(`${set.name} ${numbers.join()}`)
          return later(await store.readParts(set, numbers))
        },
        readRecords: async (ids, what) => later(await store.readRecords(ids, what)),
      },
    })
    const ask = async () => toHits(await slow.search({ term: 'jndi' }))
    const found = await Promise.all([ask(), ask(), ask()])
    expect(found).toEqual(Array(3).fill([{ id: 'CVE-2021-44228', named: 'apache log4j' }]))
    // The terms of the words, then those of names.
    expect(read.sort()).toEqual(['directory 0', 'rowId 0', 'terms 0', 'terms 0'])
    const before = read.length
    await ask()
    expect(read.length).toBe(before)
  })

  it('finds the products of reporters, and lists them without configurations', async () => {
    const reads = await loadAll({ records: [LOG4SHELL, ...REPORTED] })
    const find = async (filters: CveFilters) => {
      const found = await reads.search({ term: 'cve', filters })
      return (await toHits(found)).map(({ id, named }) => `${id} ${named}`)
    }
    const both = ['CVE-2026-0002 apache log4j', 'CVE-2026-0001 acme_data,_inc. rocket']
    expect(await find({ vendor: 'Acme Data' })).toEqual(both)
    expect(await find({ vendor: 'acme_data', product: 'Rocket' })).toEqual(both)
    expect(await find({ vendor: 'ACME-DATA GmbH', version: '1.5' })).toEqual(both.slice(1))
    expect(await find({ product: 'rocket', version: '3.1' })).toEqual(both.slice(0, 1))
    expect(await find({ vendor: 'acme' })).toEqual([])
    expect(await reads.listProducts('acme data')).toEqual(['rocket'])
    expect(await reads.listProducts('apache')).toEqual(['log4j'])
    const vendors = ['acme_data,_inc.', 'apache', 'netapp', 'siemens']
    expect(JSON.parse(await reads.listVendors())).toEqual(vendors)
    expect(await reads.listProductsOfCve('CVE-2026-0001')).toEqual([
      'acme_data,_inc. rocket >=1.0,<2.0',
    ])
    expect(await reads.listProductsOfCve('CVE-2026-0002')).toEqual(['apache log4j 2.14.1'])
  })

  it('finds rejected records by a spelling of their vendor', async () => {
    const rejected = { ...sampleRecord('CVE-2026-0005', { isRejected: true }) }
    const reads = await loadAll({
      records: [{ ...rejected, reported: [reportRocket('1.0', '2.0')] }],
    })
    const filters = { vendor: 'acme data' }
    const search = (includesRejected: boolean) =>
      reads.search({ term: 'cve', filters, includesRejected })
    expect([(await search(true)).count, (await search(false)).count]).toEqual([1, 0])
    expect(await reads.listVendors()).toBe('[]')
  })

  it('names a listed product if the filter matches only reported ones', async () => {
    const reads = await loadAll({
      records: [
        sampleRecord('CVE-2026-0002', {
          configurations: affects('apache:cordova:1.0', 'apache:log4j:2.14.1'),
          reported: [reportRocket('3.0', '3.2')],
        }),
      ],
    })
    const found = await reads.search({ term: 'log4j', filters: { vendor: 'acme data' } })
    expect((await toHits(found)).map(({ named }) => named)).toEqual(['apache log4j'])
  })

  it('finds records by their SSVC assessment', async () => {
    const reads = await loadAll({ records: [LOG4SHELL, ...REPORTED] })
    const count = async (exploitation: CveFilters['exploitation']) =>
      (await reads.search({ term: 'cve', filters: { exploitation } })).count
    expect(await count(['active'])).toBe(1)
    expect(await count(['active', 'none'])).toBe(2)
    expect(await count(['poc'])).toBe(0)
    expect(await count([])).toBe(3)
  })

  it('counts by year what the records say', async () => {
    const bare = sampleRecord('CVE-2026-0003')
    const rejected = sampleRecord('CVE-2026-0004', { isRejected: true })
    const reads = await loadAll({ records: [LOG4SHELL, ...REPORTED, bare, rejected] })
    const { completeness } = await reads.status()
    expect(completeness.map(({ year, ...counts }) => [year, ...Object.values(counts)])).toEqual([
      [2021, 1, 1, 1, 0, 0],
      [2026, 3, 2, 1, 0, 1],
    ])
    expect(Object.keys(completeness[0] ?? {})).toEqual([
      ...['year', 'records', 'withProduct', 'withConfigurations', 'withScore', 'withNeither'],
    ])
  })

  it('reads again after a failure', async () => {
    const store = createMemoryVulnerabilities(clock)
    await loadAll({ records: [LOG4SHELL] }, store)
    let fails = 5
    const reads = createVulnerabilityReads({
      store: {
        ...store,
        readParts: async (set, numbers) => {
          fails -= 1
          if (fails >= 0) throw new Error('away')
          return store.readParts(set, numbers)
        },
      },
    })
    const outcomes: string[] = []
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const asked = reads.search({ term: 'jndi' })
      outcomes.push(
        await asked.then(
          ({ count }) => `${count}`,
          (error: Error) => error.message,
        ),
      )
    }
    expect(outcomes).toEqual(['away', 'away', 'away', 'away', 'away', '1'])
  })

  it('works with a cache of a few bytes', async () => {
    const store = createMemoryVulnerabilities(clock)
    await createVulnerabilities({ store, clock }).loadRecords(inOne([LOG4SHELL, REJECTED]), {
      source: 'nvd',
    })
    const reads = createVulnerabilityReads({ store, cacheBytes: 0 })
    for (const term of ['jndi', 'jndi features', '"jndi features"', 'jndi']) {
      expect([term, (await reads.search({ term })).count]).toEqual([term, 1])
    }
  })
})

async function* inOne(records: readonly (typeof LOG4SHELL)[]) {
  yield { records }
}
