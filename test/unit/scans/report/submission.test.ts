import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { toScanSubmission } from '../../../../core/scans/report/submission.ts'
import { newEndpointSchema, newProjectSchema } from '../../../../core/scans/wire.ts'
import { toFinding } from '../../../helpers/findings.ts'

const PAY = 'https://api.acme.io/v1/payments'

describe('what is sent to a service', () => {
  it('has usages of production code first, and the roles of others', async () => {
    const { rows } = await toScanSubmission('shop', [
      toFinding('https://acme.net/a', { isOwnHost: true }),
      toFinding('https://api.tests.io/a', { file: 'a.test.ts' }),
      toFinding('https://api.ci.io/a', { file: 'Jenkinsfile' }),
      toFinding('https://api.acme.io/a', { file: 'src/a.ts' }),
    ])
    expect(rows.map((row) => [row.endpoint_url, row.role])).toEqual([
      ['https://api.acme.io/a', undefined],
      ['https://api.ci.io/a', 'build'],
      ['https://api.tests.io/a', 'test'],
      ['https://acme.net/a', 'own-host'],
    ])
    expect(rows.every((row) => v.is(newEndpointSchema, row))).toBe(true)
  })

  it('is a row for each URL and method, with all its places and packages', async () => {
    const findings = [
      toFinding(PAY, { line: 3 }),
      toFinding(PAY, { line: 5, method: undefined }),
      toFinding(PAY, { line: 9, file: 'src/b.ts' }),
      toFinding(`${PAY}/?a=1`, { line: 2, package: 'pkg:npm/acme', vendorName: 'Acme' }),
      toFinding('https://API.acme.io:443/v1/payments#x', { line: 7, package: 'pkg:npm/acme@2.0' }),
      toFinding(PAY, { line: 8, method: 'put', package: 'pkg:gem/acme' }),
      toFinding(PAY, { line: 9, method: 'put', package: 'pkg:npm/acme@2.0' }),
    ]
    const { head, rows, idempotencyKey } = await toScanSubmission('shop', findings)
    expect(head).toEqual({ project_name: 'shop' })
    const base = { endpoint_url: PAY, confidence: 0.95 }
    expect(rows).toEqual([
      {
        ...base,
        endpoint_method: 'get',
        found_in: [
          { file: 'src/a.ts', line: 3, column: 1 },
          { file: 'src/b.ts', line: 9, column: 1 },
          { file: 'src/a.ts', line: 2, column: 1 },
          { file: 'src/a.ts', line: 7, column: 1 },
        ],
        package: 'pkg:npm/acme@2.0',
        vendor_name: 'Acme',
      },
      { ...base, found_in: [{ file: 'src/a.ts', line: 5, column: 1 }] },
      {
        ...base,
        endpoint_method: 'put',
        found_in: [8, 9].map((line) => ({ file: 'src/a.ts', line, column: 1 })),
        package: 'pkg:npm/acme@2.0',
        packages: ['pkg:npm/acme@2.0', 'pkg:gem/acme'],
      },
    ])
    const again = await toScanSubmission('shop', findings)
    const other = await toScanSubmission('shop', findings.slice(1))
    expect(again.idempotencyKey).toBe(idempotencyKey)
    expect(other.idempotencyKey).not.toBe(idempotencyKey)
  })

  it('has the environments that the code may choose', async () => {
    const alternatives = ['https://live.acme.io']
    const found = [
      toFinding('https://test.acme.io', { method: undefined, alternatives }),
      toFinding('https://test.acme.io', { method: undefined, line: 2 }),
    ]
    const { rows } = await toScanSubmission('shop', found)
    expect(rows.map((row) => row.alternatives)).toEqual([alternatives])
    expect(rows.map((row) => v.is(newEndpointSchema, row))).toEqual([true])
  })

  it('is what the service takes, whatever files and URLs are called', async () => {
    const findings = [
      ...Array.from({ length: 2500 }, (_, index) => toFinding(PAY, { line: index + 1 })),
      toFinding(`${PAY}/${'x'.repeat(5000)}`, { file: `${'f/'.repeat(600)}😀.ts` }),
      toFinding(`${PAY}/\u0000\ud800`, { file: 'a\nb\udc00.ts', package: 'p'.repeat(600) }),
      toFinding(PAY, { file: `${'f'.repeat(999)}😀`, method: 'post' }),
    ]
    const { head, rows } = await toScanSubmission('shop', findings)
    expect(v.is(newProjectSchema, head)).toBe(true)
    expect(rows.map((row) => v.is(newEndpointSchema, row))).toEqual(rows.map(() => true))
    expect(rows.map((row) => row.found_in.length)).toEqual([1000, 1000, 500, 1, 1, 1])
  })
})
