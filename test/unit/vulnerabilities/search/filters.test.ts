import { beforeAll, describe, expect, it } from 'vitest'
import type { CvssMetric } from '../../../../core/vulnerabilities/records.ts'
import type { Comparison, CveFilters } from '../../../../core/vulnerabilities/search/query.ts'
import type { Vulnerabilities } from '../../../../core/vulnerabilities/service.ts'
import { loadAll, toHits } from './loaded.ts'
import { affects, sampleRecord } from './samples.ts'

const withDescription = (of: string) => ({
  descriptions: [{ language: 'en', text: `Some flaw ${of}.` }],
})

const RECORDS = [
  sampleRecord('CVE-2019-0001', {
    ...withDescription('in a shell'),
    metrics: [metric('2.0', 7.5, 'AV:N/AC:L/Au:N/C:P/I:P/A:P')],
    configurations: affects('gnu:bash:4.2', ['gnu:readline:*', to('7.0')]),
    weaknesses: [{ source: 's', isPrimary: true, id: 'CWE-79' }],
    references: [{ url: 'https://Git.example.org:8443/x', source: 's', tags: ['Patch'] }],
  }),
  sampleRecord('CVE-2020-0002', {
    ...withDescription('in a server'),
    metrics: [
      metric('3.1', 7, 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N'),
      { ...metric('3.1', 9.8, 'CVSS:3.1/AV:L/AC:L/PR:N/UI:N'), isPrimary: false },
      metric('3.0', 5, 'CVSS:3.0/AV:P/AC:L/PR:H/UI:R'),
    ],
    configurations: affects('acme:server:-', ['acme:bash_tools:*', between('2.0', '2.17.1')]),
    references: [{ url: 'http://user@example.com', source: 's', tags: ['Exploit', 'Patch'] }],
    exploited: { name: 'n', addedOn: '2021-12-10', dueOn: '', action: '' },
  }),
  sampleRecord('CVE-2021-0003', {
    ...withDescription('everywhere'),
    metrics: [metric('4.0', 0, 'CVSS:4.0/AV:N/AC:H/PR:N/E:X')],
    configurations: affects('acme:bash:*'),
    weaknesses: [{ source: 's', isPrimary: false, id: 'NVD-CWE-noinfo' }],
    modifiedAt: Date.UTC(2022, 1, 1),
  }),
  sampleRecord('CVE-2021-45967', {
    ...withDescription('in the pascom cloud phone system'),
    configurations: affects('pascom_cloud_phone_system:*:*', '*:*:*', '*:openfire:*'),
  }),
]

const [ONE, TWO, THREE, WILD] = RECORDS.map(({ id }) => id) as [string, string, string, string]
const EPSS = [
  { id: ONE, score: 0.97, percentile: 0.99999 },
  { id: TWO, score: 0, percentile: 0.00001 },
]

const CASES: readonly (readonly [CveFilters, ...(readonly string[])])[] = [
  [{ cvss2: { operator: '=', value: 7.5 } }, ONE],
  [{ cvss2: { operator: '>', value: 7.5 } }],
  [{ cvss2: { operator: '>=', value: 7.5 } }, ONE],
  [{ cvss2: { operator: '<', value: 7.55 } }, ONE],
  [{ cvss3: { operator: '=', value: 7 } }, TWO],
  [{ cvss3: { operator: '<=', value: 7 } }, TWO],
  [{ cvss3: { operator: '>', value: 7 } }],
  [{ cvss3: { operator: '=', value: 7.05 } }],
  [{ cvss3: { operator: '<', value: 10 } }, TWO],
  [{ cvss4: { operator: '=', value: 0 } }, THREE],
  [{ cvss4: { operator: '<', value: 10 } }, THREE],
  [{ year: { operator: '=', value: 2021 } }, THREE, WILD],
  [{ year: { operator: '<', value: 2020 } }, ONE],
  [{ epss: { operator: '=', value: 0.97 } }, ONE],
  [{ epss: { operator: '<=', value: 0 } }, TWO],
  [{ epssPercentile: { operator: '>', value: 0.99998 } }, ONE],
  [{ published: { operator: '>', value: Date.UTC(2020, 4, 31) } }, THREE, WILD, TWO],
  [{ published: { operator: '=', value: Date.UTC(2020, 5, 1) } }, TWO],
  [{ modified: { operator: '>=', value: Date.UTC(2022, 0, 1) } }, THREE],
  [{ isExploited: true }, TWO],
  [{ isExploited: false }, THREE, WILD, TWO, ONE],
  [{ isRansomware: true }],
  [{ exploitedSince: { operator: '=', value: Date.UTC(2021, 11, 10) } }, TWO],
  [{ exploitedSince: { operator: '<', value: Date.UTC(2021, 11, 10) } }],
  [{ cweId: 'cwe-79' }, ONE],
  [{ cweId: 'CWE-7' }],
  [{ cweId: 'nvd-cwe-NOINFO' }, THREE],
  [{ referenceHost: 'git.example.org' }, ONE],
  [{ referenceHost: 'EXAMPLE.com' }, TWO],
  [{ referenceHost: 'example.org' }],
  [{ referenceTag: 'patch' }, TWO, ONE],
  [{ vector: ['AV:N'] }, THREE, TWO, ONE],
  [{ vector: ['av:n', 'pr:l'] }, TWO],
  [{ vector: ['E:X'] }, THREE, WILD, TWO, ONE],
  [{ vendor: 'ACME' }, THREE, TWO],
  [{ product: 'Bash' }, THREE, ONE],
  [{ vendor: 'gnu', product: 'bash' }, ONE],
  [{ product: 'bash', version: '4.2.0' }, THREE, ONE],
  [{ vendor: 'gnu', version: '6.9' }, ONE],
  [{ vendor: 'gnu', version: '7.0' }],
  [{ vendor: 'acme', product: 'bash_tools', version: '2.9' }, TWO],
  [{ vendor: 'acme', product: 'bash_tools', version: '2.17.1' }],
  [{ vendor: 'acme', product: 'server', version: '-' }, TWO],
  [{ version: '2.3' }, THREE, TWO, ONE],
  [{ score: { operator: '>=', value: 7 } }, TWO, ONE],
  [{ score: { operator: '=', value: 0 } }, THREE],
  [{ severities: ['high'] }, TWO, ONE],
  [{ severities: ['critical', 'medium'] }],
  [{ severities: ['none'] }, THREE, WILD],
  [{ severities: [] }, THREE, WILD, TWO, ONE],
  [{ cvss3: within(6.9, 7), severities: ['low', 'high'] }, TWO],
  [{ cvss3: within(7.1, 10) }],
  [{ year: within(2020, 2021) }, THREE, WILD, TWO],
  [{ year: within(2021, 2020) }],
  [{ published: within(Date.UTC(2020, 5, 1), Date.UTC(2020, 5, 1)) }, TWO],
  [{ epss: within(0.1, 0.97) }, ONE],
  [{ exploitedSince: within(Date.UTC(2021, 11, 1), Date.UTC(2021, 11, 31)) }, TWO],
]

describe('Filters', () => {
  let vulnerabilities: Vulnerabilities
  beforeAll(async () => {
    vulnerabilities = await loadAll({ records: RECORDS, epss: EPSS })
  })

  async function find(filters: CveFilters): Promise<readonly string[]> {
    const results = await vulnerabilities.search({ term: 'flaw', filters })
    const ids = (await toHits(results)).map(({ id }) => id)
    expect(results.count).toBe(ids.length)
    return ids
  }

  it.each(CASES.map(([filters, ...ids]) => ({ filters, ids })))(
    '$filters match the expected records',
    async ({ filters, ids }) => {
      expect(await find(filters)).toEqual(ids)
    },
  )

  it('match the counts by year and severity', async () => {
    const count = async (filters: CveFilters) =>
      (await vulnerabilities.search({ term: 'flaw', filters, countsYears: true })).years
    const none = { none: 0, low: 0, medium: 0, high: 0, critical: 0 }
    expect(await count({})).toEqual([
      { ...none, year: 2019, high: 1 },
      { ...none, year: 2020, high: 1 },
      { ...none, year: 2021, none: 2 },
    ])
    expect(await count({ vendor: 'gnu' })).toEqual([{ ...none, year: 2019, high: 1 }])
    expect(await count({ vendor: 'nobody' })).toEqual([])
    expect((await vulnerabilities.search({ term: 'flaw' })).years).toBeUndefined()
  })

  it('do not combine metrics of two vectors', async () => {
    expect(await find({ vector: ['AV:L', 'PR:N'] })).toEqual([TWO])
    expect(await find({ vector: ['AV:N', 'PR:N', 'AC:L'] })).toEqual([])
  })

  it('do not combine the vendor of one product with the name of another', async () => {
    expect(await find({ vendor: 'acme', product: 'readline' })).toEqual([])
    expect(await find({ vendor: 'gnu', product: 'server' })).toEqual([])
  })

  it('match complete names only', async () => {
    expect(await find({ product: 'bash_tool' })).toEqual([])
    expect(await find({ product: 'tools' })).toEqual([])
  })

  // Other services return CVE-2021-45967 for every product: its CPEs have any vendor and any
  // product.
  it('match no record by a name that its CPEs leave open', async () => {
    expect(await find({ product: 'audiofile' })).toEqual([])
    expect(await find({ product: 'bash', version: '4.2.46' })).toEqual([THREE])
    expect(await find({ vendor: '*' })).toEqual([])
    expect(await find({ product: '*' })).toEqual([])
    expect(await find({ version: '1.0' })).not.toContain(WILD)
  })
})

function metric(version: CvssMetric['version'], score: number, vector: string): CvssMetric {
  return { version, source: 's', isPrimary: true, score, severity: 'HIGH', vector }
}

function to(version: string) {
  return { to: { version, isIncluded: false } }
}

function between(from: string, until: string) {
  return { from: { version: from, isIncluded: true }, ...to(until) }
}

function within(low: number, high: number): readonly Comparison[] {
  return [
    { operator: '>=', value: low },
    { operator: '<=', value: high },
  ]
}
