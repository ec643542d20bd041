import { describe, expect, it } from 'vitest'
import { joinRecords } from '../../../core/vulnerabilities/join-records.ts'
import type {
  CveRecord,
  CvssMetric,
  ReportedProduct,
} from '../../../core/vulnerabilities/records.ts'
import { sampleRecord } from './loading/samples.ts'

const metric: CvssMetric = {
  ...{ version: '3.1', source: 'acme', isPrimary: true, score: 9.8, severity: 'CRITICAL' },
  vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
}

function report(product: string): ReportedProduct {
  return {
    ...{ source: 'acme', vendor: 'Acme', product, cpes: [], modules: [], platforms: [] },
    ...{ defaultStatus: 'unaffected', versions: [{ version: '1.0', status: 'affected' }] },
  }
}

function nvdRecord(changes: Partial<CveRecord> = {}): CveRecord {
  return sampleRecord(1, { modifiedAt: 2_000, ...changes })
}

/** The CVE Program's record, which states more than NVD's. */
function cveRecord(changes: Partial<CveRecord> = {}): CveRecord {
  return sampleRecord(1, {
    source: 'acme',
    status: 'PUBLISHED',
    publishedAt: 900,
    modifiedAt: 1_000,
    descriptions: [{ language: 'en', text: 'As Acme describes it' }],
    metrics: [metric],
    weaknesses: [
      { source: 'acme', isPrimary: true, id: 'CWE-79' },
      { source: 'acme', isPrimary: true, id: 'CWE-80' },
    ],
    configurations: [],
    references: [
      { url: 'https://example.com/advisory', source: 'acme', tags: [] },
      { url: 'https://acme.example/advisory', source: 'acme', tags: ['Vendor Advisory'] },
    ],
    tags: ['disputed'],
    ...changes,
  })
}

const AUTHORITIES = [
  { authority: 'nvd', status: 'Analyzed', modifiedAt: 2_000 },
  { authority: 'cve', status: 'PUBLISHED', modifiedAt: 1_000 },
]

describe('joinRecords', () => {
  it('returns the record of NVD alone as it is', () => {
    const nvd = nvdRecord()
    expect(joinRecords({ nvd })).toBe(nvd)
  })

  it('marks the record of the CVE Program alone', () => {
    const cve = cveRecord()
    expect(joinRecords({ cve })).toEqual({ ...cve, authorities: [AUTHORITIES[1]] })
  })

  it('adds values of the CVE Program after those of NVD, as secondary ones', () => {
    const nvd = nvdRecord()
    expect(joinRecords({ nvd, cve: cveRecord() })).toEqual({
      ...nvd,
      metrics: [...nvd.metrics, { ...metric, isPrimary: false }],
      weaknesses: [...nvd.weaknesses, { source: 'acme', isPrimary: false, id: 'CWE-80' }],
      references: [...nvd.references, cveRecord().references[1]],
      tags: ['disputed'],
      authorities: AUTHORITIES,
    })
  })

  it('adds tags of the CVE Program to references of NVD, without regard to spelling', () => {
    const url = 'https://acme.example/advisory'
    const nvd = nvdRecord({ references: [{ url, source: 'nvd', tags: ['Vendor Advisory'] }] })
    const tags = ['vendor-advisory', 'exploit']
    const cve = cveRecord({ references: [{ url, source: 'acme', tags }] })
    expect(joinRecords({ nvd, cve }).references).toEqual([
      { url, source: 'nvd', tags: ['Vendor Advisory', 'exploit'] },
    ])
  })

  it('adds no scoring by a vector that NVD copied', () => {
    const copied = { ...metric, source: 'cna@acme.example', isPrimary: false }
    const nvd = nvdRecord({ metrics: [copied] })
    expect(joinRecords({ nvd, cve: cveRecord() }).metrics).toEqual([copied])
  })

  it('completes a record that NVD did not analyze', () => {
    const nvd = nvdRecord({ descriptions: [], metrics: [], weaknesses: [], configurations: [] })
    const { descriptions, metrics, weaknesses } = joinRecords({ nvd, cve: cveRecord() })
    const cve = cveRecord()
    expect([descriptions, metrics, weaknesses]).toEqual([
      cve.descriptions,
      cve.metrics,
      cve.weaknesses,
    ])
  })

  it('takes statements about products from the record that was modified last', () => {
    const nvd = nvdRecord({ reported: [report('copied')] })
    const older = cveRecord({ reported: [report('own')] })
    const newer = cveRecord({ reported: [report('own')], modifiedAt: 3_000 })
    const products = [older, newer].map((cve) => joinRecords({ nvd, cve }).reported?.[0]?.product)
    expect(products).toEqual(['copied', 'own'])
    expect(joinRecords({ nvd: nvdRecord(), cve: older }).reported).toEqual([report('own')])
  })

  it('takes the latest SSVC assessment', () => {
    const nvd = nvdRecord({ ssvc: { source: 'cisa', assessedAt: 5, exploitation: 'none' } })
    const newer = { source: 'CISA-ADP', assessedAt: 6, exploitation: 'active' } as const
    const older = { ...newer, assessedAt: 4 }
    const states = [newer, older].map(
      (ssvc) => joinRecords({ nvd, cve: cveRecord({ ssvc }) }).ssvc?.exploitation,
    )
    expect(states).toEqual(['active', 'none'])
  })

  it('is rejected if the record that was modified last is', () => {
    const rejected = cveRecord({ isRejected: true, status: 'REJECTED', modifiedAt: 3_000 })
    const joined = joinRecords({ nvd: nvdRecord(), cve: rejected })
    expect(joined).toEqual({
      ...rejected,
      source: nvdRecord().source,
      publishedAt: nvdRecord().publishedAt,
      authorities: [AUTHORITIES[0], { authority: 'cve', status: 'REJECTED', modifiedAt: 3_000 }],
    })
    const earlier = { ...rejected, modifiedAt: 1_000 }
    expect(joinRecords({ nvd: nvdRecord(), cve: earlier })).toMatchObject({
      isRejected: false,
      descriptions: nvdRecord().descriptions,
    })
  })
})
