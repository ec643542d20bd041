import type { Command } from 'commander'
import { ServiceError } from '../../../core/index.ts'
import { addEgressOptions, type EgressOptions } from '../egress.ts'
import { CommandError, UsageError } from '../errors.ts'
import { printAnswer, toAnswerJson } from '../gateway-answer.ts'
import { printDryRun } from '../gateway-dry-run.ts'
import { readValues } from '../gateway-values.ts'
import type { CommandIo } from '../io.ts'
import { type AccountOptions, addAccountOption, withAccount } from '../service.ts'
import { addCredentialCommands } from './gateway-credentials.ts'
import { addPolicyCommands } from './gateway-policies.ts'
import { addHistoryCommand, addRecordingCommands } from './gateway-recordings.ts'

interface CallOptions extends AccountOptions, EgressOptions {
  readonly dryRun?: boolean
  readonly record?: boolean
  readonly followRedirects?: boolean
  readonly server?: string
  readonly include?: boolean
}

/** Adds `gateway`, which calls an endpoint, and what belongs to it. */
export function addGatewayCommands(program: Command, io: CommandIo): void {
  const gateway = addAccountOption(addEgressOptions(program.command('gateway')))
    .argument('[endpoint-id]', 'id of the endpoint, as "search" shows it')
    .argument('[values...]', 'name=text, name:=json, name=@file, name=@- (standard input)')
    .description('Call a catalogued endpoint; its answer is printed as it comes.')
    .option('--dry-run', 'print the request that would be sent, secrets masked; send nothing')
    .option('--record', 'keep the answer, redacted, for the account, which must be given')
    .option('--follow-redirects', 'follow at most three redirects')
    .option('--server <server>', 'which server: its name, URL template, or number from 1')
    .option('--include', 'print status and headers too')
    .addHelpText(
      'after',
      `
Values: a name that is given twice makes a list; one that occurs in two places is written
with its place, as in query.id=7.

Exit codes: 0 answered, 1 no answer, 2 wrong values, 4 or 5 answered with a status 4xx or 5xx.

Examples:
  api-discovery gateway aB3dE5f city=Tallinn days:=3 --dry-run
  api-discovery gateway aB3dE5f city=Tallinn --account ci > forecast.json
  api-discovery gateway Xy7Zw9Q photo=@cat.png 'tags:=["cat","grey"]' --account ci`,
    )
    .action(
      async (endpointId: string | undefined, words: readonly string[], _, command: Command) => {
        if (endpointId === undefined) {
          throw new UsageError('Cannot call an endpoint: its id is missing; see "gateway --help"')
        }
        await callEndpoint(io, {
          endpointId,
          values: await readValues(words, io),
          options: command.optsWithGlobals<CallOptions>(),
        })
      },
    )
  addCredentialCommands(gateway, io)
  addPolicyCommands(gateway, io)
  addHistoryCommand(gateway, io)
  addRecordingCommands(gateway, io)
}

async function callEndpoint(
  io: CommandIo,
  call: {
    readonly endpointId: string
    readonly values: Readonly<Record<string, unknown>>
    readonly options: CallOptions
  },
): Promise<void> {
  const { options } = call
  if (options.record && options.account === undefined) {
    throw new UsageError(
      'Cannot record the answer: --record needs --account, whose recording it is',
    )
  }
  await withAccount(io, options, async ({ app, caller }) => {
    const request = {
      endpointId: call.endpointId,
      values: call.values,
      server: options.server,
      followRedirects: options.followRedirects ?? false,
      isDryRun: options.dryRun ?? false,
      isRecorded: options.record ?? false,
    }
    const answer = await app.gateway.call(request, caller).catch(adviseCaller)
    if (options.dryRun) return printDryRun(io, answer.body, { isJson: options.json ?? false })
    if (options.json) io.result(await toAnswerJson(answer))
    else await printAnswer(io, answer, { isHeadShown: options.include ?? false })
    if (answer.status >= 400) io.setFailed(Math.floor(answer.status / 100))
  })
}

/** What can be done on the command line about a refusal. */
function adviseCaller(error: unknown): never {
  if (!(error instanceof ServiceError)) throw error
  const advice = Object.hasOwn(ADVICE, error.code) ? ADVICE[error.code] : undefined
  throw advice === undefined ? error : new CommandError(`${error.message}; ${advice}`)
}

const ADVICE: Readonly<Record<string, string>> = {
  address_refused: 'allow it with --egress-allow',
  origin_changed: 'see "gateway credentials set --help"',
}
