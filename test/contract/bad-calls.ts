import type { BadInputCase } from './bad-input-case.ts'
import { KEY_ID, RECORDING_ID, VALID_REQUESTS } from './valid-requests.ts'

const LONG = 'x'.repeat(2_001)
const DEEP = `{"status":${'['.repeat(101)}${']'.repeat(101)}}`

type Expected = Pick<BadInputCase, 'status'> & Partial<BadInputCase>

const invalid = (...errors: readonly string[]): Expected => ({
  status: 400,
  code: 'invalid_input',
  errors,
})
const broken: Expected = { status: 400, code: 'invalid_body' }
const unknown: Expected = { status: 404, code: 'not_found' }

function toBadRequest(method: string, target: string, expected: Expected): BadInputCase {
  return { name: `${method} ${target.slice(0, 70)}`, request: { method, target }, ...expected }
}

/**
 * A body for an endpoint with the parameters `status`, one of three values, and `limit`, an
 * integer.
 */
function toBadCall(name: string, body: string, expected: Expected): BadInputCase {
  return { name, request: { ...VALID_REQUESTS.callEndpoint, body }, ...expected }
}

function toBadWrite(
  operation: 'putCredential' | 'putPolicy' | 'publishRecording',
  body: unknown,
  expected: Expected,
): BadInputCase {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const request = { ...VALID_REQUESTS[operation], body: text }
  return { name: `${operation} ${text.slice(0, 100)}`, request, ...expected }
}

const gateway = '/api/gateway'

/** Specification 4.1: none of these requests reaches a target. */
export const BAD_CALLS: readonly BadInputCase[] = [
  toBadRequest('POST', gateway, invalid('endpoint_id')),
  toBadRequest('POST', `${gateway}?endpoint_id=`, invalid('endpoint_id')),
  toBadRequest('POST', `${gateway}?endpoint_id=9&endpoint_id=9`, invalid('endpoint_id')),
  toBadRequest('POST', `${gateway}?endpoint_id=${LONG}`, invalid('endpoint_id')),
  toBadRequest(
    'POST',
    `${gateway}?endpoint_id=2&dry_run=maybe&record=2`,
    invalid('dry_run', 'record'),
  ),
  toBadRequest('POST', `${gateway}?endpoint_id=2&follow_redirects=on`, invalid('follow_redirects')),
  toBadRequest('POST', `${gateway}?endpoint_id=2&server=${LONG}`, invalid('server')),
  toBadRequest('POST', `${gateway}?endpoint_id=2&server=nowhere`, invalid('server')),
  toBadRequest(
    'POST',
    `${gateway}?endpoint_id=2&server=https%3A%2F%2Fevil.example`,
    invalid('server'),
  ),
  toBadRequest('POST', `${gateway}?endpoint_id=%27--`, unknown),
  toBadRequest('POST', `${gateway}?endpoint_id=zzzzzzz`, unknown),
  toBadRequest('POST', `${gateway}?endpoint_id=2`, { status: 200 }),
  toBadCall('white space', ' \r\n ', { status: 200 }),
  toBadCall('null for everything', '{"status":null,"limit":null}', { status: 200 }),
  toBadCall('a form', 'status=paid&limit=3', { status: 200 }),
  toBadCall('a list', '[]', broken),
  toBadCall('a text', '"x"', broken),
  toBadCall('cut short', '{"status":"paid"', broken),
  toBadCall('two values', '{}{}', broken),
  toBadCall('nested too deeply', DEEP, broken),
  toBadCall('a value outside its set', '{"status":"lost"}', invalid('status')),
  toBadCall(
    'values of other types',
    '{"status":{"a":1},"limit":"many"}',
    invalid('status', 'limit'),
  ),
  toBadCall('a name given twice in a form', 'limit=1&limit=2', invalid('limit')),
  toBadCall('digits that a number would lose', '{"limit":9007199254740993}', { status: 200 }),
  toBadCall('a number that is no integer', '{"limit":1e400}', invalid('limit')),
  ...['text/plain', 'application/xml', 'application/octet-stream'].map((label) => ({
    name: `a body of ${label}`,
    request: {
      ...VALID_REQUESTS.callEndpoint,
      headers: { 'content-type': label },
      body: '<a b="c">text</a>',
    },
    status: 415,
    code: 'unsupported_media_type' as const,
  })),
  toBadCall('a long name', `${'x'.repeat(1_000)}=1`, invalid(`${'x'.repeat(99)}…`)),
  toBadCall(
    'unknown names',
    '{"color":"red","__proto__":{"limit":1}}',
    invalid('color', '__proto__'),
  ),
  toBadCall('names of everything', '{"constructor":1,"toString":2,"":3}', {
    ...invalid('constructor', 'toString', ''),
  }),
  toBadCall('too large', `{"status":"${'x'.repeat(1_100_000)}"}`, {
    status: 413,
    code: 'too_large',
  }),
]

const credential = { api_id: 1, kind: 'bearer', value: 'x' }

/** Invalid requests for stored gateway data. */
export const BAD_KEPT = {
  putCredential: [
    toBadWrite('putCredential', '', invalid('kind')),
    toBadWrite('putCredential', '[]', broken),
    toBadWrite('putCredential', { kind: 'bearer', value: 'x' }, invalid('api_id')),
    toBadWrite('putCredential', { ...credential, vendor: 'Skycast' }, invalid('api_id')),
    toBadWrite('putCredential', { ...credential, kind: 'magic' }, invalid('kind')),
    toBadWrite('putCredential', { api_id: 1, kind: 'bearer' }, invalid('value')),
    toBadWrite('putCredential', { ...credential, api_id: 99_999 }, invalid('api_id')),
    toBadWrite(
      'putCredential',
      { kind: 'bearer', value: 'x', vendor: 'Nobody' },
      invalid('vendor'),
    ),
    toBadWrite('putCredential', { ...credential, value: 'a\r\nb: c' }, invalid('value')),
    toBadWrite('putCredential', { ...credential, kind: 'header' }, invalid('name')),
    toBadWrite('putCredential', { ...credential, kind: 'header', name: 'a b' }, invalid('name')),
    toBadWrite('putCredential', { ...credential, kind: 'header', name: 'Host' }, invalid('name')),
    toBadWrite(
      'putCredential',
      { ...credential, origins: ['ftp://a.example'] },
      invalid('origins'),
    ),
    toBadWrite(
      'putCredential',
      { ...credential, origins: ['https://a.example/p'] },
      invalid('origins'),
    ),
    toBadWrite('putCredential', { ...credential, colour: 1, id: 2 }, invalid('colour', 'id')),
    toBadWrite(
      'putCredential',
      { api_id: 1, kind: 'BasicAuth', password: 'p' },
      invalid('username'),
    ),
    toBadWrite(
      'putCredential',
      {
        api_id: 1,
        kind: 'OAuth2',
        client_id: 'c',
        client_secret: 's',
        token_url: 'http://a.example',
      },
      invalid('token_url'),
    ),
  ],
  listCredentials: [
    toBadRequest('GET', `${gateway}/credentials?size=0&size=1&%00=%FF`, { status: 200 }),
    toBadRequest('GET', `${gateway}/credentials/`, { status: 200 }),
  ],
  removeCredential: [
    toBadRequest('DELETE', `${gateway}/credentials`, invalid('credential_id')),
    toBadRequest(
      'DELETE',
      `${gateway}/credentials?credential_id=${LONG}`,
      invalid('credential_id'),
    ),
    toBadRequest('DELETE', `${gateway}/credentials?credential_id=%27%20OR%201=1--`, unknown),
  ],
  listCalls: [
    toBadRequest('GET', `${gateway}/history?size=0&page=0`, invalid('size', 'page')),
    toBadRequest('GET', `${gateway}/history?size=101`, invalid('size')),
    toBadRequest('GET', `${gateway}/history?page=999999999`, { status: 200 }),
  ],
  putPolicy: [
    toBadWrite('putPolicy', '', invalid('key_id')),
    toBadWrite('putPolicy', { key_id: '' }, invalid('key_id')),
    toBadWrite('putPolicy', { key_id: 'key_nobody' }, unknown),
    toBadWrite('putPolicy', { key_id: KEY_ID, vendors: ['Nobody'] }, invalid('vendors')),
    toBadWrite('putPolicy', { key_id: KEY_ID, api_ids: [99_999] }, invalid('api_ids')),
    toBadWrite('putPolicy', { key_id: KEY_ID, methods: ['GET', 'G T'] }, invalid('methods.1')),
    toBadWrite('putPolicy', { key_id: KEY_ID, daily_budget: -1 }, invalid('daily_budget')),
    toBadWrite('putPolicy', { key_id: KEY_ID, daily_budget: 1.5 }, invalid('daily_budget')),
    toBadWrite(
      'putPolicy',
      { key_id: KEY_ID, daily_budget: '5', x: 1 },
      invalid('daily_budget', 'x'),
    ),
  ],
  listPolicies: [toBadRequest('GET', `${gateway}/policies?size=0`, { status: 200 })],
  removePolicy: [
    toBadRequest('DELETE', `${gateway}/policies`, invalid('key_id')),
    toBadRequest('DELETE', `${gateway}/policies?key_id=%25`, unknown),
  ],
  listRecordings: [
    toBadRequest('GET', `${gateway}/recordings?size=x&page=-1`, invalid('size', 'page')),
    toBadRequest('GET', `${gateway}/recordings?page=1000000000`, { status: 200 }),
  ],
  getRecording: [
    toBadRequest('GET', `${gateway}/recording`, invalid('recording_id')),
    toBadRequest('GET', `${gateway}/recording?recording_id=${LONG}`, invalid('recording_id')),
    toBadRequest('GET', `${gateway}/recording?recording_id=${RECORDING_ID}%00`, { status: 200 }),
    toBadRequest('GET', `${gateway}/recording?recording_id=${RECORDING_ID.toLowerCase()}`, unknown),
  ],
  removeRecording: [
    toBadRequest('DELETE', `${gateway}/recording`, invalid('recording_id')),
    toBadRequest('DELETE', `${gateway}/recording?recording_id=_`, unknown),
  ],
  publishRecording: [
    toBadWrite('publishRecording', '', invalid('recording_id')),
    toBadWrite('publishRecording', { recording_id: 5, id: 1 }, invalid('recording_id', 'id')),
    toBadWrite('publishRecording', { recording_id: 'rec_%' }, unknown),
  ],
  unpublishRecording: [
    toBadRequest('DELETE', `${gateway}/recordings/publish`, invalid('endpoint_id')),
    toBadRequest('DELETE', `${gateway}/recordings/publish?endpoint_id=zzzzzzz`, unknown),
    toBadRequest('DELETE', `${gateway}/recordings/publish?endpoint_id=2`, unknown),
  ],
} as const satisfies Readonly<Record<string, readonly BadInputCase[]>>
