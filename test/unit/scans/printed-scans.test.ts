import { expect, test } from 'vitest'
import { fromPrintedScan } from '../../../core/scans/printed-scans.ts'
import { toFindingsDocument } from '../../../core/scans/report/findings-document.ts'
import { toScanSubmission } from '../../../core/scans/report/submission.ts'
import { toFlowDocument } from '../../../core/traffic/flow-document.ts'
import { PAYMENTS, toFinding, toFindings } from '../../helpers/findings.ts'

const PAY = 'https://api.acme.io/v1/payments/{}'

/** Returns the document as it would be read from a file. */
function toJson(document: object): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(document))
}

test('converts the output of `scan project --json` to the body sent by --submit', async () => {
  const findings = [
    toFinding(PAY, { ...PAYMENTS, package: 'pkg:npm/acme@1.0.0' }),
    toFinding(PAY, { ...PAYMENTS, line: 9 }),
    toFinding('https://api.acme.io/v1', { via: 'base' }),
    toFinding('https://api.other.io/v2', { method: undefined, via: 'config' }),
  ]
  const { head, rows } = await toScanSubmission('shop', findings)
  const document = toJson(toFindingsDocument(toFindings(findings), 'shop'))
  expect(await fromPrintedScan(document)).toEqual({ kind: 'project', head, rows })
  expect(rows).toHaveLength(2)
  const { project_name: _, ...unnamed } = document
  expect(await fromPrintedScan(unnamed)).toEqual({ kind: 'project', head: {}, rows })
})

test('converts the output of `scan network --json`, without secrets in URLs', async () => {
  const flow = {
    ip: '203.0.113.9',
    port: 443,
    host: 'api.acme.io',
    via: 'sni',
    direction: 'Outgoing',
    protocol: 'https',
    method: 'get',
    url: 'https://api.acme.io/v1?api_key=hunter2hunter2hunter2',
    capturedAt: Date.UTC(2026, 2, 1, 8),
  } as unknown as Parameters<typeof toFlowDocument>[0]
  const later = { ...flow, capturedAt: Date.UTC(2026, 2, 1, 9), url: undefined }
  const flows = [toFlowDocument(later), toFlowDocument(flow)]
  const names = { network_name: 'Office', project_name: 'Company' }
  const found = await fromPrintedScan(toJson({ ...names, flows, damaged: [] }))
  expect(found).toMatchObject({
    kind: 'network',
    head: {
      ...names,
      start_time: '2026-03-01T08:00:00+00:00',
      end_time: '2026-03-01T09:00:00+00:00',
      scan_status: 'complete',
    },
  })
  expect(found?.rows[1]).toEqual({
    captured_ip: '203.0.113.9',
    port: 443,
    host: 'api.acme.io',
    direction: 'Outgoing',
    capture_datetime: '2026-03-01T08:00:00+00:00',
    method: 'get',
    url: expect.not.stringContaining('hunter2'),
  })
})

test('uses the first time from a set clock as the start of a capture', async () => {
  const at = (capture_datetime: string) => ({
    captured_ip: '203.0.113.9',
    host: 'api.acme.io',
    direction: 'Outgoing',
    capture_datetime,
  })
  const unset = at('1970-01-01T00:01:18+00:00')
  const startOf = async (flows: readonly object[]) => {
    const found = await fromPrintedScan({ network_name: 'Office', flows, damaged: [] })
    return (found?.head as { readonly start_time?: string } | undefined)?.start_time
  }
  const known = ['2026-03-01T08:00:00+00:00', '2026-03-01T09:00:00+00:00'] as const
  expect(await startOf([at(known[1]), unset, at(known[0])])).toBe(known[0])
  expect(await startOf([unset])).toBe(unset.capture_datetime)
})

test('ignores other documents', async () => {
  const others = [{}, { project_name: 'x', scan_details: [] }, { network_name: 'x', flows: [] }]
  for (const other of others) expect(await fromPrintedScan(other)).toBeUndefined()
  expect(await fromPrintedScan({ findings: [{ url: 7 }] })).toBeUndefined()
})
