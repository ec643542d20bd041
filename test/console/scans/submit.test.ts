import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestConsole, type TestConsole } from '../../helpers/console.ts'

let pages: TestConsole

beforeAll(async () => {
  pages = await openTestConsole()
})

afterAll(() => pages.close())

function submitFile(content: string, names: Readonly<Record<string, string>> = {}) {
  return pages.upload('/console/scans/submit', { scan: new Blob([content]), ...names })
}

const HEAD = { project_name: 'Uploaded', datetime_created: '2026-03-01T08:00:00Z' }
const ROW = { endpoint_url: 'https://api.ledgerly.example/v1/payments', endpoint_method: 'post' }
const NETWORK = {
  network_name: 'Branch',
  project_name: 'Uploaded',
  start_time: '2026-03-01T08:00:00Z',
  scan_status: 'running',
}
const FLOW = {
  captured_ip: '203.0.113.9',
  host: 'api.ledgerly.example',
  direction: 'Outgoing',
  capture_datetime: '2026-03-01T08:00:01Z',
}

test('stores a scan of a project or a network from JSON and from NDJSON', async () => {
  const files = [
    JSON.stringify({ ...HEAD, scan_details: [ROW] }),
    `\ufeff${JSON.stringify(HEAD)}\n${JSON.stringify({ ...ROW, endpoint_method: 'get' })}\n\n`,
    JSON.stringify({ ...NETWORK, flows: [FLOW] }, undefined, 2),
    `${JSON.stringify({ ...NETWORK, network_name: 'Other' })}\r\n${JSON.stringify(FLOW)}`,
  ]
  const shown = []
  for (const file of files) {
    const { status, headers } = await submitFile(file)
    const location = headers.get('location') ?? ''
    expect([file, status]).toEqual([file, 303])
    shown.push((await pages.get(location)).text)
  }
  for (const text of shown) expect(text).toContain('Scan stored.')
  for (const text of shown) expect(text).toContain('Ledgerly Payments')
  expect(shown[2]).toContain('Scan running since 2026-03-01 08:00 : 1 flow so far.')
})

test('stores the output of `scan project --json` and `scan network --json`', async () => {
  const finding = { file: 'src/a.ts', line: 3, column: 5, via: 'call', confidence: 0.9 }
  const printed = {
    project_name: 'Printed',
    files: 1,
    skipped: {},
    findings: [
      { ...finding, url: 'https://api.ledgerly.example/v1/x', host: 'api.ledgerly.example' },
      { ...finding, url: '{}/v1/users' },
    ],
    unmatched: [],
  }
  const flow = { ...FLOW, via: 'sni', protocol: 'https', vendor_name: 'Ledgerly' }
  const captured = { network_name: 'Branch', project_name: 'Printed', flows: [flow], damaged: [] }
  for (const document of [printed, captured]) {
    const { status, headers } = await submitFile(JSON.stringify(document))
    expect(status).toBe(303)
    const { text } = await pages.get(headers.get('location') ?? '')
    expect(text).toContain('Scan stored.')
    expect(text).toContain('Ledgerly Payments')
  }
  const { project_name: _, ...unnamed } = printed
  const refused = await submitFile(JSON.stringify(unnamed))
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('The file has no project_name. Enter it below')
  expect((await submitFile(JSON.stringify(unnamed), { project_name: 'Named' })).status).toBe(303)
  expect((await pages.get('/console/scans?name=named')).text).toContain('1 project')
})

test('shows a focused error summary above the form, with a link to the field', async () => {
  const { html } = await submitFile('{"a":1}')
  const summary = html.indexOf('role="alert" tabindex="-1" autofocus')
  expect(summary).toBeGreaterThan(0)
  expect(summary).toBeLessThan(html.indexOf('From a project'))
  expect(html).toContain('<a href="#field-scan">')
})

test('explains errors in a file, and stores nothing of it', async () => {
  const files: readonly (readonly [string, string])[] = [
    ['   ', 'The file is empty'],
    ['{"a":1}', 'or a JSON object with project_name or network_name'],
    ['[1,2]', 'Line 1 is not a JSON object'],
    [`${JSON.stringify(HEAD)}\nnot json`, 'Line 2 is not a JSON object'],
    [JSON.stringify({ ...HEAD, scan_details: 'x' }), 'scan_details must be an array'],
    [JSON.stringify({ ...HEAD, more: 1, scan_details: [] }), 'more'],
    [JSON.stringify({ ...HEAD, scan_details: [ROW, { endpoint_url: 'x y' }] }), 'endpoint_url'],
  ]
  const none = await pages.upload('/console/scans/submit', {})
  expect([none.status, none.text.includes('Choose a file')]).toEqual([400, true])
  for (const [file, words] of files) {
    const { status, text } = await submitFile(file)
    expect([file, status, text.includes(words)]).toEqual([file, 400, true])
  }
  expect((await pages.get('/console/scans?name=uploaded&kind=project')).text).toContain('1 project')
})

test('rejects a file that is too large', async () => {
  const { status } = await submitFile(' '.repeat(32 * 1024 * 1024 + 1))
  expect(status).toBe(413)
})
