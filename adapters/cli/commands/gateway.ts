import type { Command } from 'commander'
import { ServiceError } from '../../../core/index.ts'
import { addEgressOptions, type EgressOptions } from '../egress-options.ts'
import { CommandError, UsageError } from '../errors.ts'
import { printDryRun } from '../gateway-dry-run.ts'
import { readCallValues } from '../gateway-values.ts'
import type { CommandIo } from '../io.ts'
import { printResponse, toResponseJson } from '../print-response.ts'
import { type AccountOptions, addAccountOption, withAccount } from '../service.ts'
import { addCredentialCommands } from './gateway-credentials.ts'
import { addPolicyCommands } from './gateway-policies.ts'
import { addCallHistoryCommand, addRecordingCommands } from './gateway-recordings.ts'

interface CallOptions extends AccountOptions, EgressOptions {
  readonly dryRun?: boolean
  readonly record?: boolean
  readonly followRedirects?: boolean
  readonly server?: string
  readonly include?: boolean
}

/** Adds `gateway` and its subcommands. */
export function addGatewayCommands(program: Command, io: CommandIo): void {
  const gateway = addAccountOption(addEgressOptions(program.command('gateway')))
    .argument('[endpoint-id]', 'endpoint ID, as shown by "search"')
    .argument('[values...]', 'name=text, name:=json, name=@file, name=@- (standard input)')
    .description('Call a catalogued endpoint and print the response as it arrives')
    .option('--dry-run', 'print the request with masked secrets instead of sending it')
    .option('--record', 'store the redacted response in the account; needs --account')
    .option('--follow-redirects', 'follow up to three redirects')
    .option('--server <server>', 'server name, URL template or number, starting at 1')
    .option('--include', 'also print the response status and headers')
    .addHelpText(
      'after',
      `
Repeat a name to pass a list. If a name occurs in several locations, prefix the location: query.id=7.

Exit codes:
  0  response received
  1  no response
  2  invalid usage or values
  4  response with a 4xx status
  5  response with a 5xx status

Examples:
  api-discovery gateway aB3dE5f city=Tallinn days:=3 --dry-run
  api-discovery gateway aB3dE5f city=Tallinn --account ci > forecast.json
  api-discovery gateway Xy7Zw9Q photo=@cat.png 'tags:=["cat","grey"]' --account ci`,
    )
    .action(
      async (endpointId: string | undefined, words: readonly string[], _, command: Command) => {
        if (endpointId === undefined) {
          throw new UsageError('Cannot call an endpoint: pass an endpoint ID; see "gateway --help"')
        }
        await callEndpoint(io, {
          endpointId,
          values: await readCallValues(words, io),
          options: command.optsWithGlobals<CallOptions>(),
        })
      },
    )
  addCredentialCommands(gateway, io)
  addPolicyCommands(gateway, io)
  addCallHistoryCommand(gateway, io)
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
    throw new UsageError('Cannot record the response: --record needs --account')
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
    const answer = await app.gateway.call(request, caller).catch(rethrowWithAdvice)
    if (options.dryRun) return printDryRun(io, answer.body, { isJson: options.json ?? false })
    if (options.json) io.result(await toResponseJson(answer))
    else await printResponse(io, answer, { isHeadShown: options.include ?? false })
    if (answer.status >= 400) io.setFailed(Math.floor(answer.status / 100))
  })
}

/** Adds the command-line option that resolves a refusal to its message. */
function rethrowWithAdvice(error: unknown): never {
  if (!(error instanceof ServiceError)) throw error
  const advice = Object.hasOwn(ADVICE, error.code) ? ADVICE[error.code] : undefined
  throw advice === undefined ? error : new CommandError(`${error.message}; ${advice}`)
}

const ADVICE: Readonly<Record<string, string>> = {
  address_refused: 'use --egress-allow to allow it',
  origin_changed: 'see "gateway credentials set --help"',
}
