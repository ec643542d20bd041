import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiDiscovery, Caller } from '../../../core/index.ts'
import {
  allowTestHosts,
  readTestCallInput,
  TEST_CALL_OPTIONS,
  type TestCallOptions,
} from '../benchmark-call.ts'
import { rethrowWithOptions } from '../benchmark-errors.ts'
import { describePendingRun, printTestResult, type TestResult } from '../benchmark-text.ts'
import { defineServiceCommand } from '../define-command.ts'
import { StoppedError } from '../errors.ts'
import { type Io, quoteForShell, toPrintable } from '../io.ts'
import { integerParser } from '../numbers.ts'
import { PROGRESS_INTERVAL_MS } from '../progress.ts'
import { findTestConsent } from '../test-options.ts'
import { withStop } from '../with-stop.ts'

/** A run to wait for. */
interface AwaitedRun {
  readonly app: ApiDiscovery
  readonly caller: Caller
  readonly endpointId: string
  readonly run: number
}

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

/**
 * Waits for the end of a run and reports progress. Normally a server on the same database runs it.
 * If none claims it within two seconds, or its process dies, this process runs it, but no other
 * job. Ctrl-C stops the run and rejects with a `StoppedError` once it has ended.
 */
async function waitForRun(io: Io, awaited: AwaitedRun): Promise<TestResult> {
  const { app, caller, endpointId, run } = awaited
  const message = `Run ${run} was stopped.`
  return withStop({ io, message }, async (signal) => {
    const working = new AbortController()
    let work: Promise<void> | undefined
    const onStop = () => void app.rateLimits.stop(caller.account, run).catch(() => undefined)
    signal.addEventListener('abort', onStop)
    const progress = createRunProgress(io)
    const startedAt = Date.now()
    const { jobId } = await app.rateLimits.result(caller.account, { endpointId, run })
    try {
      for (;;) {
        const answer = await fetchRunResult(awaited)
        const state = answer.extended?.state
        if (state !== 'queued' && state !== 'running') {
          if (signal.aborted) throw new StoppedError(message)
          return answer
        }
        progress.tell(answer.result)
        // The job of a dead process is still `running` and can be claimed when its lease expires.
        if (Date.now() - startedAt >= CLAIM_TIMEOUT_MS) {
          work ??= app.runJobs({ only: jobId, until: 'aborted', signal: working.signal })
        }
        await sleep(POLL_INTERVAL_MS)
      }
    } finally {
      progress.end()
      signal.removeEventListener('abort', onStop)
      working.abort()
      await work
    }
  })
}

const POLL_INTERVAL_MS = 200
const CLAIM_TIMEOUT_MS = 2_000

function fetchRunResult({ app, caller, endpointId, run }: AwaitedRun): Promise<TestResult> {
  const input = { endpoint_id: endpointId, run, extended: true }
  return app.call('getRateLimitResult', input, caller)
}

/** Reports progress on a redrawn line of a terminal, or as a line every ten seconds. */
function createRunProgress(io: Io) {
  let reportedAt = Date.now()
  return {
    tell(text: string) {
      const now = Date.now()
      if (now - reportedAt < PROGRESS_INTERVAL_MS[io.isInteractive ? 'redraw' : 'line']) return
      reportedAt = now
      if (io.isInteractive) io.status(toPrintable(text))
      else io.note(toPrintable(text))
    },
    end: () => io.status(undefined),
  }
}
