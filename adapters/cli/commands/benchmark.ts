import { writeFile } from 'node:fs/promises'
import { type Account, ServiceError } from '../../../core/index.ts'
import { allowTestHosts, readTestCallInput, TEST_CALL_OPTIONS } from '../benchmark-call.ts'
import { rethrowWithOptions } from '../benchmark-errors.ts'
import { printTestResult } from '../benchmark-text.ts'
import { defineCommand, defineServiceCommand } from '../define-command.ts'
import { CommandError, UsageError } from '../errors.ts'
import { checkOutputs } from '../files.ts'
import { toPrintable } from '../io.ts'
import { integerParser } from '../numbers.ts'
import { describeSystemError } from '../system-errors.ts'
import { startTestCommand } from './benchmark-start.ts'

const parseRun = integerParser(1, 999_999_999_999)

/** `benchmark start|result|list|stop|consent`: rate-limit tests. */
export const benchmarkCommands = defineCommand({
  name: 'benchmark',
  description: 'Run rate-limit tests of catalogued endpoints, with consent and a request budget',
  examples: [
    'benchmark start aB3dE5f --test-host api.example.com --test-contact ops@example.com --wait',
    'benchmark result aB3dE5f',
  ],
  commands: [
    startTestCommand,
    defineServiceCommand({
      name: 'result',
      description: "Print the result of an endpoint's rate-limit test",
      arguments: [['<endpoint-id>', 'endpoint ID']],
      account: 'operator',
      options: [
        ['--run <n>', 'number of the run (default: newest)', { parse: parseRun }],
        ['--timeline', 'also print a timeline in steps of 0.1 seconds'],
        ['--svg <file>', 'write a plot of the requests as SVG'],
      ],
      examples: [
        'benchmark result aB3dE5f --timeline',
        'benchmark result aB3dE5f --run 12 --svg plot.svg',
      ],
      async run({ io, app, account, caller, words: [endpointId], options }) {
        const { svg } = options
        const which = { endpoint_id: endpointId, run: options.run }
        await checkOutputs([svg])
        const input = { ...which, extended: true, with_requests: options.json ?? false }
        const answer = await app
          .call('getRateLimitResult', input, caller)
          .catch((error: unknown) => rethrowWithAccountHint(error, account))
        if (svg !== undefined) {
          await writePlotFile(svg, await app.call('getRateLimitPlot', which, caller))
        }
        if (options.json) io.result(JSON.stringify(answer))
        else printTestResult(io, answer, { hasTimeline: options.timeline ?? false })
        if (svg !== undefined) io.note(`Wrote ${toPrintable(svg)}`)
      },
    }),
    defineServiceCommand({
      name: 'list',
      description: "List an account's rate-limit tests, newest first",
      account: 'operator',
      options: [
        [
          '--size <n>',
          'maximum number of tests, 1 to 100',
          { parse: integerParser(1, 100), default: 20 },
        ],
      ],
      examples: ['benchmark list --account ci', 'benchmark list --size 100 --json'],
      async run({ app, account, caller, options: { size } }) {
        const found = await app.call('listRateLimitTests', { size }, caller)
        const { runs, num_results: total } = found
        return {
          json: found,
          table: {
            headings: ['RUN', 'ENDPOINT', 'HOST', 'STATE', 'VERDICT', 'SENT', 'QUEUED'],
            rows: runs.map((run) => [
              String(run.run),
              run.endpoint_id,
              run.host,
              describeRunState(run),
              run.verdict ?? '-',
              `${run.sent}/${run.budget.requests}`,
              run.created_at,
            ]),
            dropped: [6, 5],
            empty: `No rate-limit tests${describeOwner(account)}.`,
          },
          note:
            total > runs.length && runs.length > 0
              ? `${total - runs.length} older tests not shown: use --size`
              : undefined,
        }
      },
    }),
    defineServiceCommand({
      name: 'stop',
      description: 'Stop a rate-limit test; requests end within a second',
      arguments: [['[run]', 'run number', { parse: parseRun }]],
      account: 'operator',
      options: [['--all', 'stop every test of every account']],
      examples: ['benchmark stop 12', 'benchmark stop --all'],
      prepare({ words: [run], options: { all = false } }) {
        if ((run === undefined) !== all) {
          throw new UsageError('Cannot stop a test: pass a run number or --all')
        }
      },
      async run({ app, caller, words: [run] }) {
        if (run === undefined) {
          const stopped = await app.rateLimits.stopAll()
          return { json: { stopped }, text: `Stopped ${stopped}` }
        }
        const answer = await app.call('stopRateLimitTest', { run }, caller)
        return { json: answer, text: `Run ${run}: ${describeRunState(answer)}` }
      },
    }),
    defineServiceCommand({
      name: 'consent',
      description: "Check whether an endpoint's host has consented to rate-limit tests",
      arguments: [['<endpoint-id>', 'endpoint ID, as shown by "search"']],
      account: 'operator',
      options: TEST_CALL_OPTIONS,
      details: `
Exit codes:
  0  the host has consented
  1  the host has not consented`,
      examples: [
        'benchmark consent aB3dE5f --account ci',
        'benchmark consent aB3dE5f --test-host api.example.com --json',
      ],
      serviceOptions: allowTestHosts,
      prepare: ({ io, words: [endpointId], options }) =>
        readTestCallInput(io, { endpointId, options }),
      async run({ io, app, caller, prepared: input }) {
        const consent = await app
          .call('getRateLimitConsent', input, caller)
          .catch(rethrowWithOptions)
        if (!consent.is_given) io.setFailed()
        const by =
          consent.by === 'operator' ? 'the operator allows it' : "it serves the account's token"
        const verdict = consent.is_given
          ? `${consent.host} has consented to tests: ${by}.`
          : `${consent.host} has not consented to tests: ${consent.missing}.`
        const lines = [verdict, `Token URL  ${consent.token_url}`, `Token      ${consent.token}`]
        return { json: consent, text: lines.map(toPrintable).join('\n') }
      },
    }),
  ],
})

function describeRunState(run: { readonly state: string; readonly is_stopped: boolean }): string {
  return run.state === 'running' && run.is_stopped ? 'running, stopping' : run.state
}

/**
 * Suggests `--account` if a test is not found: without it, only the operator's tests are visible.
 */
function rethrowWithAccountHint(error: unknown, account: Account | undefined): never {
  if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
  const hint =
    account === undefined
      ? ". Only the operator's tests were searched: use --account to select an account"
      : ''
  throw new CommandError(`${error.message}${hint}`)
}

function describeOwner(account: Account | undefined): string {
  return account === undefined ? ' of the operator; use --account to select an account' : ''
}

async function writePlotFile(file: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(file, bytes)
  } catch (error) {
    throw new CommandError(`Cannot write ${toPrintable(file)}: ${describeSystemError(error)}`)
  }
}
