import { TESTED } from '../helpers/rate-limit-seed.ts'
import type { GoldenCase } from './golden-cases.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_BODY = { 'content-type': 'application/json' }
const start = '/api/benchmark/rate_limiting_test'
const result = '/api/benchmark/rate_limiting_result'
const plot = '/api/benchmark/rate_limiting_plot'
const consent = '/api/benchmark/consent'
const runs = '/api/benchmark/runs'

/** Fields as sent by curl -F (`form-data`) and python-requests (hexadecimal boundary). */
function multipart(
  boundary: string,
  fields: Readonly<Record<string, string>>,
): Pick<GoldenCase, 'headers' | 'body'> {
  const parts = Object.entries(fields).map(
    ([name, text]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  )
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: `${parts.join('')}--${boundary}--\r\n`,
  }
}

const CURL = '------------------------d74496d66958873e'
const PYTHON = '2b8c1a5f0d3e4c6b9a7f8e1d2c3b4a59'

function toResultCase(name: string, more: Partial<GoldenCase>): GoldenCase {
  return { operation: 'getRateLimitResult', name, target: result, ...more }
}

/** Specification 4.14 in every form, for the account's initial data. */
const reads: readonly GoldenCase[] = [
  toResultCase('the newest, by the query', { target: `${result}?endpoint_id=${TESTED}` }),
  toResultCase('by a multipart form, as the sample request asks', {
    method: 'POST',
    ...multipart(CURL, { endpoint_id: TESTED }),
  }),
  toResultCase('by a multipart form of another client', {
    method: 'POST',
    ...multipart(PYTHON, { endpoint_id: TESTED, run: '2' }),
  }),
  toResultCase('by a urlencoded form', {
    method: 'POST',
    headers: FORM,
    body: `endpoint_id=${TESTED}&run=1`,
  }),
  toResultCase('by JSON', {
    method: 'POST',
    headers: JSON_BODY,
    body: JSON.stringify({ endpoint_id: TESTED, run: 3 }),
  }),
  toResultCase('by the query of a POST', {
    method: 'POST',
    target: `${result}?endpoint_id=${TESTED}`,
  }),
  toResultCase('by the query, which wins over the body', {
    method: 'POST',
    target: `${result}?endpoint_id=${TESTED}&run=1`,
    headers: FORM,
    body: 'endpoint_id=EI7yswc&run=99',
  }),
  toResultCase('with the evidence', { target: `${result}?endpoint_id=${TESTED}&extended=true` }),
  toResultCase('with the evidence of one without a result', {
    target: `${result}?endpoint_id=${TESTED}&run=2&extended=true`,
  }),
  toResultCase('with each request', { target: `${result}?endpoint_id=${TESTED}&with_requests=1` }),
  toResultCase('of an endpoint that was never tested', { target: `${result}?endpoint_id=EI7yswc` }),
  toResultCase('of an unknown run', { target: `${result}?endpoint_id=${TESTED}&run=4` }),
  toResultCase('without an endpoint', { method: 'POST', ...multipart(CURL, { run: '1' }) }),
  {
    operation: 'getRateLimitPlot',
    name: 'of a run without a result',
    target: `${plot}?endpoint_id=${TESTED}&run=1`,
  },
  { operation: 'listRateLimitTests', name: 'all, newest first', target: runs },
  { operation: 'listRateLimitTests', name: 'the second page', target: `${runs}?size=2&page=2` },
  {
    operation: 'listRateLimitTests',
    name: 'none in an empty service',
    target: runs,
    isEmpty: true,
  },
]

function begin(name: string, more: Partial<GoldenCase>): GoldenCase {
  return { operation: 'startRateLimitTest', name, method: 'POST', target: start, ...more }
}

function ofStarted(name: string): GoldenCase {
  return toResultCase(name, { target: `${result}?endpoint_id=EI7yswc` })
}

const stopRun = (name: string, more: Partial<GoldenCase>): GoldenCase => ({
  operation: 'stopRateLimitTest',
  name,
  method: 'POST',
  target: `${runs}/stop`,
  ...more,
})

/** Specification 4.13 in every form. Each run is stopped before the next one starts. */
const writes: readonly GoldenCase[] = [
  begin('values that do not fit', {
    headers: JSON_BODY,
    body: '{"endpoint_id":"EI7yswc","values":{"a":1,"status":"lost"}}',
  }),
  begin('a value that is missing', { target: `${start}?endpoint_id=9&values=%7B%22lat%22%3A1%7D` }),
  begin('by a multipart form', multipart(CURL, { endpoint_id: 'EI7yswc' })),
  ofStarted('of one that is queued'),
  begin('the same again, which is queued already', { headers: FORM, body: 'endpoint_id=EI7yswc' }),
  stopRun('by a form', { headers: FORM, body: 'run=4' }),
  ofStarted('of one that was stopped before its start'),
  begin('by a multipart form with a budget', {
    ...multipart(PYTHON, {
      endpoint_id: '9',
      requests: '200',
      rate: '20',
      values: '{"lat":1,"lon":2}',
    }),
  }),
  begin('by JSON with a budget and values', {
    headers: JSON_BODY,
    body: JSON.stringify({
      endpoint_id: 'EI7yswc',
      requests: 1000,
      rate: 50,
      payload_bytes: 1024,
      values: { status: 'paid', limit: 3 },
    }),
  }),
  stopRun('by JSON', { headers: JSON_BODY, body: '{"run":5}' }),
  begin('by a urlencoded form', { headers: FORM, body: 'endpoint_id=EI7yswc&requests=20&rate=2' }),
  stopRun('by the query', { target: `${runs}/stop?run=6` }),
  stopRun('again', { target: `${runs}/stop?run=6` }),
  begin('by the query', { target: `${start}?endpoint_id=EI7yswc&values=%7B%22limit%22%3A3%7D` }),
  begin('another endpoint of the same host', {
    headers: JSON_BODY,
    body: '{"endpoint_id":"Fky3Aqq","values":{"payment_id":"p1","reason":"broken"},"confirm_unsafe":true}',
  }),
  stopRun('one that nobody has', { target: `${runs}/stop?run=99` }),
  begin('more than anybody gets', { headers: FORM, body: 'endpoint_id=EI7yswc&requests=1001' }),
  begin('what is not safe', { headers: FORM, body: 'endpoint_id=iaCgoTM' }),
  begin('what is not safe, and said to be none in the query', {
    target: `${start}?confirm_unsafe=no`,
    headers: FORM,
    body: 'endpoint_id=iaCgoTM',
  }),
  begin('an unknown endpoint', { headers: FORM, body: 'endpoint_id=aaaaaaa' }),
  begin('without the scope', { headers: FORM, body: 'endpoint_id=EI7yswc', key: 'readOnly' }),
  { operation: 'listRateLimitTests', name: 'after starts and stops', target: runs },
  {
    operation: 'getRateLimitConsent',
    name: 'by the operator',
    target: `${consent}?endpoint_id=EI7yswc`,
  },
  {
    operation: 'getRateLimitConsent',
    name: 'of nobody',
    target: `${consent}?endpoint_id=EI7yswc&server=2`,
  },
]

/** Cases of rate-limit tests: reads first, then starts and stops. */
export const rateLimitCases: readonly GoldenCase[] = [...reads, ...writes]
