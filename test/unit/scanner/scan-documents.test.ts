import { describe, expect, it } from 'vitest'
import { isScanDocument } from '../../../adapters/scanner/scan-documents.ts'

describe('documents of scanners', () => {
  it.each([
    ['a bill', '{"$schema":"x","bomFormat":"CycloneDX","specVersion":"1.5"}'],
    [
      "a bill in the specification's shape",
      '{"project_id":"","scan_details":{"bomFormat":"CycloneDX"',
    ],
    ['several bills', '[{"repo_id":"","instances":[{"scan_details":{"bomFormat":"CycloneDX"'],
    ['a bill as XML', '<?xml version="1.0"?>\n<bom xmlns="http://cyclonedx.org/schema/bom/1.5">'],
    ['an SPDX document', '{"spdxVersion": "SPDX-2.3"}'],
    ['SARIF', '\ufeff{\n "$schema": "https://json.schemastore.org/sarif-2.1.0.json",'],
    ['a report of a project', '{"files":3,"skipped":{"ignored":1},"findings":['],
    [
      'a review file',
      '{\n  "project_name": "a \\"b\\"",\n  "endpoints": [\n    {\n      "endpoint_url": "',
    ],
    ['an empty review file', '{"project_name":"a","endpoints":[]}'],
    ['a report of a network', '{"flows":[{"via":"dns","capture_datetime":"2026"'],
    ['an empty report of a network', '{"flows":[],"damaged":[]}'],
  ])('are recognised: %s', (_, text) => {
    expect(isScanDocument(text)).toBe(true)
  })

  it.each([
    '',
    '{"files":["dist"],"homepage":"https://x.example"}',
    '{"project_name":"a","endpoints":["https://api.pay.example/v1"]}',
    '{"project_name":"a","endpoints":[{"url":"https://api.pay.example/v1"}]}',
    '{"flows":[{"name":"login","url":"https://api.pay.example/v1"}]}',
    '{"$schema":"https://json.schemastore.org/tsconfig.json"}',
    '<bom><item>https://api.pay.example</item></bom>',
    'const a = {"bomFormat":"CycloneDX"}',
  ])('do not include %j', (text) => {
    expect(isScanDocument(text)).toBe(false)
  })
})
