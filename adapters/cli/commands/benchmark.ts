import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { ServiceError } from '../../../core/index.ts'
import {
  addTestCallOptions,
  readTestCallInput,
  type TestCallOptions,
  withRateLimitTests,
} from '../benchmark-call.ts'
import { rethrowWithOptions } from '../benchmark-errors.ts'
import { printTestResult } from '../benchmark-text.ts'
import { CommandError, UsageError } from '../errors.ts'
import { checkOutputs } from '../files.ts'
import { printFittedTable } from '../fitted-table.ts'
import { type CommandIo, type Io, toPrintable } from '../io.ts'
import { integerParser } from '../numbers.ts'
import { type AccountOptions, addAccountOption, withAccount } from '../service.ts'
import { describeSystemError } from '../system-errors.ts'
import { addStartTestCommand } from './benchmark-start.ts'

interface ResultOptions extends AccountOptions {
  readonly run?: number
  readonly svg?: string
  readonly timeline?: boolean
}

const MAX_RUN = 999_999_999_999

/** Adds `benchmark start|result|list|stop|consent`: rate-limit tests. */
export function addBenchmarkCommands(program: Command, io: CommandIo): void {
  const benchmark = program
    .command('benchmark')
    .description('Run rate-limit tests of catalogued endpoints, with consent and a request budget')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery benchmark start aB3dE5f --test-host api.example.com --test-contact ops@example.com --wait\n  api-discovery benchmark result aB3dE5f',
    )
  addStartTestCommand(benchmark, io)
  addTestResultCommand(benchmark, io)
  addListTestsCommand(benchmark, io)
  addStopTestCommand(benchmark, io)
  addConsentCommand(benchmark, io)
}

function addTestResultCommand(benchmark: Command, io: Io): void {
  addAccountOption(benchmark.command('result'))
    .argument('<endpoint-id>', 'endpoint ID')
    .description("Print the result of an endpoint's rate-limit test")
    .option('--run <n>', 'number of the run (default: newest)', integerParser(1, MAX_RUN))
    .option('--timeline', 'also print a timeline in steps of 0.1 seconds')
    .option('--svg <file>', 'write a plot of the requests as SVG')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery benchmark result aB3dE5f --timeline\n  api-discovery benchmark result aB3dE5f --run 12 --svg plot.svg',
    )
    .action(async (endpointId: string, _, command: Command) => {
      const options = command.optsWithGlobals<ResultOptions>()
      const which = { endpoint_id: endpointId, run: options.run }
      await withAccount(io, options, async ({ app, caller }) => {
        const { svg } = options
        await checkOutputs([svg])
        const input = { ...which, extended: true, with_requests: options.json ?? false }
        const answer = await app
          .call('getRateLimitResult', input, caller)
          .catch((error: unknown) => rethrowWithAccountHint(error, options))
        if (svg !== undefined) {
          await writePlotFile(svg, await app.call('getRateLimitPlot', which, caller))
        }
        if (options.json) io.result(JSON.stringify(answer))
        else printTestResult(io, answer, { hasTimeline: options.timeline ?? false })
        if (svg !== undefined) io.note(`Wrote ${toPrintable(svg)}`)
      })
    })
}

function addListTestsCommand(benchmark: Command, io: Io): void {
  addAccountOption(benchmark.command('list'))
    .description("List an account's rate-limit tests, newest first")
    .option('--size <n>', 'maximum number of tests, 1 to 100', integerParser(1, 100), 20)
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery benchmark list --account ci\n  api-discovery benchmark list --size 100 --json',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<AccountOptions & { readonly size: number }>()
      await withAccount(io, options, async ({ app, caller }) => {
        const found = await app.call('listRateLimitTests', { size: options.size }, caller)
        if (options.json) return io.result(JSON.stringify(found))
        const { runs, num_results: total } = found
        if (runs.length === 0) return io.note(`No rate-limit tests${describeOwner(options)}.`)
        printFittedTable(io, {
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
        })
        if (total > runs.length) io.note(`${total - runs.length} older tests not shown: use --size`)
      })
    })
}

function addStopTestCommand(benchmark: Command, io: Io): void {
  addAccountOption(benchmark.command('stop'))
    .argument('[run]', 'run number', integerParser(1, MAX_RUN))
    .option('--all', 'stop every test of every account')
    .description('Stop a rate-limit test; requests end within a second')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery benchmark stop 12\n  api-discovery benchmark stop --all',
    )
    .action(async (run: number | undefined, _, command: Command) => {
      const options = command.optsWithGlobals<AccountOptions & { readonly all?: boolean }>()
      const { all = false } = options
      if ((run === undefined) !== all) {
        throw new UsageError('Cannot stop a test: pass a run number or --all')
      }
      await withAccount(io, options, async ({ app, caller }) => {
        if (run === undefined) {
          const stopped = await app.rateLimits.stopAll()
          return io.result(options.json ? JSON.stringify({ stopped }) : `Stopped ${stopped}`)
        }
        const answer = await app.call('stopRateLimitTest', { run }, caller)
        io.result(options.json ? JSON.stringify(answer) : `Run ${run}: ${describeRunState(answer)}`)
      })
    })
}

function describeRunState(run: { readonly state: string; readonly is_stopped: boolean }): string {
  return run.state === 'running' && run.is_stopped ? 'running, stopping' : run.state
}

function addConsentCommand(benchmark: Command, io: CommandIo): void {
  addTestCallOptions(benchmark.command('consent'))
    .description("Check whether an endpoint's host has consented to rate-limit tests")
    .addHelpText(
      'after',
      `
Exit codes:
  0  the host has consented
  1  the host has not consented

Examples:
  api-discovery benchmark consent aB3dE5f --account ci
  api-discovery benchmark consent aB3dE5f --test-host api.example.com --json`,
    )
    .action(async (endpointId: string, _, command: Command) => {
      const options = command.optsWithGlobals<TestCallOptions>()
      const input = await readTestCallInput(io, { endpointId, options })
      await withRateLimitTests(io, options, async ({ app, caller }) => {
        const consent = await app
          .call('getRateLimitConsent', input, caller)
          .catch(rethrowWithOptions)
        if (!consent.is_given) io.setFailed()
        if (options.json) return io.result(JSON.stringify(consent))
        const by =
          consent.by === 'operator' ? 'the operator allows it' : "it serves the account's token"
        io.result(
          toPrintable(
            consent.is_given
              ? `${consent.host} has consented to tests: ${by}.`
              : `${consent.host} has not consented to tests: ${consent.missing}.`,
          ),
        )
        io.result(`Token URL  ${toPrintable(consent.token_url)}`)
        io.result(`Token      ${toPrintable(consent.token)}`)
      })
    })
}

/**
 * Suggests `--account` if a test is not found: without it, only the operator's tests are visible.
 */
function rethrowWithAccountHint(error: unknown, options: AccountOptions): never {
  if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
  const hint =
    options.account === undefined
      ? ". Only the operator's tests were searched: use --account to select an account"
      : ''
  throw new CommandError(`${error.message}${hint}`)
}

function describeOwner({ account }: AccountOptions): string {
  return account === undefined ? ' of the operator; use --account to select an account' : ''
}

async function writePlotFile(file: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(file, bytes)
  } catch (error) {
    throw new CommandError(`Cannot write ${toPrintable(file)}: ${describeSystemError(error)}`)
  }
}
