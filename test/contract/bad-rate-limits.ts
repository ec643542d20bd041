import { TESTED } from '../helpers/rate-limit-seed.ts'
import type { BadInputCase } from './bad-input-case.ts'
import type { Built } from './valid-requests.ts'

const LONG = 'x'.repeat(2_000)
const start = '/api/benchmark/rate_limiting_test'
const result = '/api/benchmark/rate_limiting_result'
const plot = '/api/benchmark/rate_limiting_plot'
const consent = '/api/benchmark/consent'
const stop = '/api/benchmark/runs/stop'
const runs = '/api/benchmark/runs'

const NOT_FOUND = { status: 404, code: 'not_found' } as const

function toBadRequest(
  method: 'GET' | 'POST',
  target: string,
  expected: Partial<BadInputCase> = {},
): BadInputCase {
  return {
    name: `${method} ${target.slice(0, 90)}`,
    request: { method, target },
    status: 400,
    ...(expected.errors ? { code: 'invalid_input' as const } : {}),
    ...expected,
  }
}

function toBadStart(body: string, expected: Partial<BadInputCase>): BadInputCase {
  const request = { method: 'POST', target: start, body }
  return {
    name: `POST ${body.slice(0, 90)}`,
    request,
    status: 400,
    ...(expected.errors ? { code: 'invalid_input' as const } : {}),
    ...expected,
  }
}

function endpointId(method: 'GET' | 'POST', path: string): readonly BadInputCase[] {
  return [
    toBadRequest(method, path, { errors: ['endpoint_id'] }),
    toBadRequest(method, `${path}?endpoint_id=%20`, { errors: ['endpoint_id'] }),
    toBadRequest(method, `${path}?endpoint_id=9&endpoint_id=9`, { errors: ['endpoint_id'] }),
    toBadRequest(method, `${path}?endpoint_id=${LONG}`, { errors: ['endpoint_id'] }),
    toBadRequest(method, `${path}?endpoint_id=9%00`, NOT_FOUND),
    toBadRequest(method, `${path}?endpoint_id=1%27%20OR%201=1--`, NOT_FOUND),
    toBadRequest(method, `${path}?endpoint_id=aaaaaaa`, NOT_FOUND),
  ]
}

function runNumber(method: 'GET' | 'POST', path: string): readonly BadInputCase[] {
  const bad = ['0', '-1', '1.0', '1e3', 'x', '99999999999999999999', '%00'].map((run) =>
    toBadRequest(method, `${path}run=${run}`, { errors: ['run'] }),
  )
  return [
    ...bad,
    toBadRequest(method, `${path}run=1&run=1`, { errors: ['run'] }),
    toBadRequest(method, `${path}run=999999999999`, NOT_FOUND),
  ]
}

const ofOpenHost = `${start}?endpoint_id=EI7yswc`

/** Invalid rate-limit test requests, and requests above the maximum. */
export const BAD_RATE_LIMITS = {
  startRateLimitTest: [
    ...endpointId('POST', start),
    toBadRequest('POST', `${ofOpenHost}&requests=1001&rate=51&payload_bytes=1048577`, {
      errors: ['requests', 'rate', 'payload_bytes'],
    }),
    toBadRequest('POST', `${ofOpenHost}&requests=0&rate=0`, { errors: ['requests', 'rate'] }),
    toBadRequest('POST', `${ofOpenHost}&requests=many&rate=0.5&payload_bytes=-1`, {
      errors: ['requests', 'rate', 'payload_bytes'],
    }),
    toBadRequest('POST', `${ofOpenHost}&values=%5B%5D`, { errors: ['values'] }),
    toBadRequest('POST', `${ofOpenHost}&values=a%3D1`, { errors: ['values'] }),
    toBadRequest('POST', `${ofOpenHost}&use_credentials=maybe&confirm_unsafe=2`, {
      errors: ['use_credentials', 'confirm_unsafe'],
    }),
    // The error lists the endpoint's parameters, like that of a call.
    toBadRequest('POST', `${ofOpenHost}&values=%7B%22nothing%22%3A1%7D`, {
      errors: ['values.nothing'],
    }),
    // Another origin, without consent.
    toBadRequest('POST', `${ofOpenHost}&server=2`, { status: 403, code: 'consent_missing' }),
    // An unsafe method without confirmation.
    toBadRequest('POST', `${start}?endpoint_id=iaCgoTM`, { errors: ['confirm_unsafe'] }),
    toBadStart('{"endpoint_id":"EI7yswc"', { code: 'invalid_body' }),
    toBadStart('{"endpoint_id":"EI7yswc","requests":2000}', { errors: ['requests'] }),
    toBadStart('{"endpoint_id":"EI7yswc","values":[1]}', { errors: ['values'] }),
    toBadStart('endpoint_id=EI7yswc&rate=100', { errors: ['rate'] }),
  ],
  getRateLimitResult: [
    ...endpointId('GET', result),
    ...endpointId('POST', result),
    ...runNumber('GET', `${result}?endpoint_id=${TESTED}&`),
    toBadRequest('GET', `${result}?endpoint_id=EI7yswc&run=1`, NOT_FOUND),
    toBadRequest('GET', `${result}?endpoint_id=${TESTED}&extended=2`, { errors: ['extended'] }),
  ],
  getRateLimitPlot: [
    ...endpointId('GET', plot),
    ...runNumber('GET', `${plot}?endpoint_id=${TESTED}&`),
    toBadRequest('GET', `${plot}?endpoint_id=${TESTED}&run=1`, { status: 409, code: 'conflict' }),
  ],
  listRateLimitTests: [
    toBadRequest('GET', `${runs}?size=0&page=0`, { errors: ['size', 'page'] }),
    toBadRequest('GET', `${runs}?size=101`, { errors: ['size'] }),
    toBadRequest('GET', `${runs}?page=9`, { status: 200 }),
  ],
  stopRateLimitTest: [
    toBadRequest('POST', stop, { errors: ['run'] }),
    toBadRequest('POST', `${stop}?run=`, { errors: ['run'] }),
    ...runNumber('POST', `${stop}?`),
  ],
  getRateLimitConsent: [
    ...endpointId('GET', consent),
    toBadRequest('GET', `${consent}?endpoint_id=EI7yswc&values=1`, { errors: ['values'] }),
    toBadRequest('GET', `${consent}?endpoint_id=EI7yswc&server=9`, { errors: ['server'] }),
  ],
} as const satisfies Partial<Readonly<Record<Built, readonly BadInputCase[]>>>
