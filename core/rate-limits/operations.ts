import * as v from 'valibot'
import { defineOperations } from '../http/operation.ts'
import { form, formBody, required, text } from '../http/params.ts'

const endpointId = required(form(text(20), 'Short or numeric id of the endpoint.'))

export const rateLimitOperations = defineOperations({
  startRateLimitTest: {
    method: 'POST',
    paths: ['/benchmark/rate_limiting_test'],
    section: '4.13',
    tag: 'rate limits',
    summary: 'Start a rate-limit test of a catalogued API',
    scope: 'benchmark',
    params: { endpoint_id: endpointId },
    body: formBody,
    output: {
      kind: 'json',
      schema: v.object({ result: v.string(), info: v.pipe(v.number(), v.integer()) }),
    },
    isPlanned: true,
  },
  getRateLimitResult: {
    method: 'GET',
    alsoPost: true,
    paths: ['/benchmark/rate_limiting_result'],
    section: '4.14',
    tag: 'rate limits',
    summary: 'Read the result of a rate-limit test',
    scope: 'read',
    params: {
      endpoint_id: endpointId,
      run: form(text(20), 'Number of the run; the newest if absent.'),
    },
    body: formBody,
    output: {
      kind: 'json',
      schema: v.object({ datetime: v.string(), result: v.string(), test_case: v.string() }),
    },
    isPlanned: true,
  },
})
