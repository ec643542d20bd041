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

function ask(method: string, target: string, expected: Expected): BadInputCase {
  return { name: `${method} ${target.slice(0, 70)}`, request: { method, target }, ...expected }
}

/**
 * A body for an endpoint with the parameters `status`, one of three values, and `limit`, an
 * integer.
 */
function call(name: string, body: string, expected: Expected): BadInputCase {
  return { name, request: { ...VALID_REQUESTS.callEndpoint, body }, ...expected }
}

function write(
  operation: 'putCredential' | 'putPolicy' | 'publishRecording',
  body: unknown,
  expected: Expected,
): BadInputCase {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const request = { ...VALID_REQUESTS[operation], body: text }
  return { name: `${operation} ${text.slice(0, 100)}`, request, ...expected }
}

const gateway = '/api/gateway'

/** Specification 4.1: nothing of these reaches a target. */
export const BAD_CALLS: readonly BadInputCase[] = [
  ask('POST', gateway, invalid('endpoint_id')),
  ask('POST', `${gateway}?endpoint_id=`, invalid('endpoint_id')),
  ask('POST', `${gateway}?endpoint_id=9&endpoint_id=9`, invalid('endpoint_id')),
  ask('POST', `${gateway}?endpoint_id=${LONG}`, invalid('endpoint_id')),
  ask('POST', `${gateway}?endpoint_id=2&dry_run=maybe&record=2`, invalid('dry_run', 'record')),
  ask('POST', `${gateway}?endpoint_id=2&follow_redirects=on`, invalid('follow_redirects')),
  ask('POST', `${gateway}?endpoint_id=2&server=${LONG}`, invalid('server')),
  ask('POST', `${gateway}?endpoint_id=2&server=nowhere`, invalid('server')),
  ask('POST', `${gateway}?endpoint_id=2&server=https%3A%2F%2Fevil.example`, invalid('server')),
  ask('POST', `${gateway}?endpoint_id=%27--`, unknown),
  ask('POST', `${gateway}?endpoint_id=zzzzzzz`, unknown),
  ask('POST', `${gateway}?endpoint_id=2`, { status: 200 }),
  call('white space', ' \r\n ', { status: 200 }),
  call('null for everything', '{"status":null,"limit":null}', { status: 200 }),
  call('a form', 'status=paid&limit=3', { status: 200 }),
  call('a list', '[]', broken),
  call('a text', '"x"', broken),
  call('cut short', '{"status":"paid"', broken),
  call('two values', '{}{}', broken),
  call('nested too deeply', DEEP, broken),
  call('a value outside its set', '{"status":"lost"}', invalid('status')),
  call('values of other types', '{"status":{"a":1},"limit":"many"}', invalid('status', 'limit')),
  call('a name given twice in a form', 'limit=1&limit=2', invalid('limit')),
  call('digits that a number would lose', '{"limit":9007199254740993}', { status: 200 }),
  call('a number that is no integer', '{"limit":1e400}', invalid('limit')),
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
  call('a long name', `${'x'.repeat(1_000)}=1`, invalid(`${'x'.repeat(99)}…`)),
  call('unknown names', '{"color":"red","__proto__":{"limit":1}}', invalid('color', '__proto__')),
  call('names of everything', '{"constructor":1,"toString":2,"":3}', {
    ...invalid('constructor', 'toString', ''),
  }),
  call('too large', `{"status":"${'x'.repeat(1_100_000)}"}`, { status: 413, code: 'too_large' }),
]

const credential = { api_id: 1, kind: 'bearer', value: 'x' }

/** Invalid requests for stored gateway data. */
export const BAD_KEPT = {
  putCredential: [
    write('putCredential', '', invalid('kind')),
    write('putCredential', '[]', broken),
    write('putCredential', { kind: 'bearer', value: 'x' }, invalid('api_id')),
    write('putCredential', { ...credential, vendor: 'Skycast' }, invalid('api_id')),
    write('putCredential', { ...credential, kind: 'magic' }, invalid('kind')),
    write('putCredential', { api_id: 1, kind: 'bearer' }, invalid('value')),
    write('putCredential', { ...credential, api_id: 99_999 }, invalid('api_id')),
    write('putCredential', { kind: 'bearer', value: 'x', vendor: 'Nobody' }, invalid('vendor')),
    write('putCredential', { ...credential, value: 'a\r\nb: c' }, invalid('value')),
    write('putCredential', { ...credential, kind: 'header' }, invalid('name')),
    write('putCredential', { ...credential, kind: 'header', name: 'a b' }, invalid('name')),
    write('putCredential', { ...credential, kind: 'header', name: 'Host' }, invalid('name')),
    write('putCredential', { ...credential, origins: ['ftp://a.example'] }, invalid('origins')),
    write('putCredential', { ...credential, origins: ['https://a.example/p'] }, invalid('origins')),
    write('putCredential', { ...credential, colour: 1, id: 2 }, invalid('colour', 'id')),
    write('putCredential', { api_id: 1, kind: 'BasicAuth', password: 'p' }, invalid('username')),
    write(
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
    ask('GET', `${gateway}/credentials?size=0&size=1&%00=%FF`, { status: 200 }),
    ask('GET', `${gateway}/credentials/`, { status: 200 }),
  ],
  removeCredential: [
    ask('DELETE', `${gateway}/credentials`, invalid('credential_id')),
    ask('DELETE', `${gateway}/credentials?credential_id=${LONG}`, invalid('credential_id')),
    ask('DELETE', `${gateway}/credentials?credential_id=%27%20OR%201=1--`, unknown),
  ],
  listCalls: [
    ask('GET', `${gateway}/history?size=0&page=0`, invalid('size', 'page')),
    ask('GET', `${gateway}/history?size=101`, invalid('size')),
    ask('GET', `${gateway}/history?page=999999999`, { status: 200 }),
  ],
  putPolicy: [
    write('putPolicy', '', invalid('key_id')),
    write('putPolicy', { key_id: '' }, invalid('key_id')),
    write('putPolicy', { key_id: 'key_nobody' }, unknown),
    write('putPolicy', { key_id: KEY_ID, vendors: ['Nobody'] }, invalid('vendors')),
    write('putPolicy', { key_id: KEY_ID, api_ids: [99_999] }, invalid('api_ids')),
    write('putPolicy', { key_id: KEY_ID, methods: ['GET', 'G T'] }, invalid('methods.1')),
    write('putPolicy', { key_id: KEY_ID, daily_budget: -1 }, invalid('daily_budget')),
    write('putPolicy', { key_id: KEY_ID, daily_budget: 1.5 }, invalid('daily_budget')),
    write('putPolicy', { key_id: KEY_ID, daily_budget: '5', x: 1 }, invalid('daily_budget', 'x')),
  ],
  listPolicies: [ask('GET', `${gateway}/policies?size=0`, { status: 200 })],
  removePolicy: [
    ask('DELETE', `${gateway}/policies`, invalid('key_id')),
    ask('DELETE', `${gateway}/policies?key_id=%25`, unknown),
  ],
  listRecordings: [
    ask('GET', `${gateway}/recordings?size=x&page=-1`, invalid('size', 'page')),
    ask('GET', `${gateway}/recordings?page=1000000000`, { status: 200 }),
  ],
  getRecording: [
    ask('GET', `${gateway}/recording`, invalid('recording_id')),
    ask('GET', `${gateway}/recording?recording_id=${LONG}`, invalid('recording_id')),
    ask('GET', `${gateway}/recording?recording_id=${RECORDING_ID}%00`, { status: 200 }),
    ask('GET', `${gateway}/recording?recording_id=${RECORDING_ID.toLowerCase()}`, unknown),
  ],
  removeRecording: [
    ask('DELETE', `${gateway}/recording`, invalid('recording_id')),
    ask('DELETE', `${gateway}/recording?recording_id=_`, unknown),
  ],
  publishRecording: [
    write('publishRecording', '', invalid('recording_id')),
    write('publishRecording', { recording_id: 5, id: 1 }, invalid('recording_id', 'id')),
    write('publishRecording', { recording_id: 'rec_%' }, unknown),
  ],
  unpublishRecording: [
    ask('DELETE', `${gateway}/recordings/publish`, invalid('endpoint_id')),
    ask('DELETE', `${gateway}/recordings/publish?endpoint_id=zzzzzzz`, unknown),
    ask('DELETE', `${gateway}/recordings/publish?endpoint_id=2`, unknown),
  ],
} as const satisfies Readonly<Record<string, readonly BadInputCase[]>>
