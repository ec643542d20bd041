import { BAD_AGREEMENTS } from './bad-agreements.ts'
import { BAD_BOMS } from './bad-boms.ts'
import { BAD_CALLS, BAD_KEPT } from './bad-calls.ts'
import { BAD_DISCOVERY } from './bad-discovery.ts'
import type { BadInputCase } from './bad-input-case.ts'
import { BAD_RATE_LIMITS } from './bad-rate-limits.ts'
import { BAD_SCANS } from './bad-scans.ts'
import { BAD_SEARCHES } from './bad-searches.ts'
import { BAD_UPLOADS } from './bad-uploads.ts'
import { type Built, VALID_REQUESTS } from './valid-requests.ts'

function toGetCase(target: string, errors?: readonly string[]): BadInputCase {
  return errors
    ? { name: target, request: { target }, status: 400, code: 'invalid_input', errors }
    : { name: target, request: { target }, status: 200 }
}

/** Operations without parameters ignore unknown input. */
function ignored(name: Built): readonly BadInputCase[] {
  const { target } = VALID_REQUESTS[name]
  const targets = [`${target}?x=1&x=2`, `${target}?=&&%&%FF=%00`, `${target}?${'a=1&'.repeat(500)}`]
  return targets.map((each) => ({
    name: `${name} ${each.slice(0, 60)}`,
    request: { target: each },
    status: 200,
  }))
}

const LONG = 'x'.repeat(2_000)
const search = '/api/endpoint_search'
const vendors = '/api/search/vendor'
const added = '/api/search/time'
const products = '/api/cvesearch/vendor/products'

function endpointId(path: string): readonly BadInputCase[] {
  return [
    toGetCase(path, ['endpoint_id']),
    toGetCase(`${path}?endpoint_id=`, ['endpoint_id']),
    toGetCase(`${path}?endpoint_id=%20%20`, ['endpoint_id']),
    toGetCase(`${path}?endpoint_id=9&endpoint_id=9`, ['endpoint_id']),
    toGetCase(`${path}?endpoint_id=${LONG}`, ['endpoint_id']),
    toGetCase(`${path}?ENDPOINT_ID=9`, ['endpoint_id']),
    { ...toGetCase(`${path}?endpoint_id=%00`), status: 404, code: 'not_found' },
    { ...toGetCase(`${path}?endpoint_id=9%00`), status: 404, code: 'not_found' },
    { ...toGetCase(`${path}?endpoint_id=%209`), status: 404, code: 'not_found' },
    { ...toGetCase(`${path}?endpoint_id=9.0`), status: 404, code: 'not_found' },
    { ...toGetCase(`${path}?endpoint_id=1e1`), status: 404, code: 'not_found' },
    { ...toGetCase(`${path}?endpoint_id=9223372036854775808`), status: 404, code: 'not_found' },
  ]
}

function cveId(path: string): readonly BadInputCase[] {
  return [
    toGetCase(path, ['cve_id']),
    toGetCase(`${path}?cve_id=`, ['cve_id']),
    toGetCase(`${path}?cve_id=44228`, ['cve_id']),
    toGetCase(`${path}?cve_id=CVE-2021-44`, ['cve_id']),
    toGetCase(`${path}?cve_id=CVE-21-44228`, ['cve_id']),
    toGetCase(`${path}?cve_id=CVE-2021-44228%0A`, ['cve_id']),
    toGetCase(`${path}?cve_id=%20CVE-2021-44228`, ['cve_id']),
    toGetCase(`${path}?cve_id=CVE-2021-1234567890`, ['cve_id']),
    toGetCase(`${path}?cve_id=CVE-2021-44228%27--`, ['cve_id']),
    toGetCase(`${path}?cve_id=CVE-2021-44228&cve_id=CVE-2021-44228`, ['cve_id']),
    toGetCase(`${path}?cve_id=${LONG}`, ['cve_id']),
    toGetCase(`${path}?cve_id=cve-2021-44228`),
    { ...toGetCase(`${path}?cve_id=CVE-1998-9999`), status: 404, code: 'not_found' },
  ]
}

function paged(path: string): readonly BadInputCase[] {
  return [
    toGetCase(`${path}?size=0`, ['size']),
    toGetCase(`${path}?size=101&page=0`, ['size', 'page']),
    toGetCase(`${path}?start_date=2026-02-30&end_date=x`, ['start_date', 'end_date']),
    toGetCase(`${path}?start_date=2026-03-02&end_date=2026-03-01`, ['start_date']),
    toGetCase(`${path}?start_date=2026-03-02&end_date=2026-03-01&page=x`, ['page', 'start_date']),
    toGetCase(`${path}?size=1&size=1&page=2&page=2`, ['size', 'page']),
    toGetCase(`${path}?q=${LONG}`, ['q']),
    toGetCase(`${path}?q=%00%01%1B%7F`),
    toGetCase(`${path}?q=%FF%FE%C3%28`),
    toGetCase(`${path}?q=%&size=1`),
    toGetCase(`${path}?size=010`),
  ]
}

function vendor(name: string, body: string, expected: Partial<BadInputCase>): BadInputCase {
  return {
    name,
    request: { ...VALID_REQUESTS.createVendor, body },
    status: 400,
    ...(expected.errors ? { code: 'invalid_input' as const } : {}),
    ...expected,
  }
}

/** At least one case for every built operation: one without any does not compile. */
export const BAD_INPUT_CASES: Readonly<Record<Built, readonly BadInputCase[]>> = {
  ...BAD_BOMS,
  ...BAD_DISCOVERY,
  ...BAD_RATE_LIMITS,
  listEndpoints: ignored('listEndpoints'),
  listCategories: ignored('listCategories'),
  getHealth: ignored('getHealth'),
  getReadiness: ignored('getReadiness'),
  getMetrics: ignored('getMetrics'),
  getOpenApiDocument: ignored('getOpenApiDocument'),
  getReferencePage: ignored('getReferencePage'),
  getApiCatalog: ignored('getApiCatalog'),
  getAiCatalog: ignored('getAiCatalog'),
  getLlmsText: ignored('getLlmsText'),
  listCatalogEntries: ignored('listCatalogEntries'),
  searchEndpoints: [
    ...paged(search),
    toGetCase(`${search}?api_type=some_apis`, ['api_type']),
    toGetCase(`${search}?category=Nothing&auth=magic&deprecated=perhaps&kind=soap&facets=some`, [
      'category',
      'auth',
      'deprecated',
      'kind',
      'facets',
    ]),
    toGetCase(`${search}?vendor=${LONG}&license=${LONG}`, ['vendor', 'license']),
    toGetCase(`${search}?vendor=a&vendor=b`, ['vendor']),
    toGetCase(`${search}?vendor=%00%27--&license=%F0%9F&facets=true`),
    toGetCase(`${search}?api_type=ALL_APIS&size=x&start_date=1`, [
      'start_date',
      'size',
      'api_type',
    ]),
  ],
  searchVendors: paged(vendors),
  getEndpointParameters: endpointId('/api/endpoint_parameter'),
  getEndpointExample: endpointId('/api/data_example'),
  getAgreementsById: [
    toGetCase('/api/agreements/id', ['api_id']),
    toGetCase('/api/agreements/id?api_id=&endpoint_id=', ['api_id']),
    toGetCase('/api/agreements/id?assessment=true&agreement=true', ['api_id', 'agreement']),
    toGetCase('/api/agreements/id?api_id=3&assessment=maybe', ['assessment']),
    toGetCase('/api/agreements/id?api_id=3&agreement=true&agreement=true', ['agreement']),
    toGetCase(`/api/agreements/id?api_id=${LONG}&endpoint_id=${LONG}`, ['api_id', 'endpoint_id']),
    toGetCase('/api/agreements/id?api_id=3&agreement=False&assessment=0'),
    toGetCase('/api/agreements/id?api_id=3&extended=perhaps', ['extended']),
  ],
  getAgreementsByName: [
    toGetCase('/api/agreements/name', ['api_name']),
    toGetCase('/api/agreements/name?vendor_name=&api_name=', ['api_name']),
    toGetCase(`/api/agreements/name?vendor_name=${LONG}`, ['vendor_name']),
    toGetCase('/api/agreements/name?vendor_name=Skycast&assessment=TRUE&agreement=1', [
      'agreement',
    ]),
    toGetCase('/api/agreements/name?vendor_name=Skycast&agreement=nein', ['agreement']),
  ],
  listAddedApis: [
    toGetCase(added, ['start_date', 'end_date']),
    toGetCase(`${added}?start_date=&end_date=2026-03-01`, ['start_date']),
    toGetCase(`${added}?start_date=2026-3-1&end_date=2026-03-01`, ['start_date']),
    toGetCase(`${added}?start_date=2026-03-02&end_date=2026-03-01`, ['start_date']),
    toGetCase(`${added}?start_date=2026-03-01&end_date=2026-03-01&api_name=${LONG}`, ['api_name']),
    toGetCase(`${added}?start_date=2026-03-01&end_date=2026-03-01&extended=2`, ['extended']),
  ],
  createVendor: [
    vendor('an empty body', '', { errors: ['name'] }),
    vendor('white space', ' \r\n\t', { errors: ['name'] }),
    vendor('no JSON', 'name=x', { code: 'invalid_body' }),
    vendor('XML', '<name>x</name>', { code: 'invalid_body' }),
    vendor('cut short', '{"name":"x"', { code: 'invalid_body' }),
    vendor('two values', '{"name":"x"}{}', { code: 'invalid_body' }),
    vendor('a list', '[]', { code: 'invalid_body' }),
    vendor('null', 'null', { code: 'invalid_body' }),
    vendor('a text', '"x"', { code: 'invalid_body' }),
    vendor(
      'null for everything',
      '{"name":null,"homepage":null,"is_public":null,"countries":null}',
      {
        errors: ['name', 'homepage', 'is_public', 'countries'],
      },
    ),
    vendor('a name of another kind', '{"name":{"a":1}}', { errors: ['name'] }),
    vendor('a name of white space', '{"name":"\\t \\n"}', { errors: ['name'] }),
    vendor('a name with NUL', '{"name":"a\\u0000b"}', { errors: ['name'] }),
    vendor('half a character', '{"name":"a\\ud800"}', { errors: ['name'] }),
    vendor('a long name', `{"name":"${'x'.repeat(201)}"}`, { errors: ['name'] }),
    vendor('unknown members', '{"name":"x","id":1,"__proto__":{"a":1}}', {
      errors: ['id', '__proto__'],
    }),
    vendor('bad addresses', '{"name":"x","homepage":"javascript:alert(1)"}', {
      errors: ['homepage'],
    }),
    vendor('an address with a line break', '{"name":"x","homepage":"https://a.example/\\r\\nb"}', {
      errors: ['homepage'],
    }),
    vendor('bad countries', '{"name":"x","countries":["CH","Chad",7,""]}', {
      errors: ['countries.1', 'countries.2', 'countries.3'],
    }),
    vendor('nested too deeply', `{"name":${'['.repeat(101)}${']'.repeat(101)}}`, {
      code: 'invalid_body',
    }),
    vendor('nested far too deep', '['.repeat(500_000), { code: 'invalid_body' }),
    vendor('too large', `{"name":"${'x'.repeat(1_100_000)}"}`, { status: 413, code: 'too_large' }),
    {
      name: 'JSON of another label is JSON',
      request: {
        ...VALID_REQUESTS.createVendor,
        headers: { 'content-type': 'text/xml; charset=utf-16' },
        body: '\ufeff {"name":"Labelled wrongly"} ',
      },
      status: 200,
    },
  ],
  removeApi: [
    { ...toGetCase('/api/apis', ['api_id']), request: { method: 'DELETE', target: '/api/apis' } },
    {
      name: 'an id given twice',
      request: { method: 'DELETE', target: '/api/apis?api_id=1&api_id=2' },
      status: 400,
      code: 'invalid_input',
      errors: ['api_id'],
    },
    {
      name: 'an id that is none',
      request: { method: 'DELETE', target: '/api/apis?api_id=%27%20OR%201=1--' },
      status: 404,
      code: 'not_found',
    },
  ],
  ...BAD_AGREEMENTS,
  callEndpoint: BAD_CALLS,
  ...BAD_KEPT,
  ...BAD_SCANS,
  uploadDescription: BAD_UPLOADS,
  listImports: [
    {
      name: 'GET /imports with a size and a page of none',
      request: { target: '/api/imports?size=0&page=0' },
      status: 400,
      code: 'invalid_input',
      errors: ['size', 'page'],
    },
    {
      name: 'GET /imports with a size of too many',
      request: { target: '/api/imports?size=101' },
      status: 400,
      code: 'invalid_input',
      errors: ['size'],
    },
  ],
  searchVulnerabilities: BAD_SEARCHES,
  listCveVendors: ignored('listCveVendors'),
  getVulnerabilityStatus: ignored('getVulnerabilityStatus'),
  listCveProducts: [
    toGetCase(products, ['vendor']),
    toGetCase(`${products}?vendor=`, ['vendor']),
    toGetCase(`${products}?vendor=%20%20`, ['vendor']),
    toGetCase(`${products}?vendor=apache&vendor=apache`, ['vendor']),
    toGetCase(`${products}?vendor=${LONG}`, ['vendor']),
    toGetCase(`${products}?vendor=%00`),
    toGetCase(`${products}?vendor=%27%20OR%201=1--`),
    toGetCase(`${products}?vendor=%FF%FE`),
  ],
  listProductsOfCve: cveId('/api/cvesearch/cve/products'),
  getCve: cveId('/api/cvesearch/cve'),
}
