import { afterAll, describe, expect, it } from 'vitest'
import { contract } from '../../core/contract.ts'
import type { Operation } from '../../core/http/operation.ts'
import { openTestService } from '../helpers/service.ts'
import { BAD_INPUT_CASES } from './bad-input-cases.ts'
import { GOLDEN_CASES } from './golden-cases.ts'
import { readGolden } from './golden-files.ts'
import { findProblemIssue } from './output-check.ts'
import { VALID_REQUESTS } from './valid-requests.ts'
import { askInProcess } from './ways.ts'

const operations: Readonly<Record<string, Operation>> = contract

/** Specification 4: number, key, methods and addresses, the documented one first. */
const SPECIFIED = [
  ['4.1', 'callEndpoint', 'POST', '/gateway', '/benchmark/endpoint_request_live'],
  ['4.2', 'listEndpoints', 'GET', '/endpoint_list'],
  ['4.3', 'searchEndpoints', 'GET', '/endpoint_search'],
  ['4.4', 'getEndpointParameters', 'GET', '/endpoint_parameter'],
  ['4.5', 'getEndpointExample', 'GET', '/data_example'],
  ['4.6', 'uploadDescription', 'POST', '/benchmark/upload_swagger'],
  ['4.7', 'searchVulnerabilities', 'POST', '/cvesearch/'],
  ['4.8', 'listCveVendors', 'GET', '/cvesearch/vendors/'],
  ['4.9', 'listCveProducts', 'GET', '/cvesearch/vendor/products'],
  ['4.10', 'listProductsOfCve', 'GET', '/cvesearch/cve/products'],
  ['4.11', 'listNetworkScans', 'GET', '/networks/user_scans/'],
  ['4.12', 'getNetworkScanMappings', 'GET or POST', '/networks/user_scan_mappings/'],
  ['4.13', 'startRateLimitTest', 'POST', '/benchmark/rate_limiting_test'],
  ['4.14', 'getRateLimitResult', 'GET or POST', '/benchmark/rate_limiting_result'],
  ['4.15', 'listScannedProjects', 'GET', '/scanned/projects'],
  ['4.16', 'getProjectBom', 'GET', '/scanned/sbom'],
  ['4.17', 'getNetworkBom', 'GET', '/scanned/gateway_sbom'],
  ['4.18', 'listCategories', 'GET', '/categories'],
  ['4.19', 'getAgreementsById', 'GET', '/agreements/id'],
  ['4.20', 'getAgreementsByName', 'GET', '/agreements/name'],
  ['4.21', 'listAddedApis', 'GET', '/search/time', '/agreements/time'],
  ['4.22', 'searchVendors', 'GET', '/search/vendor', '/vendor/search'],
] as const

/** Contract 1: which scope permits which operation of the specification. */
const SCOPES: Readonly<Record<string, string>> = {
  '4.1': 'call',
  '4.6': 'import',
  '4.13': 'benchmark',
}

const service = await openTestService()
const way = askInProcess(service)
afterAll(() => service.close())

describe('the table of operations', () => {
  it('contains the 22 operations of the specification at their addresses', () => {
    const found = Object.entries(operations)
      .filter(([, { section }]) => section !== undefined)
      .map(([name, { section, method, alsoPost, paths }]) => [
        section,
        name,
        alsoPost ? `${method} or POST` : method,
        ...paths,
      ])
      .sort(([left], [right]) => Number(left?.slice(2)) - Number(right?.slice(2)))
    expect(found).toEqual(SPECIFIED)
  })

  it('requires the scopes of the contract', () => {
    for (const { section, scope } of Object.values(operations)) {
      if (section) expect([section, scope]).toEqual([section, SCOPES[section] ?? 'read'])
    }
  })

  it('tags operations outside the specification', () => {
    const others = Object.entries(operations).filter(([, { section }]) => section === undefined)
    expect(others.map(([name, { tag, scope }]) => [name, tag, scope])).toEqual([
      ['putCredential', 'extension', 'call'],
      ['listCredentials', 'extension', 'call'],
      ['removeCredential', 'extension', 'call'],
      ['listCalls', 'extension', 'call'],
      ['putPolicy', 'extension', 'admin'],
      ['listPolicies', 'extension', 'admin'],
      ['removePolicy', 'extension', 'admin'],
      ['listRecordings', 'extension', 'call'],
      ['getRecording', 'extension', 'call'],
      ['removeRecording', 'extension', 'call'],
      ['publishRecording', 'extension', 'admin'],
      ['unpublishRecording', 'extension', 'admin'],
      ['createVendor', 'extension', 'import'],
      ['removeApi', 'extension', 'admin'],
      ['listImports', 'extension', 'read'],
      ['getCve', 'extension', 'read'],
      ['getVulnerabilityStatus', 'extension', 'read'],
      ['submitNetworkScan', 'extension', 'ingest'],
      ['removeNetworkScan', 'extension', 'ingest'],
      ['reviewNetworkScan', 'extension', 'review'],
      ['listScannedPackages', 'extension', 'read'],
      ['listApiUsages', 'extension', 'read'],
      ['submitProjectScan', 'extension', 'ingest'],
      ['removeProjectScan', 'extension', 'ingest'],
      ['reviewProjectScan', 'extension', 'review'],
      ['getRateLimitPlot', 'extension', 'read'],
      ['listRateLimitTests', 'extension', 'read'],
      ['stopRateLimitTest', 'extension', 'benchmark'],
      ['getRateLimitConsent', 'extension', 'benchmark'],
      ['replaceAgreements', 'extension', 'import'],
      ['listAgreementChanges', 'extension', 'read'],
      ['getAiCatalog', 'discovery', 'public'],
      ['getLlmsText', 'discovery', 'public'],
      ['listCatalogEntries', 'discovery', 'read'],
      ['getApiDescription', 'discovery', 'read'],
      ['searchRegistry', 'discovery', 'read'],
      ['exploreRegistry', 'discovery', 'read'],
      ['listRegistryEntries', 'discovery', 'read'],
      ['getHealth', 'system', 'public'],
      ['getReadiness', 'system', 'public'],
      ['getMetrics', 'system', 'admin'],
      ['getOpenApiDocument', 'system', 'public'],
      ['getReferencePage', 'system', 'public'],
      ['getApiCatalog', 'system', 'public'],
    ])
  })

  it('has golden responses, bad input and isolation tests for all implemented operations', async () => {
    for (const [name, { isPlanned, output }] of Object.entries(operations)) {
      if (isPlanned) continue
      const cases = GOLDEN_CASES.filter(({ operation }) => operation === name)
      const isConstant = output.kind === 'raw'
      expect([name, cases.length >= (isConstant ? 1 : 2)]).toEqual([name, true])
      expect([name, (await readGolden(name)).length]).toEqual([name, cases.length])
      expect([name, Object.hasOwn(VALID_REQUESTS, name)]).toEqual([name, true])
      const bad = (BAD_INPUT_CASES as Readonly<Record<string, readonly unknown[]>>)[name] ?? []
      expect([name, bad.length > 0]).toEqual([name, true])
    }
  })
})

describe.each(Object.entries(operations))('%s', (name, operation) => {
  const methods = operation.alsoPost ? ['GET', 'POST'] : [operation.method]
  const base = operation.mount === 'root' ? '' : '/api'
  const spellings = operation.paths.flatMap((path) =>
    path.endsWith('/') ? [path, path.slice(0, -1)] : [path, `${path}/`],
  )
  const asked = spellings.map((path) => `${base}${path}`)

  it('responds at every address, with and without a final slash, never with a redirect', async () => {
    const headers = { 'api-key': service.keys.without.admin, 'x-request-id': 'same' }
    for (const method of methods) {
      const answers = []
      for (const target of asked) answers.push(await way.ask({ method, target, headers }))
      const [first] = answers
      expect([300, 404, 405].includes(first?.status ?? 0)).toBe(false)
      for (const answer of answers) expect(answer).toEqual(first)
    }
  })

  it('exists only below its base path', async () => {
    const isAtRoot = operation.mount === 'root' || operation.mount === 'both'
    for (const path of spellings) {
      const headers = { 'api-key': service.keys.readOnly }
      const { status } = await way.ask({ target: path, method: operation.method, headers })
      expect(status === 404).toBe(!isAtRoot)
      const below = await way.ask({ target: `/other${path}`, method: operation.method })
      expect(below.status).toBe(404)
    }
  })

  it('rejects other methods, lists its own, and responds to OPTIONS without a key', async () => {
    const here = Object.values(operations)
      .filter(({ paths }) => paths.some((path) => operation.paths.includes(path)))
      .flatMap(({ method, alsoPost }) => (alsoPost ? [method, 'POST'] : [method]))
    const allow = [...new Set([...here, ...(here.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])]
      .sort()
      .join(', ')
    for (const target of asked) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'].filter(
        (each) => !here.includes(each),
      )) {
        const answer = await way.ask({ method, target })
        expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allow])
        expect(findProblemIssue(undefined, answer)).toBeUndefined()
      }
      const options = await way.ask({ method: 'OPTIONS', target })
      expect([options.status, options.headers.allow, options.body]).toEqual([204, allow, ''])
      expect(options.headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  if (operation.isPlanned) {
    it('reports an unimplemented operation after authentication', async () => {
      for (const method of methods) {
        for (const target of asked) {
          const unknown = await way.ask({ method, target })
          expect(unknown.status).toBe(401)
          const answer = await way.ask({ method, target, headers: { 'api-key': service.keys.all } })
          const { code, detail } = JSON.parse(answer.body)
          expect([answer.status, code, detail]).toEqual([
            501,
            'not_implemented',
            `${name} is not implemented yet`,
          ])
          expect(findProblemIssue(operation, answer)).toBeUndefined()
        }
      }
    })
  }

  if (methods.includes('GET')) {
    it('responds to HEAD like GET, without the body', async () => {
      const request = (VALID_REQUESTS as Readonly<Record<string, { readonly target: string }>>)[
        name
      ]
      const target = request?.target ?? asked[0] ?? ''
      const headers = { 'api-key': service.keys.all, 'x-request-id': 'head' }
      const get = await way.ask({ target, headers })
      const head = await way.ask({ method: 'HEAD', target, headers })
      const { 'content-length': length, ...rest } = head.headers
      expect([head.status, head.body]).toEqual([get.status, ''])
      expect(rest).toEqual(get.headers)
      if (length !== undefined && name !== 'getMetrics') {
        expect(Number(length)).toBe(new TextEncoder().encode(get.body).length)
      }
    })
  }
})
