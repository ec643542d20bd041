import {
  allowTestHosts,
  readTestCallInput,
  TEST_CALL_OPTIONS,
  type TestCallOptions,
} from '../benchmark-call.ts'
import { rethrowWithOptions } from '../benchmark-errors.ts'
import { describePendingRun, printTestResult } from '../benchmark-text.ts'
import { waitForRun } from '../benchmark-wait.ts'
import { defineServiceCommand } from '../define-command.ts'
import { quoteForShell, toPrintable } from '../io.ts'
import { integerParser } from '../numbers.ts'
import { findTestConsent } from '../test-options.ts'

/** `benchmark start`. */
export const startTestCommand = defineServiceCommand({
  name: 'start',
  description: 'Queue a rate-limit test of an endpoint; its host must have consented',
  arguments: [['<endpoint-id>', 'endpoint ID, as shown by "search"']],
  account: 'operator',
  options: [
    ...TEST_CALL_OPTIONS,
    [
      '--requests <n>',
      'maximum requests across all stages (default: 60)',
      { parse: integerParser(1, 1000) },
    ],
    ['--rate <n>', 'maximum requests per second (default: 5)', { parse: integerParser(1, 50) }],
    [
      '--payload-kb <n>',
      'largest request body in KiB (default: 64)',
      { parse: integerParser(0, 1024) },
    ],
    ['--use-credentials', "send the account's stored credentials"],
    ['--confirm-unsafe', 'allow methods that may change data (not GET, HEAD or OPTIONS)'],
    ['--wait', 'wait for the test and print its result; Ctrl-C stops the test'],
  ],
  details: `
A server on the same database ("serve") or "jobs run" runs the test; with --wait, this process runs
it if no other does. A host consents if --test-host names it, both here and where the test runs
(serve --test-host), or if it serves the account's token: see "benchmark consent".

Exit codes:
  0    queued; with --wait: done
  1    not started; with --wait: not completed
  2    invalid usage or values
  130  stopped`,
  examples: [
    'benchmark start aB3dE5f --value city=Tallinn --account ci',
    'benchmark start aB3dE5f --requests 200 --rate 20 --test-host api.example.com --wait',
  ],
  serviceOptions: allowTestHosts,
  prepare: ({ io, words: [endpointId], options }) => readTestCallInput(io, { endpointId, options }),
  async run({ io, app, account, caller, words: [endpointId], options, prepared }) {
    const input = {
      ...prepared,
      requests: options.requests,
      rate: options.rate,
      payload_bytes: options.payloadKb === undefined ? undefined : options.payloadKb * 1024,
      use_credentials: options.useCredentials ?? false,
      confirm_unsafe: options.confirmUnsafe ?? false,
    }
    const started = await app.call('startRateLimitTest', input, caller).catch((error) => {
      const consent = findTestConsent(io, { hosts: options.testHost, contact: undefined })
      return rethrowWithOptions(error, consent.hosts)
    })
    if (!options.wait) {
      return {
        json: started,
        text: toPrintable(started.result),
        note: adviseAfterStart(endpointId, { ...options, account: account?.name }).join('\n'),
      }
    }
    const run = started.info
    if (!options.json) {
      const which = { endpoint_id: endpointId, run, extended: true }
      io.note(toPrintable(describePendingRun(await app.call('getRateLimitResult', which, caller))))
    }
    const answer = await waitForRun(io, { app, caller, endpointId, run })
    if (answer.extended?.state !== 'done') io.setFailed()
    if (options.json) return { json: answer }
    printTestResult(io, answer, { hasTimeline: false })
    return undefined
  },
})

/**
 * Returns the next steps after a start: how to run a worker if no server does it, and how to read
 * the result.
 */
function adviseAfterStart(
  endpointId: string,
  options: TestCallOptions & { readonly account: string | undefined },
): readonly string[] {
  const { account, testHost = [], egressAllow, testContact } = options
  const formatOption = (name: string, text: string | undefined) =>
    text === undefined ? '' : ` --${name} ${quoteForShell(text)}`
  const hosts = testHost.map((host) => formatOption('test-host', host)).join('')
  const more = `${hosts}${formatOption('test-contact', testContact)}${formatOption('egress-allow', egressAllow?.join(','))}`
  return [
    `A server on the same database runs the test. Without one, run: api-discovery jobs run --until-idle${more}`,
    `See the result: api-discovery benchmark result ${quoteForShell(endpointId)}${formatOption('account', account)}`,
  ]
}
