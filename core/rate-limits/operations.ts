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

const endpointId = required(form(text(20), 'Short or numeric id of the endpoint.'))

const runNumber = optionalInteger({ min: 1, max: 999_999_999_999 })

/** Which call of the endpoint is meant. */
const callParams = {
  values: form(
    jsonObject(),
    "Values of the endpoint's parameters by their names, none of them a secret: credentials are stored.",
  ),
  server: form(
    text(2000),
    'Which of the declared servers: its name, its URL template, or its number from 1.',
  ),
}

const resultParams = {
  endpoint_id: endpointId,
  run: form(runNumber, "Number of the run; the endpoint's newest if absent."),
}

export const rateLimitOperations = defineOperations({
  startRateLimitTest: {
    method: 'POST',
    paths: ['/benchmark/rate_limiting_test'],
    section: '4.13',
    tag: 'rate limits',
    summary: 'Start a rate-limit test of a catalogued API',
    description: `Only where the operator has named the host, or the host shows the account's token: else 403 \`consent_missing\`, which says what is missing. \`info\` is the number of the run. The account's test of this endpoint that has not ended is answered again, or 409 \`options_differ\` where other options are asked for; another run on the host is 409. ${DEFAULT_BUDGET.requests} requests at ${DEFAULT_BUDGET.rate} per second where nothing is said, and no more than the maxima whatever is.`,
    scope: 'benchmark',
    params: {
      endpoint_id: endpointId,
      requests: form(
        optionalInteger({ min: 1, max: MAX_BUDGET.requests }),
        `Requests at the most, of all stages together; ${DEFAULT_BUDGET.requests} if absent.`,
      ),
      rate: form(
        optionalInteger({ min: 1, max: MAX_BUDGET.rate }),
        `Requests per second at the most; ${DEFAULT_BUDGET.rate} if absent.`,
      ),
      payload_bytes: form(
        optionalInteger({ min: 0, max: MAX_BUDGET.payloadBytes }),
        `Bytes of the largest body; ${DEFAULT_BUDGET.payloadBytes} if absent.`,
      ),
      ...callParams,
      use_credentials: form(flag(), 'Send the credentials that the account has stored.'),
      confirm_unsafe: form(
        flag(),
        'Needed for methods other than GET, HEAD and OPTIONS: every request may change something.',
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
      '`result` begins with the verdict: Protected, Partly, Unprotected or Inconclusive; of a test that has not ended it says so, and how far it is. `test_case` tells how many requests were sent and how many per second.',
    scope: 'read',
    params: {
      ...resultParams,
      extended: form(flag(), 'Add the evidence: limits in numbers and the time line per 100 ms.'),
      with_requests: form(flag(), 'Add the evidence and each single request.'),
    },
    body: formBody,
    output: { kind: 'json', schema: resultSchema },
  },
  getRateLimitPlot: {
    method: 'GET',
    alsoPost: true,
    paths: ['/benchmark/rate_limiting_plot'],
    tag: 'extension',
    summary: 'Draw the result of a rate-limit test',
    description: 'As SVG, without scripts and without references to anything outside.',
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
    description: 'Within a second nothing more is sent. A run that has ended stays as it is.',
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
    summary: 'Tell whether the host of an endpoint may be tested, and what is missing',
    description:
      "Asks the host for the account's token unless the operator has named it: `token` is what `token_url` must answer, as one line of text. It is a secret of the account.",
    scope: 'benchmark',
    params: { endpoint_id: endpointId, ...callParams },
    body: formBody,
    output: { kind: 'json', schema: consentSchema },
  },
})
