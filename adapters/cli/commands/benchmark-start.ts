import type { Command } from 'commander'
import {
  addTestCallOptions,
  readTestCallInput,
  type TestCallOptions,
  withRateLimitTests,
} from '../benchmark-call.ts'
import { rethrowWithOptions } from '../benchmark-errors.ts'
import { describePendingRun, printTestResult } from '../benchmark-text.ts'
import { waitForRun } from '../benchmark-wait.ts'
import { type CommandIo, quoteForShell, toPrintable } from '../io.ts'
import { integerParser } from '../numbers.ts'
import { findTestConsent } from '../test-options.ts'

interface StartOptions extends TestCallOptions {
  readonly requests?: number
  readonly rate?: number
  readonly payloadKb?: number
  readonly useCredentials?: boolean
  readonly confirmUnsafe?: boolean
  readonly wait?: boolean
}

/** Adds `benchmark start`. */
export function addStartTestCommand(benchmark: Command, io: CommandIo): void {
  addTestCallOptions(benchmark.command('start'))
    .description('Queue a rate-limit test of an endpoint; its host must have consented')
    .option(
      '--requests <n>',
      'maximum requests across all stages (default: 60)',
      integerParser(1, 1000),
    )
    .option('--rate <n>', 'maximum requests per second (default: 5)', integerParser(1, 50))
    .option('--payload-kb <n>', 'largest request body in KiB (default: 64)', integerParser(0, 1024))
    .option('--use-credentials', "send the account's stored credentials")
    .option('--confirm-unsafe', 'allow methods that may change data (not GET, HEAD or OPTIONS)')
    .option('--wait', 'wait for the test and print its result; Ctrl-C stops the test')
    .addHelpText(
      'after',
      `
A server on the same database ("serve") or "jobs run" runs the test; with --wait, this process runs
it if no other does. A host consents if --test-host names it, both here and where the test runs
(serve --test-host), or if it serves the account's token: see "benchmark consent".

Exit codes:
  0    queued; with --wait: done
  1    not started; with --wait: not completed
  2    invalid usage or values
  130  stopped

Examples:
  api-discovery benchmark start aB3dE5f --value city=Tallinn --account ci
  api-discovery benchmark start aB3dE5f --requests 200 --rate 20 --test-host api.example.com --wait`,
    )
    .action(async (endpointId: string, _, command: Command) => {
      await startTest(io, endpointId, command.optsWithGlobals<StartOptions>())
    })
}

async function startTest(io: CommandIo, endpointId: string, options: StartOptions): Promise<void> {
  const input = {
    ...(await readTestCallInput(io, { endpointId, options })),
    requests: options.requests,
    rate: options.rate,
    payload_bytes: options.payloadKb === undefined ? undefined : options.payloadKb * 1024,
    use_credentials: options.useCredentials ?? false,
    confirm_unsafe: options.confirmUnsafe ?? false,
  }
  await withRateLimitTests(io, options, async ({ app, caller }) => {
    const started = await app
      .call('startRateLimitTest', input, caller)
      .catch((error) =>
        rethrowWithOptions(
          error,
          findTestConsent(io, { hosts: options.testHost, contact: undefined }).hosts,
        ),
      )
    const run = started.info
    if (!options.wait) {
      if (options.json) return io.result(JSON.stringify(started))
      io.result(toPrintable(started.result))
      for (const line of adviseAfterStart(endpointId, options)) io.note(line)
      return
    }
    if (!options.json) {
      const which = { endpoint_id: endpointId, run, extended: true }
      io.note(toPrintable(describePendingRun(await app.call('getRateLimitResult', which, caller))))
    }
    const answer = await waitForRun(io, { app, caller, endpointId, run })
    if (options.json) io.result(JSON.stringify(answer))
    else printTestResult(io, answer, { hasTimeline: false })
    if (answer.extended?.state !== 'done') io.setFailed()
  })
}

/**
 * Returns the next steps after a start: how to run a worker if no server does it, and how to read
 * the result.
 */
function adviseAfterStart(endpointId: string, options: StartOptions): readonly string[] {
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
