import { ServiceError } from '../../../core/index.ts'
import { defineServiceCommand } from '../define-command.ts'
import { EGRESS_OPTIONS } from '../egress-options.ts'
import { CommandError, UsageError } from '../errors.ts'
import { printDryRun } from '../gateway-dry-run.ts'
import { readCallValues } from '../gateway-values.ts'
import { printResponse, toResponseJson } from '../print-response.ts'
import { credentialCommands } from './gateway-credentials.ts'
import { policyCommands } from './gateway-policies.ts'
import { historyCommand, recordingCommands } from './gateway-recordings.ts'

/** `gateway` and its subcommands. */
export const gatewayCommand = defineServiceCommand({
  name: 'gateway',
  description: 'Call a catalogued endpoint and print the response as it arrives',
  arguments: [
    ['[endpoint-id]', 'endpoint ID, as shown by "search"'],
    ['[values...]', 'name=text, name:=json, name=@file, name=@- (standard input)'],
  ],
  account: 'operator',
  options: [
    ...EGRESS_OPTIONS,
    ['--dry-run', 'print the request with masked secrets instead of sending it'],
    ['--record', 'store the redacted response in the account; needs --account'],
    ['--follow-redirects', 'follow up to three redirects'],
    ['--server <server>', 'server name, URL template or number, starting at 1'],
    ['--include', 'also print the response status and headers'],
  ],
  details: `
Repeat a name to pass a list. If a name occurs in several locations, prefix the location: query.id=7.

Exit codes:
  0  response received
  1  no response
  2  invalid usage or values
  4  response with a 4xx status
  5  response with a 5xx status`,
  examples: [
    'gateway aB3dE5f city=Tallinn days:=3 --dry-run',
    'gateway aB3dE5f city=Tallinn --account ci > forecast.json',
    `gateway Xy7Zw9Q photo=@cat.png 'tags:=["cat","grey"]' --account ci`,
  ],
  commands: [credentialCommands, policyCommands, historyCommand, recordingCommands],
  async prepare({ io, words: [endpointId, words], options }) {
    if (endpointId === undefined) {
      throw new UsageError('Cannot call an endpoint: pass an endpoint ID; see "gateway --help"')
    }
    const values = await readCallValues(words, io)
    if (!options.record || options.account !== undefined) return values
    throw new UsageError('Cannot record the response: --record needs --account')
  },
  async run({ io, app, caller, words: [endpointId = ''], options, prepared: values }) {
    const request = {
      endpointId,
      values,
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
  },
})

/** Adds the command that confirms the new address of an API. */
function rethrowWithAdvice(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== 'origin_changed') throw error
  throw new CommandError(`${error.message}; see "gateway credentials set --help"`)
}
