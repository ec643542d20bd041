import type { BadInputCase } from './bad-input-case.ts'
import { VALID_REQUESTS } from './valid-requests.ts'

function toBadBody(
  operation: 'searchRegistry' | 'exploreRegistry',
  name: string,
  body: string,
  expected: Partial<BadInputCase>,
): BadInputCase {
  return {
    name,
    request: { ...VALID_REQUESTS[operation], body },
    status: 400,
    ...(expected.errors ? { code: 'invalid_input' as const } : {}),
    ...expected,
  }
}

function toBadList(query: string, errors?: readonly string[]): BadInputCase {
  const target = `/api/ard/agents?${query}`
  return errors
    ? { name: target, request: { target }, status: 400, code: 'invalid_input', errors }
    : { name: target, request: { target }, status: 200 }
}

const LONG = 'x'.repeat(2_001)
const search = (name: string, body: string, expected: Partial<BadInputCase>) =>
  toBadBody('searchRegistry', name, body, expected)
const explore = (name: string, body: string, expected: Partial<BadInputCase>) =>
  toBadBody('exploreRegistry', name, body, expected)

/** Requests that the registry rejects, and unusual but valid ones. */
export const BAD_DISCOVERY = {
  searchRegistry: [
    search('an empty body', '', { errors: ['query'] }),
    search('no JSON', 'query=x', { code: 'invalid_body' }),
    search('a list', '[]', { code: 'invalid_body' }),
    search('no text', '{"query":{"filter":{}}}', { errors: ['query.text'] }),
    search('white space', '{"query":{"text":" \\t"}}', { errors: ['query.text'] }),
    search('a long text', `{"query":{"text":"${LONG}"}}`, { errors: ['query.text'] }),
    search('other kinds', '{"query":{"text":7,"filter":[]},"pageSize":"2","federation":"all"}', {
      errors: ['query.text', 'query.filter', 'federation', 'pageSize'],
    }),
    search('pages out of bounds', '{"query":{"text":"a"},"pageSize":0}', { errors: ['pageSize'] }),
    search('no token', '{"query":{"text":"a"},"pageToken":"x"}', { errors: ['pageToken'] }),
    search('the token of a page before the first', '{"query":{"text":"a"},"pageToken":"MS4x"}', {
      errors: ['pageToken'],
    }),
    search('a field of the prototype', '{"query":{"text":"a","filter":{"constructor":"a"}}}', {
      errors: ['query.filter'],
    }),
    search(
      'many fields',
      `{"query":{"text":"a","filter":{${Array.from({ length: 21 }, (_, at) => `"f${at}":"x"`)}}}}`,
      { errors: ['query.filter'] },
    ),
    search('nested too deeply', `{"query":${'['.repeat(101)}${']'.repeat(101)}}`, {
      code: 'invalid_body',
    }),
    search('unknown members', '{"query":{"text":"a","__proto__":{"a":1}},"trace":{}}', {
      status: 200,
    }),
    search('half a character and NUL', '{"query":{"text":"\\ud800 \\u0000"}}', { status: 200 }),
  ],
  exploreRegistry: [
    explore('an empty body', '', { errors: ['resultType'] }),
    explore('no facets', '{"resultType":{}}', { errors: ['resultType.facets'] }),
    explore('an unknown field', '{"resultType":{"facets":[{"field":"toString"}]}}', {
      errors: ['resultType.facets'],
    }),
    explore('bounds', '{"resultType":{"facets":[{"field":"type","limit":0,"minCount":1.5}]}}', {
      errors: ['resultType.facets.0.limit', 'resultType.facets.0.minCount'],
    }),
    explore(
      'many facets',
      `{"resultType":{"facets":[${Array.from({ length: 21 }, () => '{"field":"type"}')}]}}`,
      { errors: ['resultType.facets'] },
    ),
    explore('an empty list of facets', '{"resultType":{"facets":[]}}', { status: 200 }),
  ],
  listRegistryEntries: [
    toBadList('pageSize=0', ['pageSize']),
    toBadList('pageSize=101', ['pageSize']),
    toBadList('pageSize=2&pageToken=%00', ['pageToken']),
    toBadList('filter=type', ['filter']),
    toBadList("filter=type%20=%20'a'%20AND", ['filter']),
    toBadList("filter=type%20=%20'a'%20OR%20type%20=%20'b'", ['filter']),
    toBadList("filter=type%20>%20'a'", ['filter']),
    toBadList('filter=createdAfter%20>%20yesterday', ['filter']),
    toBadList('filter=constructor%20=%20a', ['filter']),
    toBadList(`filter=${LONG}`, ['filter']),
    toBadList('orderBy=displayName%20UP', ['orderBy']),
    toBadList('orderBy=,', ['orderBy']),
    toBadList('filter=&orderBy=&pageToken='),
  ],
  getApiDescription: [
    {
      name: 'no ID',
      request: { target: '/api/apis/description' },
      status: 400,
      code: 'invalid_input',
      errors: ['api_id'],
    },
    {
      name: 'an ID that is none',
      request: { target: '/api/apis/description?api_id=%27%20OR%201=1--' },
      status: 404,
      code: 'not_found',
    },
  ],
} satisfies Readonly<Record<string, readonly BadInputCase[]>>
