import { describe, expect, it } from 'vitest'
import {
  toFindingsDocument,
  writeFindingsDocument,
} from '../../../../core/scans/report/findings-document.ts'
import { readChunks } from '../../../helpers/chunks.ts'
import { PAYMENTS, toFinding, toFindings } from '../../../helpers/findings.ts'

const PAY = 'https://api.acme.io/v1/payments/{}'

describe('the document of what a scan found', () => {
  it('has the wrappers that the scan cannot follow', async () => {
    const unresolvedWrappers = [{ row: 'api.call(method, path)', calls: 2, unresolved: 1 }]
    const found = { ...toFindings([]), unresolvedWrappers }
    expect(toFindingsDocument(found).unresolved_wrappers).toEqual(unresolvedWrappers)
    const written = await readChunks(writeFindingsDocument(found))
    expect(JSON.parse(written.join(''))).toEqual(toFindingsDocument(found))
  })

  it('leaves out what is not known', () => {
    const found = toFindings([
      toFinding(PAY, { ...PAYMENTS, package: 'pkg:npm/acme' }),
      toFinding('api.other.io/v2', { method: undefined, via: 'config' }),
    ])
    expect(toFindingsDocument(found)).toEqual({
      files: 1,
      skipped: {},
      findings: [
        {
          file: 'src/a.ts',
          line: 1,
          column: 1,
          url: PAY,
          host: 'api.acme.io',
          method: 'get',
          via: 'call',
          confidence: 0.95,
          endpoint_id: PAYMENTS.endpointId,
          api_name: 'Payments',
          vendor_name: 'Acme',
          package: 'pkg:npm/acme',
        },
        {
          file: 'src/a.ts',
          line: 1,
          column: 1,
          url: 'api.other.io/v2',
          host: 'api.other.io',
          via: 'config',
          confidence: 0.95,
        },
      ],
      apis: [
        {
          api_name: 'Payments',
          vendor_name: 'Acme',
          hosts: ['api.acme.io'],
          count: 1,
          files: 1,
          packages: ['pkg:npm/acme'],
        },
      ],
      unmatched: [{ host: 'api.other.io', count: 1, files: 1 }],
      ambiguous: [],
      services: [
        {
          ...{ name: 'Payments', api_name: 'Payments', vendor_name: 'Acme' },
          ...{ hosts: ['api.acme.io'], endpoints: 1, locations: 1, files: 1 },
          ...{ confidence: 0.95, file: 'src/a.ts', line: 1, packages: ['pkg:npm/acme'] },
        },
        {
          ...{ name: 'other.io', hosts: ['api.other.io'], endpoints: 0, locations: 1, files: 1 },
          ...{ evidence: 'setting', confidence: 0.95, file: 'src/a.ts', line: 1 },
        },
      ],
    })
  })

  it('names the environments that the code may choose', () => {
    const alternatives = ['https://live.acme.io']
    const { findings } = toFindingsDocument(toFindings([toFinding(PAY, { alternatives })]))
    expect(findings.map((finding) => finding.alternatives)).toEqual([alternatives])
  })

  it('groups the findings by API and by host', () => {
    const at = (file: string, more: object = {}) =>
      toFinding('https://api.other.io', { file, vendorName: 'Other', ...more })
    const found = toFindings([
      toFinding('https://eu.acme.io', { ...PAYMENTS, host: 'eu.acme.io' }),
      toFinding(PAY, PAYMENTS),
      at('a.go', { package: 'pkg:golang/other.io/go' }),
      at('a.go', { package: 'pkg:golang/other.io/go/v2@v2.2.0' }),
      at('b.rb', { package: 'pkg:gem/other' }),
    ])
    const { apis, unmatched } = toFindingsDocument(found)
    expect(apis).toEqual([
      {
        ...{ api_name: 'Payments', vendor_name: 'Acme', hosts: ['api.acme.io', 'eu.acme.io'] },
        ...{ count: 2, files: 1 },
      },
    ])
    expect(unmatched).toEqual([
      {
        ...{ host: 'api.other.io', vendor: 'Other', count: 3, files: 2 },
        packages: ['pkg:golang/other.io/go/v2@v2.2.0', 'pkg:gem/other'],
      },
    ])
  })

  it.each([0, 1, 5000])('is written in chunks as it is: %i findings', async (count) => {
    const findings = Array.from({ length: count }, (_, line) => toFinding(PAY, { line }))
    const found = toFindings(findings)
    const chunks = await readChunks(writeFindingsDocument(found))
    expect(JSON.parse(chunks.join(''))).toEqual(toFindingsDocument(found))
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(64 * 1024)
  })
})
