import { describe, expect, it } from 'vitest'
import { buildFindingsBom } from '../../../../core/boms/build-findings-bom.ts'
import type { BomFormat } from '../../../../core/boms/records.ts'
import { renderBom } from '../../../../core/boms/render-bom.ts'
import { toFindingsDocument } from '../../../../core/scans/report/findings-document.ts'
import { readStoredUsages } from '../../../../core/scans/report/stored-uses.ts'
import { mergeUsages } from '../../../../core/scans/report/uses.ts'
import { PAYMENTS, toFinding, toFindings } from '../../../helpers/findings.ts'

const PAY = 'https://api.acme.io/v1/payments/{}'
const OTHER = 'https://api.other.io/v2'

const found = toFindings([
  toFinding(PAY, { ...PAYMENTS, file: 'src/b.ts' }),
  toFinding(PAY, { ...PAYMENTS, file: 'src/a b.ts', line: 7 }),
  toFinding(OTHER, { method: undefined, package: 'pkg:npm/other' }),
])

describe('what a former scan left', () => {
  it('is read from its JSON, each URL and method once', () => {
    expect(readStoredUsages(JSON.stringify(toFindingsDocument(found)))).toEqual([
      {
        url: PAY,
        method: 'get',
        host: 'api.acme.io',
        apiName: 'Payments',
        vendorName: 'Acme',
        approval: undefined,
        reason: '',
        files: ['src/a b.ts', 'src/b.ts'],
      },
      {
        url: OTHER,
        method: '',
        host: 'api.other.io',
        apiName: undefined,
        vendorName: undefined,
        approval: undefined,
        reason: '',
        files: ['src/a.ts'],
      },
    ])
  })

  it('is read from a review file', () => {
    const endpoints = [
      { endpoint_url: PAY, endpoint_method: 'GET', approval: 'yes', reason: 'fine' },
      { endpoint_url: OTHER, approval: 'no' },
    ]
    const nothing = { apiName: undefined, vendorName: undefined, files: undefined }
    expect(readStoredUsages(JSON.stringify({ project_name: 'shop', endpoints }))).toEqual([
      { ...nothing, url: PAY, method: 'get', host: 'api.acme.io', approval: 'yes', reason: 'fine' },
      {
        ...nothing,
        url: OTHER,
        method: undefined,
        host: 'api.other.io',
        approval: 'no',
        reason: '',
      },
    ])
  })

  it('is the same however it is spelled, with the stricter of two decisions', () => {
    const endpoints = [
      { endpoint_url: `${OTHER}/?a=1#b`, endpoint_method: 'get', approval: 'yes' },
      { endpoint_url: 'HTTPS://API.other.io.:443/v2', endpoint_method: 'GET', approval: 'no' },
    ]
    const uses = readStoredUsages(JSON.stringify({ project_name: 'shop', endpoints }))
    expect(uses.map(({ url, method, approval }) => [url, method, approval])).toEqual([
      [OTHER, 'get', 'no'],
    ])
  })

  it('tells the APIs of a review file', () => {
    const endpoint = { endpoint_url: PAY, endpoint_method: 'get', approval: 'yes' }
    const endpoints = [{ ...endpoint, api_name: 'Payments', vendor_name: 'Acme' }]
    expect(readStoredUsages(JSON.stringify({ project_name: 'shop', endpoints }))).toMatchObject([
      { apiName: 'Payments', vendorName: 'Acme' },
    ])
  })

  it('is read from our bills of materials, without methods where they tell none', async () => {
    const strict = readStoredUsages(await renderAs('cyclonedx-json'))
    const files = { files: ['src/a b.ts', 'src/b.ts'] }
    expect(strict).toMatchObject([
      { url: PAY, method: 'get', host: 'api.acme.io', approval: 'yes', ...files },
      { url: OTHER, method: '', host: 'api.other.io', apiName: undefined, files: ['src/a.ts'] },
    ])
    const plain = readStoredUsages(await renderAs('specification'))
    expect(plain).toMatchObject([
      { url: PAY, method: undefined, approval: 'yes', ...files },
      { url: OTHER, method: undefined, approval: 'unreviewed', files: ['src/a.ts'] },
    ])
  })

  it.each([
    ['{', 'Cannot read the former scan: it is not valid JSON'],
    [
      ' <bom/>',
      'Cannot read the former scan: it is XML; a bill of materials must be JSON, as "bom convert" makes it',
    ],
    ...['{}', '[]', 'null', '7', '{"findings":3}', '{"services":{}}'].map((text) => [
      text,
      'Cannot read the former scan: it must be the JSON of "scan project", a review file, or the BOM of a project',
    ]),
    [
      '{"findings":[{"file":"a","url":7}]}',
      'Cannot read the former scan: url of item 1 of findings must be a string',
    ],
    [
      '{"endpoints":[{"endpoint_url":"https://a.io","approval":"maybe"}]}',
      'Cannot read the former scan: approval of item 1 of endpoints must be one of unreviewed, yes, no',
    ],
  ])('is refused where it is %s', (text, message) => {
    expect(() => readStoredUsages(text)).toThrow(message)
  })

  it('leaves out services of a bill that are none', () => {
    const services = [null, 7, { endpoints: 'x' }, { name: 'A', endpoints: ['https://a.io/v1'] }]
    expect(readStoredUsages(JSON.stringify({ services })).map(({ url }) => url)).toEqual([
      'https://a.io/v1',
    ])
  })
})

async function renderAs(format: BomFormat): Promise<string> {
  const bom = buildFindingsBom(
    {
      findApis: async () => [],
      listAgreementsOf: async () => new Map(),
      listVendorAgreements: async () => [],
      findEndpointSummaries: async () => [],
    },
    {
      projectName: 'shop',
      scannedAt: 0,
      uses: mergeUsages(found.findings, ({ url }) => ({
        approval: url === PAY ? 'yes' : 'unreviewed',
        reason: '',
      })),
    },
  )
  const tool = { name: 'api-discovery', version: '0' }
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of await renderBom(bom, { shape: { format, version: '1.6' }, tool })) {
    text += decoder.decode(chunk, { stream: true })
  }
  return text
}
