import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { ServiceError } from '../../../core/index.ts'
import { printResult } from '../benchmark-text.ts'
import { waitForRun } from '../benchmark-wait.ts'
import { addEgressOptions, type EgressOptions } from '../egress.ts'
import { CommandError, UsageError } from '../errors.ts'
import { readValues } from '../gateway-values.ts'
import { type CommandIo, type Io, toPrintable, toTable } from '../io.ts'
import { toInteger } from '../numbers.ts'
import { toReason } from '../reasons.ts'
import { collect } from '../scan-options.ts'
import {
  type AccountOptions,
  addAccountOption,
  type ServiceOfAccount,
  withAccount,
} from '../service.ts'
import { addTestOptions, findTestConsent } from '../test-options.ts'

interface CallOptions extends AccountOptions, EgressOptions {
  readonly value?: readonly string[]
  readonly server?: string
  readonly allowHost?: readonly string[]
  readonly contact?: string
}

interface StartOptions extends CallOptions {
  readonly requests?: number
  readonly rate?: number
  readonly payloadKb?: number
  readonly useCredentials?: boolean
  readonly confirmUnsafe?: boolean
  readonly wait?: boolean
}

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
    .description('Test whether catalogued APIs resist too many calls: with consent, in a budget.')
    .addHelpText(
      'after',
      '\nExample:\n  api-discovery benchmark start aB3dE5f --allow-host api.example.com --contact ops@example.com --wait',
    )
  addStartCommand(benchmark, io)
  addResultCommand(benchmark, io)
  addListCommand(benchmark, io)
  addStopCommand(benchmark, io)
  addConsentCommand(benchmark, io)
}

function addCallOptions(command: Command): Command {
  addTestOptions(addAccountOption(addEgressOptions(command)), {
    host: 'allow-host',
    contact: 'contact',
  })
  return command
    .argument('<endpoint-id>', 'id of the endpoint, as "search" shows it')
    .option('--value <name=text>', 'a value of the call, or name:=json; repeatable', collect)
    .option('--server <server>', 'which server: its name, URL template, or number from 1')
}

function addStartCommand(benchmark: Command, io: CommandIo): void {
  addCallOptions(benchmark.command('start'))
    .description('Queue a rate-limit test of an endpoint, whose host must be open to it.')
    .option('--requests <n>', 'requests at the most, all stages together (60)', toInteger(1, 1000))
    .option('--rate <n>', 'requests per second at the most (5)', toInteger(1, 50))
    .option('--payload-kb <n>', 'largest body, KiB (64)', toInteger(0, 1024))
    .option('--use-credentials', 'send the credentials that the account has stored')
    .option('--confirm-unsafe', 'for methods other than GET, HEAD and OPTIONS: it may change data')
    .option('--wait', 'wait for the end and print the result; Ctrl-C stops the test')
    .addHelpText(
      'after',
      `
A test is done by a server over the same database ("serve"), else by "jobs run" or, with --wait,
by this process. A host is open to it that --allow-host names, here and where the test is done
(serve --test-host), or that answers the account's token: see "benchmark consent".

Exit codes: 0 queued, or ended with --wait; 1 refused or without an end; 2 wrong values; 130 stopped.

Examples:
  api-discovery benchmark start aB3dE5f --value city=Tallinn --account ci
  api-discovery benchmark start aB3dE5f --requests 200 --rate 20 --allow-host api.example.com --wait`,
    )
    .action(async (endpointId: string, _, command: Command) => {
      await startTest(io, endpointId, command.optsWithGlobals<StartOptions>())
    })
}

async function startTest(io: CommandIo, endpointId: string, options: StartOptions): Promise<void> {
  const input = {
    ...(await toCallInput(io, endpointId, options)),
    requests: options.requests,
    rate: options.rate,
    payload_bytes: options.payloadKb === undefined ? undefined : options.payloadKb * 1024,
    use_credentials: options.useCredentials ?? false,
    confirm_unsafe: options.confirmUnsafe ?? false,
  }
  await withTests(io, options, async ({ app, caller }) => {
    const started = await app.call('startRateLimitTest', input, caller).catch(adviseStarter)
    const run = started.info
    if (!options.wait) {
      if (options.json) return io.result(JSON.stringify(started))
      io.result(toPrintable(started.result))
      return io.note(`See it with: api-discovery benchmark result ${toPrintable(endpointId)}`)
    }
    if (!options.json) io.note(toPrintable(started.result))
    const answer = await waitForRun(io, { app, caller, endpointId, run })
    if (options.json) io.result(JSON.stringify(answer))
    else printResult(io, answer, { hasTimeline: false })
    if (answer.extended?.state !== 'done') io.setFailed()
  })
}

function addResultCommand(benchmark: Command, io: Io): void {
  addAccountOption(benchmark.command('result'))
    .argument('<endpoint-id>', 'id of the endpoint')
    .description("Print the result of an endpoint's test.")
    .option('--run <n>', 'which run; the newest when absent', toInteger(1, MAX_RUN))
    .option('--timeline', 'print what happened in each tenth of a second too')
    .option('--svg <file>', 'write a plot of the requests')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery benchmark result aB3dE5f --timeline\n  api-discovery benchmark result aB3dE5f --run 12 --svg plot.svg',
    )
    .action(async (endpointId: string, _, command: Command) => {
      const options = command.optsWithGlobals<ResultOptions>()
      const which = { endpoint_id: endpointId, run: options.run }
      await withAccount(io, options, async ({ app, caller }) => {
        const { svg } = options
        if (svg !== undefined) {
          await writePlot(svg, await app.call('getRateLimitPlot', which, caller))
        }
        const input = { ...which, extended: true, with_requests: options.json ?? false }
        const answer = await app.call('getRateLimitResult', input, caller)
        if (options.json) io.result(JSON.stringify(answer))
        else printResult(io, answer, { hasTimeline: options.timeline ?? false })
        if (svg !== undefined) io.note(`Wrote ${toPrintable(svg)}`)
      })
    })
}

function addListCommand(benchmark: Command, io: Io): void {
  addAccountOption(benchmark.command('list'))
    .description("List an account's tests, newest first.")
    .option('--size <n>', 'tests at the most', toInteger(1, 100), 20)
    .addHelpText('after', '\nExample:\n  api-discovery benchmark list --account ci')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<AccountOptions & { readonly size: number }>()
      await withAccount(io, options, async ({ app, caller }) => {
        const found = await app.call('listRateLimitTests', { size: options.size }, caller)
        if (options.json) return io.result(JSON.stringify(found))
        if (found.runs.length === 0) return io.note('There are no tests.')
        io.result(
          toTable(
            ['RUN', 'ENDPOINT', 'HOST', 'STATE', 'VERDICT', 'SENT', 'QUEUED'],
            found.runs.map((run) => [
              run.run,
              run.endpoint_id,
              run.host,
              run.state,
              run.verdict ?? '-',
              `${run.sent}/${run.budget.requests}`,
              run.created_at,
            ]),
          ),
        )
      })
    })
}

function addStopCommand(benchmark: Command, io: Io): void {
  addAccountOption(benchmark.command('stop'))
    .argument('[run]', 'number of the run', toInteger(1, MAX_RUN))
    .option('--all', 'every test of every account')
    .description('Stop a test: within a second nothing more is sent.')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery benchmark stop 12\n  api-discovery benchmark stop --all',
    )
    .action(async (run: number | undefined, _, command: Command) => {
      const options = command.optsWithGlobals<AccountOptions & { readonly all?: boolean }>()
      const { all = false } = options
      if ((run === undefined) !== all) {
        throw new UsageError('Cannot stop: give the number of a run, or --all')
      }
      await withAccount(io, options, async ({ app, caller }) => {
        if (run === undefined) {
          const stopped = await app.rateLimits.stopAll()
          return io.result(options.json ? JSON.stringify({ stopped }) : `Stopped ${stopped}`)
        }
        const answer = await app.call('stopRateLimitTest', { run }, caller)
        io.result(options.json ? JSON.stringify(answer) : `Run ${run}: ${tellState(answer)}`)
      })
    })
}

function tellState(run: { readonly state: string; readonly is_stopped: boolean }): string {
  return run.state === 'running' && run.is_stopped ? 'running, stops now' : run.state
}

function addConsentCommand(benchmark: Command, io: CommandIo): void {
  addCallOptions(benchmark.command('consent'))
    .description("Tell whether an endpoint's host is open to tests, and what is missing.")
    .addHelpText(
      'after',
      '\nExit codes: 0 open, 1 not.\n\nExample:\n  api-discovery benchmark consent aB3dE5f --account ci',
    )
    .action(async (endpointId: string, _, command: Command) => {
      const options = command.optsWithGlobals<CallOptions>()
      const input = await toCallInput(io, endpointId, options)
      await withTests(io, options, async ({ app, caller }) => {
        const consent = await app.call('getRateLimitConsent', input, caller)
        if (!consent.is_given) io.setFailed()
        if (options.json) return io.result(JSON.stringify(consent))
        const by =
          consent.by === 'operator' ? 'the operator names it' : "it answers the account's token"
        io.result(
          toPrintable(
            consent.is_given
              ? `${consent.host} is open to tests: ${by}.`
              : `${consent.host} is not open to tests: ${consent.missing}.`,
          ),
        )
        io.result(`Token address  ${toPrintable(consent.token_url)}`)
        io.result(`Token          ${toPrintable(consent.token)}`)
      })
    })
}

/** Opens the service with the hosts that are open to tests. */
function withTests<T>(
  io: Io,
  options: CallOptions,
  use: (service: ServiceOfAccount) => Promise<T>,
): Promise<T> {
  const consent = { hosts: options.allowHost, contact: options.contact }
  return withAccount(
    io,
    { ...options, service: { rateLimitTests: findTestConsent(io, consent) } },
    use,
  )
}

async function toCallInput(io: Io, endpointId: string, options: CallOptions) {
  const values = await readValues(options.value ?? [], io)
  const lists = Object.values(values).flat()
  if (lists.some((value) => Object(value).bytes instanceof Uint8Array)) {
    throw new UsageError('Cannot use a file as a value: tests send texts and JSON')
  }
  return { endpoint_id: endpointId, values, server: options.server }
}

/** What can be done on the command line about a refusal. */
function adviseStarter(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== 'consent_missing') throw error
  const { host, token_url: url, token } = error.extra
  const advice = `Either --allow-host ${host} names it, here and where the test is done (serve --test-host ${host}),\nor ${url} answers this line:\n${token}`
  throw new CommandError(`${error.message}\n${advice}`)
}

async function writePlot(file: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(file, bytes)
  } catch (error) {
    throw new CommandError(`Cannot write ${toPrintable(file)}: ${toReason(error)}`)
  }
}
