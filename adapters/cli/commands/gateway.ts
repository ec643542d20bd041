import { ServiceError } from '../../../core/index.ts'
import { defineServiceCommand } from '../define-command.ts'
import { EGRESS_OPTIONS } from '../egress-options.ts'
import { CommandError, UsageError } from '../errors.ts'
import { readCallValues } from '../gateway-values.ts'
import { type CommandIo, toPrintable } from '../io.ts'
import { credentialCommands } from './gateway-credentials.ts'
import { policyCommands } from './gateway-policies.ts'
import { historyCommand, recordingCommands } from './gateway-recordings.ts'

/** Response of a dry run: the request that would be sent, with masked secrets. */
interface DryRun {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | { readonly base64: string } | { readonly bytes: number } | null
  }
  readonly curl: string
  readonly would_be_refused?: string
}

/** A response to print. */
export interface PrintableResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | undefined
}

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

/**
 * Prints the request of a dry run: its head and body, then the `curl` command that sends it. With
 * `isJson`, prints the response of the gateway unchanged.
 */
function printDryRun(io: CommandIo, body: unknown, { isJson }: { readonly isJson: boolean }): void {
  // The body of a dry run is a string.
  const text = String(body)
  if (isJson) {
    io.result(text)
    return
  }
  const { request, curl, would_be_refused: refusal } = JSON.parse(text) as DryRun
  io.result(toPrintable(`${request.method} ${request.url}`))
  for (const [name, value] of Object.entries(request.headers)) {
    io.result(toPrintable(`${name}: ${value}`))
  }
  io.result('')
  if (request.body !== null) {
    const { body: sent } = request
    if (typeof sent === 'string') io.result(toTerminalText(io, sent))
    else io.result('bytes' in sent ? `(${sent.bytes} bytes)` : `(base64) ${sent.base64}`)
    io.result('')
  }
  io.result(toTerminalText(io, curl))
  io.note(refusal === undefined ? 'Nothing was sent.' : `The call would be rejected. ${refusal}`)
}

/** Escapes control characters if standard output is a terminal. */
function toTerminalText(io: CommandIo, text: string): string {
  return io.terminal ? text.split('\n').map(toPrintable).join('\n') : text
}

/** Media types with text bodies. */
const TEXT_TYPE = /^(text\/|application\/([\w.+-]*\+)?(json|xml|yaml)|application\/x-www-form)/i

/**
 * Prints a response: its body byte for byte to standard output as it arrives, its status to
 * standard error. On a terminal, text is stripped of control sequences, and other bodies are only
 * counted.
 */
export async function printResponse(
  io: CommandIo,
  response: PrintableResponse,
  options: { readonly isHeadShown: boolean },
): Promise<void> {
  const { status, headers, body } = response
  const mediaType = headers['content-type'] ?? ''
  if (options.isHeadShown) {
    io.result(`HTTP/1.1 ${status}`)
    for (const [name, value] of Object.entries(headers)) io.result(toPrintable(`${name}: ${value}`))
    io.result('')
  }
  const isText = TEXT_TYPE.test(mediaType) && headers['content-encoding'] === undefined
  const decoder = new TextDecoder()
  let count = 0
  let last = ''
  for await (const bytes of toBodyChunks(body)) {
    count += bytes.length
    // Stop fetching when the reader has closed the pipe.
    if (!io.terminal && (await io.write(bytes)) === 'gone') return
    if (io.terminal && isText) {
      last = escapeControlCharacters(decoder.decode(bytes, { stream: true }))
      await io.write(new TextEncoder().encode(last))
    }
  }
  if (io.terminal && isText && count > 0 && !last.endsWith('\n')) io.result('')
  const hint = io.terminal && !isText && count > 0 ? ' of binary data: redirect them to a file' : ''
  io.note(`${status} ${toPrintable(mediaType) || 'without content type'}, ${count} bytes${hint}`)
}

/** Formats a response as one JSON document. A body that is not UTF-8 is encoded as base64. */
export async function toResponseJson({
  status,
  headers,
  body,
}: PrintableResponse): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const bytes of toBodyChunks(body)) pieces.push(bytes)
  const bytes = Buffer.concat(pieces)
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return JSON.stringify({ status, headers, body: text })
  } catch {
    return JSON.stringify({ status, headers, body: bytes.toString('base64'), encoding: 'base64' })
  }
}

async function* toBodyChunks(body: PrintableResponse['body']): AsyncIterable<Uint8Array> {
  if (body === undefined) return
  if (typeof body === 'string') yield new TextEncoder().encode(body)
  else if (body instanceof Uint8Array) yield body
  else yield* body
}

/** Escapes control characters except line ends and tabs. */
function escapeControlCharacters(text: string): string {
  return text.replace(/[^\n\t]/gu, (character) =>
    /[\p{Cc}\p{Bidi_Control}]/u.test(character) ? toPrintable(character) : character,
  )
}
