import type { GoldenCase } from './golden-cases.ts'

const FORM = 'application/x-www-form-urlencoded'

/** Creates a small description with the members that a case needs. */
function describeApi(options: {
  readonly title?: string
  readonly version?: string
  readonly summary?: string
  readonly paths?: readonly string[]
}): string {
  const {
    title = 'Crumb',
    version = '1.0.0',
    summary = 'Lists loaves',
    paths = ['/loaves'],
  } = options
  const operation = { summary, responses: { 200: { description: 'Loaves' } } }
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title, version, termsOfService: 'https://bakery.example/terms' },
    servers: [{ url: '/v1' }],
    paths: Object.fromEntries(paths.map((path) => [path, { get: operation }])),
  })
}

function toUploadCase(
  name: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): GoldenCase {
  return {
    operation: 'uploadDescription',
    name,
    method: 'POST',
    target: '/api/benchmark/upload_swagger',
    headers: {
      'content-type': FORM,
      vendor: '%C3%96sel B%C3%A4ckerei',
      category: 'eCommerce & Trade',
      ...headers,
    },
    body,
  }
}

const vendor = (name: string, body: string): GoldenCase => ({
  operation: 'createVendor',
  name,
  method: 'POST',
  target: '/api/vendors',
  headers: { 'content-type': 'application/json' },
  body,
})

const remove = (name: string, query: string): GoldenCase => ({
  operation: 'removeApi',
  name,
  method: 'DELETE',
  target: `/api/apis${query}`,
})

const TWICE = `{"openapi":"3.1.0","info":{"title":"Twice","version":"2"},"paths":{"/a":{"get":{"parameters":[{"$ref":"other.yaml#/X"}],"responses":{}},"post":7}}}`

/** Specification 4.6, contract 5: writes, and reads after them. */
export const uploadCases: readonly GoldenCase[] = [
  toUploadCase('a new API', describeApi({})),
  toUploadCase('the same again', describeApi({})),
  toUploadCase(
    'one endpoint changed, one new',
    describeApi({ summary: 'All loaves', paths: ['/loaves', '/rolls'] }),
  ),
  toUploadCase('one endpoint gone', describeApi({ summary: 'All loaves', paths: ['/rolls'] })),
  {
    ...toUploadCase(
      'another major version, private, of two countries',
      describeApi({ version: '2.1' }),
      {
        private: 'True',
        base_url: 'https://api.bakery.example/base/',
      },
    ),
    target: '/api/benchmark/upload_swagger?countries=ch,LI',
  },
  toUploadCase('the same title of another vendor', describeApi({}), { vendor: 'quiet PARTNER' }),
  toUploadCase('with warnings', TWICE),
  toUploadCase(
    'as YAML',
    'swagger: "2.0"\ninfo: {title: Yeast, version: "1"}\nhost: yeast.example\npaths: {}\n',
  ),
  toUploadCase('as a form field', `file=${encodeURIComponent(describeApi({ title: 'Field' }))}`),
  toUploadCase('an unknown vendor and category', describeApi({}), {
    vendor: 'Nobody',
    category: 'Nothing',
  }),
  {
    ...toUploadCase(
      'an unknown vendor and category in a form',
      `vendor=Nobody&category=None&file=${encodeURIComponent(describeApi({}))}`,
    ),
    headers: { 'content-type': FORM },
  },
  toUploadCase('no vendor, category or file', '', { vendor: '', category: '' }),
  toUploadCase('no description', '{"swagger":"1.2"}'),
  toUploadCase('no JSON', '{"openapi": "3.1.0",\n  "paths": [}'),
  toUploadCase('an archive', 'PK\u0003\u0004\u0014\u0000\u0000\u0000'),
  {
    ...toUploadCase('without the scope', describeApi({})),
    key: 'readOnly',
  },
  vendor(
    'all fields',
    '{"name":" Mill & Söhne ","homepage":"https://mill.example/","description":"Flour.\\nAnd bran.","is_public":false,"countries":["ch","LI"]}',
  ),
  vendor('the name alone', '{"name":"Plain"}'),
  vendor('a name that exists', '{"name":"mill & SOHNE"}'),
  vendor('nothing', ''),
  vendor(
    'everything wrong',
    '{"name":" ","homepage":"ftp://x","description":5,"is_public":"yes","countries":["CHE"],"id":1}',
  ),
  {
    operation: 'searchEndpoints',
    name: 'after the uploads',
    target: '/api/endpoint_search?q=loaves',
  },
  {
    operation: 'searchEndpoints',
    name: 'private ones after an upload',
    target: '/api/endpoint_search?api_type=private_apis',
  },
  {
    operation: 'searchEndpoints',
    name: 'public ones after an upload',
    target: '/api/endpoint_search?q=crumb&api_type=public_apis&size=1',
  },
  {
    operation: 'getAgreementsByName',
    name: 'several APIs of one name',
    target: '/api/agreements/name?api_name=crumb',
  },
  { operation: 'searchVendors', name: 'after entering some', target: '/api/search/vendor?q=mill' },
  remove('by numeric id', '?api_id=5'),
  remove('by the same id again', '?api_id=5'),
  remove('by encrypted id', '?api_id=W5VXva5MQp3HQNYuTD'),
  remove('without id', ''),
  { ...remove('without the scope', '?api_id=1'), key: 'readOnly' },
  { operation: 'listEndpoints', name: 'after uploads and removals', target: '/api/endpoint_list' },
]
