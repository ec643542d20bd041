import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toRecordProducts } from '../../../../core/vulnerabilities/affected-products.ts'
import {
  type CveNode,
  type CveRecord,
  EXPLOITATIONS,
  type ReportedProduct,
} from '../../../../core/vulnerabilities/records.ts'
import { unpackProducts } from '../../../../core/vulnerabilities/stored/products.ts'
import { fromStoredRecord, toStoredRecord } from '../../../../core/vulnerabilities/stored-record.ts'
import { sampleRecord } from './samples.ts'

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('nvd@nist.gov', 'Patch', ' x'),
)
const filled = text.filter((value) => value !== '')
const score = fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10)
const operator = fc.constantFrom('AND' as const, 'OR' as const)
const vector = fc.oneof(
  text,
  fc.constantFrom(
    '',
    'AV:N/AC:L/Au:N/C:P/I:P/A:P',
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
    'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
    'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
    'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:P/CR:X/IR:X/AR:X/MAV:X/MAC:X/MAT:X/MPR:X/MUI:X/MVC:X/MVI:X/MVA:X/MSC:X/MSI:X/MSA:X/S:X/AU:X/R:X/V:X/RE:X/U:X',
  ),
)
const bound = fc.record({ version: text, isIncluded: fc.boolean() })
const range = fc.oneof(
  fc.record({ from: bound }),
  fc.record({ to: bound }),
  fc.record({ from: bound, to: bound }),
)
const cpe = fc
  .tuple(
    fc.constantFrom('a', 'o'),
    text,
    fc.constantFrom('x', 'y'),
    text,
    fc.constantFrom('*', '-'),
  )
  .map(([part, vendor, product, version, end]) => {
    const values = [vendor, version].map((value) => value.replaceAll(/[^a-z0-9]/gi, '') || '*')
    return `cpe:2.3:${part}:${values[0]}:${product}:${values[1]}:*:*:*:*:*:${end}:*`
  })
const match = fc.oneof(
  fc.record({ isVulnerable: fc.boolean(), cpe }),
  fc.record({ isVulnerable: fc.boolean(), cpe, range }),
)
const toNode = (children: fc.Arbitrary<CveNode[]>): fc.Arbitrary<CveNode> =>
  fc.record({
    operator,
    isNegated: fc.boolean(),
    matches: fc.array(match, { maxLength: 4 }),
    children,
  })
const leaf = toNode(fc.constant([]))
const node = toNode(fc.array(toNode(fc.array(leaf, { maxLength: 1 })), { maxLength: 2 }))
const status = fc.constantFrom('affected' as const, 'unaffected' as const, 'unknown' as const)

const report: fc.Arbitrary<ReportedProduct> = fc.record(
  {
    source: text,
    vendor: text,
    product: text,
    packageName: filled,
    packageUrl: filled,
    collectionUrl: filled,
    repository: filled,
    cpes: fc.array(text, { maxLength: 2 }),
    modules: fc.array(text, { maxLength: 2 }),
    platforms: fc.array(text, { maxLength: 2 }),
    defaultStatus: status,
    versions: fc.array(
      fc.record(
        {
          version: text,
          status,
          type: fc.oneof(text, fc.constant('git')),
          lessThan: text,
          lessThanOrEqual: text,
          changes: fc.array(fc.record({ at: text, status }), { minLength: 1, maxLength: 2 }),
        },
        { requiredKeys: ['version', 'status'] },
      ),
      { maxLength: 3 },
    ),
  },
  {
    requiredKeys: [
      ...(['source', 'vendor', 'product', 'cpes', 'modules'] as const),
      ...(['platforms', 'defaultStatus', 'versions'] as const),
    ],
  },
)

const record: fc.Arbitrary<CveRecord> = fc.record(
  {
    id: fc.constant('CVE-2021-44228'),
    source: text,
    status: fc.oneof(text, fc.constant('Analyzed')),
    isRejected: fc.boolean(),
    publishedAt: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    modifiedAt: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    descriptions: fc.array(fc.record({ language: text, text }), { maxLength: 3 }),
    metrics: fc.array(
      fc.record({
        version: fc.constantFrom('2.0' as const, '3.0' as const, '3.1' as const, '4.0' as const),
        source: text,
        isPrimary: fc.boolean(),
        score,
        severity: fc.oneof(text, fc.constantFrom('HIGH', 'LOW', '')),
        vector,
      }),
      { maxLength: 3 },
    ),
    weaknesses: fc.array(fc.record({ source: text, isPrimary: fc.boolean(), id: text })),
    configurations: fc.array(
      fc.record({ operator, isNegated: fc.boolean(), nodes: fc.array(node, { maxLength: 2 }) }),
      { maxLength: 2 },
    ),
    references: fc.array(
      fc.record({
        url: fc.oneof(text, fc.webUrl(), fc.constantFrom('https://a.example/', 'https:// x')),
        source: text,
        tags: fc.array(text, { maxLength: 3 }),
      }),
    ),
    tags: fc.array(text),
    exploited: fc.record({ name: text, addedOn: text, dueOn: text, action: text }),
    reported: fc.array(report, { maxLength: 3 }),
    ssvc: fc.record(
      {
        source: text,
        assessedAt: fc.integer({ min: 0, max: 4_000_000_000_000 }),
        exploitation: fc.constantFrom(...EXPLOITATIONS),
        isAutomatable: fc.boolean(),
        technicalImpact: fc.constantFrom('partial' as const, 'total' as const),
      },
      { requiredKeys: ['source', 'exploitation'] },
    ),
  },
  {
    requiredKeys: [
      'id',
      'source',
      'status',
      'isRejected',
      'publishedAt',
      'modifiedAt',
      'descriptions',
      'metrics',
      'weaknesses',
      'configurations',
      'references',
      'tags',
    ],
  },
)

describe('Stored records', () => {
  it('are restored exactly, regardless of their content', () => {
    fc.assert(
      fc.property(record, (value) => {
        const stored = toStoredRecord(value)
        expect(fromStoredRecord(stored)).toEqual(value)
        expect(unpackProducts(stored.products)).toEqual(toRecordProducts(value))
      }),
      { seed: 3, numRuns: 150 },
    )
  })

  it('have the fields of Specification 2.5 in their line', () => {
    expect(JSON.parse(toStoredRecord(sampleRecord(7)).line)).toEqual({
      cve_id: 'CVE-2021-0007',
      cve_description: 'A remote flaw number 7 in the parser',
      vendor: 'acme',
      product: 'web_server',
      version: '1.0',
      cvssv2_score: '-',
      cvssv2_severity: '-',
      cvssv3_score: '7.5',
      cvssv3_severity: 'HIGH',
      year_published: 2021,
    })
    const bare = sampleRecord(7, { descriptions: [], metrics: [], configurations: [] })
    expect(toStoredRecord(bare)).toEqual({
      line: JSON.stringify({
        cve_id: 'CVE-2021-0007',
        cve_description: '',
        vendor: '-',
        product: '-',
        version: '-',
        cvssv2_score: '-',
        cvssv2_severity: '-',
        cvssv3_score: '-',
        cvssv3_severity: '-',
        year_published: 2021,
      }),
      products: '',
      detail: toStoredRecord(bare).detail,
    })
  })
})
