import { defineOperations } from '../http/operation.ts'
import {
  flag,
  form,
  formBody,
  jsonObject,
  optionalInteger,
  pageParams,
  required,
  text,
} from '../http/params.ts'
import { DEFAULT_BUDGET, MAX_BUDGET } from './records.ts'
import { consentSchema, resultSchema, runListSchema, runSchema, startReplySchema } from './wire.ts'

const endpointId = required(form(text(20), 'Short or numeric ID of the endpoint.'))

const runNumber = optionalInteger({ min: 1, max: 999_999_999_999 })

/** Parameters that select the call and the server. */
const callParams = {
  values: form(
    jsonObject(),
    "Values of the endpoint's parameters by name. Must not contain secrets: store them as credentials.",
  ),
  server: form(text(2000), 'A declared server: its name, its URL template, or its number from 1.'),
}

const resultParams = {
  endpoint_id: endpointId,
  run: form(runNumber, "Number of the run; default: the endpoint's newest run."),
}

export const rateLimitOperations = defineOperations({
  startRateLimitTest: {
    method: 'POST',
    paths: ['/benchmark/rate_limiting_test'],
    section: '4.13',
    tag: 'rate limits',
    summary: 'Start a rate-limit test of a catalogued API',
    description: `Requires the operator's permission for the host, or the account's token published by the host; otherwise 403 \`consent_missing\` explains what is missing. \`info\` is the number of the run. If the account's test of this endpoint has not ended, returns that run, or 409 \`options_differ\` if the options differ. If another run uses the host, returns 409. Default: ${DEFAULT_BUDGET.requests} requests at ${DEFAULT_BUDGET.rate} per second.`,
    scope: 'benchmark',
    params: {
      endpoint_id: endpointId,
      requests: form(
        optionalInteger({ min: 1, max: MAX_BUDGET.requests }),
        `Maximum number of requests, across all stages; default: ${DEFAULT_BUDGET.requests}.`,
      ),
      rate: form(
        optionalInteger({ min: 1, max: MAX_BUDGET.rate }),
        `Maximum requests per second; default: ${DEFAULT_BUDGET.rate}.`,
      ),
      payload_bytes: form(
        optionalInteger({ min: 0, max: MAX_BUDGET.payloadBytes }),
        `Size of the largest request body in bytes; default: ${DEFAULT_BUDGET.payloadBytes}.`,
      ),
      ...callParams,
      use_credentials: form(flag(), "Send the account's stored credentials."),
      confirm_unsafe: form(
        flag(),
        'Required for methods other than GET, HEAD and OPTIONS: every request may change data.',
      ),
    },
    body: formBody,
    output: { kind: 'json', schema: startReplySchema },
  },
  getRateLimitResult: {
    method: 'GET',
    alsoPost: true,
    paths: ['/benchmark/rate_limiting_result'],
    section: '4.14',
    tag: 'rate limits',
    summary: 'Read the result of a rate-limit test',
    description:
      '`result` begins with the verdict: Protected, Partly, Unprotected or Inconclusive. For a test that has not ended, it reports the progress. `test_case` reports the number of requests and their rate.',
    scope: 'read',
    params: {
      ...resultParams,
      extended: form(
        flag(),
        'Include the evidence: numeric limits and a timeline in steps of 100 ms.',
      ),
      with_requests: form(flag(), 'Include the evidence and every request.'),
    },
    body: formBody,
    output: { kind: 'json', schema: resultSchema },
  },
  getRateLimitPlot: {
    method: 'GET',
    alsoPost: true,
    paths: ['/benchmark/rate_limiting_plot'],
    tag: 'extension',
    summary: 'Plot the result of a rate-limit test',
    description: 'An SVG image without scripts or external references.',
    scope: 'read',
    params: resultParams,
    body: formBody,
    output: { kind: 'raw', mediaTypes: ['image/svg+xml'] },
  },
  listRateLimitTests: {
    method: 'GET',
    paths: ['/benchmark/runs'],
    tag: 'extension',
    summary: "List the account's rate-limit tests",
    description: 'Newest first.',
    scope: 'read',
    params: { ...pageParams },
    output: { kind: 'json', schema: runListSchema },
  },
  stopRateLimitTest: {
    method: 'POST',
    paths: ['/benchmark/runs/stop'],
    tag: 'extension',
    summary: 'Stop a rate-limit test',
    description: 'Requests stop within a second. A run that has ended is unchanged.',
    scope: 'benchmark',
    params: { run: required(form(runNumber, 'Number of the run.')) },
    body: formBody,
    output: { kind: 'json', schema: runSchema },
  },
  getRateLimitConsent: {
    method: 'GET',
    alsoPost: true,
    paths: ['/benchmark/consent'],
    tag: 'extension',
    summary: 'Check whether the host of an endpoint consents to tests',
    description:
      "Requests the account's token from the host, unless the operator allows tests of it. The host consents by returning `token` from `token_url` as a single line of text. The token is a secret of the account.",
    scope: 'benchmark',
    params: { endpoint_id: endpointId, ...callParams },
    body: formBody,
    output: { kind: 'json', schema: consentSchema },
  },
})
