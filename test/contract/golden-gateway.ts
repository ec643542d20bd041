import type { GoldenCase } from './golden-cases.ts'
import { CREDENTIAL_ID, KEY_ID, RECORDING_ID } from './valid-requests.ts'

const JSON_BODY = { 'content-type': 'application/json' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

function toCallCase(
  name: string,
  given: {
    readonly query: string
    readonly body?: string
    readonly more?: Partial<GoldenCase>
  },
): GoldenCase {
  const { query, body, more } = given
  return {
    operation: 'callEndpoint',
    name,
    method: 'POST',
    target: `/api/gateway?endpoint_id=${query}`,
    headers: JSON_BODY,
    ...(body === undefined ? {} : { body }),
    ...more,
  }
}

/** Specification 4.1, with a target that returns the received request. */
const calls: readonly GoldenCase[] = [
  toCallCase('a query, and a credential of the account', {
    query: 'qjTj4fG',
    body: '{"lat":46.95,"lon":"7.45","days":null,"units":"imperial"}',
  }),
  toCallCase('by numeric id and the older address', {
    query: '9',
    body: '{"lat":1,"lon":2}',
    more: { target: '/api/benchmark/endpoint_request_live?endpoint_id=9' },
  }),
  toCallCase('the caller’s own value in place of the credential', {
    query: 'qjTj4fG',
    body: '{"lat":1,"lon":2,"appid":"own"}',
  }),
  toCallCase('a server variable', { query: 'qjTj4fG', body: '{"lat":1,"lon":2,"region":"asia"}' }),
  toCallCase('another server', {
    query: 'EI7yswc&server=https%3A%2F%2Fsandbox.ledgerly.example',
    body: '{"limit":5}',
  }),
  toCallCase('a JSON body', {
    query: 'wCxSHr5',
    body: '{"from":{"lat":1.5,"lon":2},"to":{"lat":3,"lon":4},"mode":"bike"}',
  }),
  toCallCase('a form body out of a form', {
    query: 'iaCgoTM',
    body: 'to=%2B41790000000&text=gr%C3%BCezi&tags=a&tags=b',
    more: { headers: FORM },
  }),
  toCallCase('a path parameter out of the values, a form body out of multipart', {
    query: 'Fky3Aqq',
    body: `${part('payment_id', 'pay ?/1')}${part('reason', 'broken')}--b-1--\r\n`,
    more: { headers: { 'content-type': 'multipart/form-data; boundary=b-1' } },
  }),
  toCallCase('a header', { query: 'lJSyd7b', body: '{"address":"Bern","X-Wayfare-Key":"k"}' }),
  toCallCase('nothing', { query: 'EI7yswc' }),
  toCallCase('the target’s failure, as it came', { query: 'ndSlI8A', body: '{"id":"404"}' }),
  toCallCase('the target’s redirect, as it came', { query: 'ndSlI8A', body: '{"id":"302"}' }),
  toCallCase('the target’s answer without content', { query: 'ndSlI8A', body: '{"id":"204"}' }),
  toCallCase('a target that is down', { query: 'ndSlI8A', body: '{"id":"down"}' }),
  toCallCase('a target that is slow', { query: 'ndSlI8A', body: '{"id":"slow"}' }),
  toCallCase('a dry run, secrets masked', {
    query: 'qjTj4fG&dry_run=true',
    body: '{"lat":1,"lon":2}',
  }),
  toCallCase('a dry run with a body', {
    query: 'wCxSHr5&dry_run=yes',
    body: '{"from":{"lat":1.5,"lon":2},"to":{"lat":3,"lon":4}}',
  }),
  toCallCase('what is missing, wrong and unknown', {
    query: 'qjTj4fG',
    body: '{"lat":"north","days":99,"units":"both","color":"red"}',
  }),
  toCallCase('an answer that is kept', {
    query: 'xFPVwEp&record=true',
    body: '{"lat":1,"lon":2}',
  }),
  toCallCase('an unknown endpoint', { query: 'aaaaaaa', body: '{}' }),
  toCallCase('without the scope', { query: '9', body: '{}', more: { key: 'readOnly' } }),
  toCallCase('without a key', { query: '9', body: '{}', more: { key: 'none' } }),
]

const credentials: readonly GoldenCase[] = [
  toPutCase('credentials', 'for one API', {
    api_id: 'W5VXva5MQp3HQNYuTD',
    kind: 'query',
    name: 'appid',
    value: 'new-secret',
    origins: ['https://eu.api.skycast.example'],
  }),
  toPutCase('credentials', 'for all APIs of a vendor', {
    vendor: 'LEDGERLY',
    kind: 'bearer',
    value: 'vendor-secret',
    origins: ['https://api.ledgerly.example', 'https://sandbox.ledgerly.example'],
  }),
  toPutCase('credentials', 'by name and password', {
    vendor: 'Pigeon',
    kind: 'BasicAuth',
    username: 'me',
    password: 'pass-secret',
  }),
  toPutCase('credentials', 'a client’s, for access tokens', {
    api_id: 2,
    kind: 'OAuth2',
    client_id: 'client',
    client_secret: 'client-secret',
    token_url: 'https://auth.pigeon.example/token',
    scope: 'messages:send',
  }),
  toPutCase('credentials', 'for nothing', { kind: 'bearer', value: 'x' }),
  toPutCase('credentials', 'unknown members', {
    api_id: 1,
    kind: 'bearer',
    value: 'x',
    secret: 'y',
  }),
  { operation: 'listCredentials', name: 'all', target: '/api/gateway/credentials' },
  {
    operation: 'listCredentials',
    name: 'without the scope',
    target: '/api/gateway/credentials',
    key: 'readOnly',
  },
]

const policies: readonly GoldenCase[] = [
  toPutCase('policies', 'everything limited', {
    key_id: KEY_ID,
    vendors: ['ledgerly'],
    api_ids: [3, 'W5VXva5MQp3HQNYuTD'],
    methods: ['get', 'POST'],
    daily_budget: 0,
  }),
  toPutCase('policies', 'an unknown key', { key_id: 'key_x' }),
  { operation: 'listPolicies', name: 'all', target: '/api/gateway/policies' },
  {
    operation: 'listPolicies',
    name: 'none in an empty service',
    target: '/api/gateway/policies',
    isEmpty: true,
  },
]

const recordings: readonly GoldenCase[] = [
  { operation: 'getRecording', name: 'with its body', target: recording(RECORDING_ID) },
  { operation: 'getRecording', name: 'an unknown one', target: recording('rec_x') },
  {
    operation: 'listCalls',
    name: 'none in an empty service',
    target: '/api/gateway/history',
    isEmpty: true,
  },
  { operation: 'listCalls', name: 'the second page', target: '/api/gateway/history?size=3&page=2' },
  {
    operation: 'listRecordings',
    name: 'none in an empty service',
    target: '/api/gateway/recordings',
    isEmpty: true,
  },
  {
    operation: 'listRecordings',
    name: 'the oldest of two',
    target: '/api/gateway/recordings?size=1&page=2',
  },
]

const writes: readonly GoldenCase[] = [
  publish('an unknown one', 'rec_x'),
  publish('over the one before', RECORDING_ID),
  remove('unpublishRecording', 'recordings/publish?endpoint_id=9', 'by numeric id'),
  remove('unpublishRecording', 'recordings/publish?endpoint_id=9', 'again'),
  remove('removeRecording', `recording?recording_id=${RECORDING_ID}`, 'by id'),
  remove('removeRecording', `recording?recording_id=${RECORDING_ID}`, 'again'),
  remove('removePolicy', `policies?key_id=${KEY_ID}`, 'by key'),
  remove('removePolicy', `policies?key_id=${KEY_ID}`, 'again'),
  remove('removeCredential', `credentials?credential_id=${CREDENTIAL_ID}`, 'by id'),
  remove('removeCredential', `credentials?credential_id=${CREDENTIAL_ID}`, 'again'),
]

/** The gateway's cases: calls, then stored data, then removals. */
export const gatewayCases: readonly GoldenCase[] = [
  ...calls,
  ...credentials,
  ...policies,
  ...recordings,
  ...writes,
]

function part(name: string, text: string): string {
  return `--b-1\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`
}

function toPutCase(
  what: 'credentials' | 'policies',
  name: string,
  body: Readonly<Record<string, unknown>>,
): GoldenCase {
  return {
    operation: what === 'credentials' ? 'putCredential' : 'putPolicy',
    name,
    method: 'PUT',
    target: `/api/gateway/${what}`,
    headers: JSON_BODY,
    body: JSON.stringify(body),
  }
}

function publish(name: string, id: string): GoldenCase {
  return {
    operation: 'publishRecording',
    name,
    method: 'POST',
    target: '/api/gateway/recordings/publish',
    headers: JSON_BODY,
    body: JSON.stringify({ recording_id: id }),
  }
}

function remove(operation: GoldenCase['operation'], path: string, name: string): GoldenCase {
  return { operation, name, method: 'DELETE', target: `/api/gateway/${path}` }
}

function recording(id: string): string {
  return `/api/gateway/recording?recording_id=${id}`
}
