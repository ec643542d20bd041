import type { Contract } from '../../core/contract.ts'
import { enteredAgreementCases } from './golden-agreements.ts'
import { bomCases } from './golden-boms.ts'
import { discoveryCases } from './golden-discovery.ts'
import { gatewayCases } from './golden-gateway.ts'
import { rateLimitCases } from './golden-rate-limits.ts'
import { scanCases } from './golden-scans.ts'
import { uploadCases } from './golden-uploads.ts'
import { vulnerabilityCases } from './golden-vulnerabilities.ts'

/** A request whose response is stored in `fixtures/golden/<operation>.json`. */
export interface GoldenCase {
  readonly operation: keyof Contract
  /** Unique within the operation. */
  readonly name: string
  /** GET when absent. */
  readonly method?: string
  /** Path and query. */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Default: the key of account A with every scope; `none` sends no key. */
  readonly key?: 'all' | 'readOnly' | 'none'
  /** Sent to a service without vendors and APIs. */
  readonly isEmpty?: true
  /** Sent to a service with records of the CVE Program. */
  readonly hasCveRecords?: true
}

/** Specification 4.2. */
const listEndpoints: readonly GoldenCase[] = [
  { operation: 'listEndpoints', name: 'all by id', target: '/api/endpoint_list' },
  { operation: 'listEndpoints', name: 'with a final slash', target: '/api/endpoint_list/' },
  {
    operation: 'listEndpoints',
    name: 'unknown parameters are ignored',
    target: '/api/endpoint_list?size=1&page=2&size=3',
  },
  {
    operation: 'listEndpoints',
    name: 'none in an empty catalogue',
    target: '/api/endpoint_list',
    isEmpty: true,
  },
]

/** Specification 4.3. */
const searchEndpoints = (
  [
    ['all by name without parameters', ''],
    ['all by name for an empty text', '?q=&start_date=&end_date=&size=&page=&api_type='],
    ['by one word', '?q=weather'],
    ['by a word stem and a verb of the same sense', '?q=sending%20texts'],
    ['by the start of a word', '?q=fore'],
    ['by words of which one is nowhere', '?q=refund+zebra'],
    ['by the name of a parameter', '?q=card_token'],
    ['by the name of a response field', '?q=humidity'],
    ['nothing for a word that is nowhere', '?q=zebra'],
    ['nothing for text without words', '?q=%21%3F%22*'],
    ['the first of two pages', '?size=3&page=1'],
    ['the last page', '?size=3&page=2'],
    ['a page past the end', '?size=3&page=9'],
    ['a page past the end of what was searched', '?q=weather&size=1&page=5'],
    ['added on one day', '?start_date=2026-03-11&end_date=2026-03-11'],
    ['added from a day on', '?start_date=2026-03-12'],
    ['added up to a day and searched', '?q=send&end_date=2026-03-11'],
    ['all kinds as the sample request asks', '?q=&size=1&page=1&api_type=all_apis'],
    ['public ones', '?api_type=public_apis&size=1'],
    ['private ones, of which there are none', '?api_type=private_apis'],
    ['of a category, and what else can be chosen', '?category=environment+%26+weather&facets=true'],
    ['of a vendor by name', '?vendor=LEDGERLY'],
    ['of a vendor by id, searched', '?q=send&vendor=1&facets=yes&size=1'],
    ['by kind of authentication and licence', '?auth=query&license=cc+by+4.0'],
    ['without a licence, with deprecated endpoints', '?license=none&deprecated=yes'],
    ['of an unknown vendor, with what could be chosen', '?vendor=Nobody&facets=true&size=1'],
    ['of a day, narrowed down', '?end_date=2026-03-11&deprecated=no&facets=true'],
    ['private ones narrowed down, of which there are none', '?api_type=private_apis&auth=header'],
    ['past the end of what was narrowed down', '?auth=header&page=2&size=100'],
    ['empty facets, which are absent', '?category=&vendor=&auth=&license=&deprecated=&facets='],
  ] as const
).map(
  ([name, query]): GoldenCase => ({
    operation: 'searchEndpoints',
    name,
    target: `/api/endpoint_search${query}`,
  }),
)

/** Specification 4.4 and 4.5, for the numeric IDs that the examples get. */
const endpointCases = (
  [
    ['a JSON body, flattened', '1'],
    ['a query with allowed values', '2'],
    ['a path parameter and a form body', '3'],
    ['a webhook', '5'],
    ['a Swagger 2.0 form', '6'],
    ['shared parameters and a documented example', '9'],
    ['an example made of a list of components', '11'],
    ['a header', '12'],
    ['nested objects', '13'],
    ['a number in the path and no response schema', '14'],
    ['the short id', 'qjTj4fG'],
  ] as const
).flatMap(([name, id]): readonly GoldenCase[] => [
  {
    operation: 'getEndpointParameters',
    name,
    target: `/api/endpoint_parameter?endpoint_id=${id}`,
  },
  { operation: 'getEndpointExample', name, target: `/api/data_example?endpoint_id=${id}` },
])

const unknownEndpoints = (
  [
    ['getEndpointParameters', '/api/endpoint_parameter'],
    ['getEndpointExample', '/api/data_example'],
  ] as const
).flatMap(([operation, path]): readonly GoldenCase[] => [
  { operation, name: 'an unknown short id', target: `${path}?endpoint_id=aaaaaaa` },
  { operation, name: 'an unknown numeric id', target: `${path}?endpoint_id=99999999999999999999` },
  { operation, name: 'no id', target: path },
])

/** Specification 4.18. */
const listCategories: readonly GoldenCase[] = [
  { operation: 'listCategories', name: 'all in their order', target: '/api/categories' },
  {
    operation: 'listCategories',
    name: 'of an empty one',
    target: '/api/categories',
    isEmpty: true,
  },
]

/** Specification 4.22. */
const searchVendors = (
  [
    ['all by name', '/api/search/vendor'],
    ['by the other address', '/api/vendor/search?size=2'],
    ['by a word of the name, accents aside', '/api/search/vendor?q=osel'],
    ['by a word of the homepage', '/api/search/vendor?q=bakery'],
    ['by a word of the description', '/api/search/vendor?q=listed'],
    ['by two words', '/api/search/vendor?q=quiet+partner'],
    ['none', '/api/search/vendor?q=zebra'],
    ['the second page', '/api/search/vendor?size=4&page=2'],
    ['a page past the end', '/api/search/vendor?size=100&page=2'],
    ['entered on one day', '/api/search/vendor?start_date=2026-03-14&end_date=2026-03-14'],
    ['entered before', '/api/search/vendor?end_date=2026-03-10'],
  ] as const
).map(([name, target]): GoldenCase => ({ operation: 'searchVendors', name, target }))

/** Specification 4.19 to 4.21. */
const agreementCases = (
  [
    ['getAgreementsById', 'by numeric API id', 'id?api_id=3'],
    ['getAgreementsById', 'by encrypted API id', 'id?api_id=W5VXva5MQp3HQNYuTD&agreement=True'],
    ['getAgreementsById', 'by short endpoint id', 'id?endpoint_id=qjTj4fG&agreement=true'],
    ['getAgreementsById', 'by numeric endpoint id', 'id?endpoint_id=6&assessment=false'],
    ['getAgreementsById', 'an API without agreements', 'id?api_id=4'],
    ['getAgreementsById', 'an unknown API', 'id?api_id=zzz'],
    ['getAgreementsById', 'an unknown endpoint', 'id?endpoint_id=zzz'],
    ['getAgreementsById', 'neither id', 'id'],
    ['getAgreementsById', 'both views', 'id?api_id=3&assessment=true&agreement=true'],
    ['getAgreementsById', 'the assessment', 'id?api_id=3&assessment=true'],
    ['getAgreementsById', 'the assessment of an unknown API', 'id?api_id=zzz&assessment=true'],
    ['getAgreementsByName', 'by API', 'name?api_name=skycast%20%20WEATHER'],
    ['getAgreementsByName', 'by vendor', 'name?vendor_name=pigeon'],
    ['getAgreementsByName', 'by both', 'name?api_name=Wayfare+Maps&vendor_name=Wayfare'],
    [
      'getAgreementsByName',
      'by names that do not meet',
      'name?api_name=Wayfare+Maps&vendor_name=Pigeon',
    ],
    ['getAgreementsByName', 'a vendor without APIs', 'name?vendor_name=Quiet+Partner'],
    ['getAgreementsByName', 'neither name', 'name?api_name='],
    ['getAgreementsByName', 'the assessment', 'name?vendor_name=pigeon&assessment=1'],
    ['getAgreementsByName', 'both views', 'name?api_name=x&assessment=1&agreement=yes'],
    ['listAddedApis', 'newest first', 'time?start_date=2026-03-01&end_date=2026-03-31'],
    ['listAddedApis', 'both ends included', 'time?start_date=2026-03-11&end_date=2026-03-12'],
    ['listAddedApis', 'none', 'time?start_date=2020-02-29&end_date=2020-02-29'],
    [
      'listAddedApis',
      'of one vendor',
      'time?start_date=2026-03-01&end_date=2026-03-31&vendor_name=PIGEON',
    ],
    [
      'listAddedApis',
      'of one name',
      'time?start_date=2026-03-01&end_date=2026-03-31&api_name=wayfare%20maps',
    ],
    ['listAddedApis', 'without days', 'time'],
    ['listAddedApis', 'the wrong way round', 'time?start_date=2026-03-02&end_date=2026-03-01'],
  ] as const
).map(
  ([operation, name, query]): GoldenCase => ({
    operation,
    name,
    target: `/api/agreements/${query}`,
  }),
)

const otherAddress: readonly GoldenCase[] = [
  {
    operation: 'listAddedApis',
    name: 'by the other address',
    target: '/api/search/time?start_date=2026-03-10&end_date=2026-03-10',
  },
  {
    operation: 'listAddedApis',
    name: 'none in an empty catalogue',
    target: '/api/search/time?start_date=2026-03-10&end_date=2026-03-10',
    isEmpty: true,
  },
  {
    operation: 'searchEndpoints',
    name: 'none at all',
    target: '/api/endpoint_search',
    isEmpty: true,
  },
  { operation: 'searchVendors', name: 'none at all', target: '/api/vendor/search', isEmpty: true },
]

const systemCases: readonly GoldenCase[] = [
  { operation: 'getHealth', name: 'to anybody', target: '/healthz', key: 'none' },
  { operation: 'getHealth', name: 'with a final slash', target: '/healthz/' },
  { operation: 'getReadiness', name: 'to anybody', target: '/readyz', key: 'none' },
  { operation: 'getReadiness', name: 'with a key', target: '/readyz' },
  {
    operation: 'getApiCatalog',
    name: 'to anybody',
    target: '/.well-known/api-catalog',
    key: 'none',
  },
  { operation: 'getApiCatalog', name: 'with a key', target: '/.well-known/api-catalog' },
  {
    operation: 'getOpenApiDocument',
    name: 'below the base path',
    target: '/api/openapi.json',
    key: 'none',
  },
  { operation: 'getReferencePage', name: 'below the base path', target: '/api/docs', key: 'none' },
  { operation: 'getMetrics', name: 'at the start', target: '/metrics', isEmpty: true },
  { operation: 'getMetrics', name: 'after a request', target: '/metrics', isEmpty: true },
  { operation: 'getMetrics', name: 'without the scope', target: '/metrics', key: 'readOnly' },
]

/** After the uploads: their import reports, and earlier ones of the operator. */
const importCases: readonly GoldenCase[] = [
  { operation: 'listImports', name: 'newest first', target: '/api/imports?size=3' },
  { operation: 'listImports', name: 'a page past the end', target: '/api/imports?page=9' },
  {
    operation: 'listImports',
    name: 'none in an empty service',
    target: '/api/imports',
    isEmpty: true,
  },
]

/** The cases in the order in which they are sent: metrics first, writes last. */
export const GOLDEN_CASES: readonly GoldenCase[] = [
  ...systemCases,
  ...listEndpoints,
  ...searchEndpoints,
  ...endpointCases,
  ...unknownEndpoints,
  ...listCategories,
  ...searchVendors,
  ...agreementCases,
  ...otherAddress,
  ...discoveryCases,
  ...vulnerabilityCases,
  ...bomCases,
  ...scanCases,
  ...gatewayCases,
  ...rateLimitCases,
  ...uploadCases,
  ...importCases,
  ...enteredAgreementCases,
]
