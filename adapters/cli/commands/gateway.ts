import type { Command } from 'commander'
import { type Caller, ServiceError } from '../../../core/index.ts'
import { EGRESS_ALLOW_OPTION, type EgressOptions } from '../egress.ts'
import { UsageError } from '../errors.ts'
import { printAnswer, toAnswerJson } from '../gateway-answer.ts'
import { readValues } from '../gateway-values.ts'
import { type CommandIo, toTable } from '../io.ts'
import { type GlobalOptions, OPERATOR, type OpenService, withService } from '../service.ts'
import { addCredentialCommands } from './gateway-credentials.ts'
import { addPolicyCommands } from './gateway-policies.ts'
import { addHistoryCommand, addRecordingCommands } from './gateway-recordings.ts'

interface CallOptions extends GlobalOptions, EgressOptions {
  readonly account?: string
  readonly dryRun?: boolean
  readonly record?: boolean
  readonly followRedirects?: boolean
  readonly server?: string
  readonly include?: boolean
}

/** Adds `gateway`, which calls an endpoint, and what belongs to it. */
export function addGatewayCommands(program: Command, io: CommandIo): void {
  const gateway = program
    .command('gateway')
    .argument('[endpoint-id]', 'id of the endpoint, as "search" shows it')
    .argument('[values...]', 'name=text, name:=json, name=@file')
    .description('Call a catalogued endpoint; its answer is printed as it comes.')
    .option('--account <name>', 'whose credentials go along, and whose history and recordings')
    .option('--dry-run', 'print the request that would be sent, secrets masked; send nothing')
    .option('--record', 'keep the answer, redacted, for the account')
    .option('--follow-redirects', 'follow at most three redirects')
    .option('--server <server>', 'which server: its name, URL template, or number from 1')
    .option('--include', 'print status and headers too')
    .option(...EGRESS_ALLOW_OPTION)
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
          values: await readValues(words),
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
  const { endpointId, values, options } = call
  await withService(io, { ...options, mustExist: true }, async (service) => {
    const input = {
      endpoint_id: endpointId,
      follow_redirects: options.followRedirects,
      dry_run: options.dryRun,
      record: options.record,
      server: options.server,
      body: values,
    }
    const caller = await findCaller(service, options)
    try {
      const answer = await service.app.call('callEndpoint', input, caller)
      if (options.json) io.result(await toAnswerJson(answer))
      else await printAnswer(io, answer, { isHeadShown: options.include ?? false })
      if (answer.status >= 400) io.setFailed(Math.floor(answer.status / 100))
    } catch (error) {
      tellParameters(io, error)
      throw error
    }
  })
}

async function findCaller({ app }: OpenService, { account }: CallOptions): Promise<Caller> {
  if (account === undefined) return OPERATOR
  return { account: await app.accounts.getAccount(account), scopes: OPERATOR.scopes }
}

/** What the endpoint takes, beside the message that tells what is wrong. */
function tellParameters(io: CommandIo, error: unknown): void {
  const parameters = error instanceof ServiceError ? error.extra.parameters : undefined
  if (!Array.isArray(parameters) || parameters.length === 0) return
  const [first] = parameters as readonly object[]
  const names = Object.keys(first ?? {})
  io.note(
    toTable(
      names.map((name) => name.toUpperCase()),
      (parameters as readonly Readonly<Record<string, unknown>>[]).map((parameter) =>
        names.map((name) => String(parameter[name] ?? '')),
      ),
    ),
  )
}
