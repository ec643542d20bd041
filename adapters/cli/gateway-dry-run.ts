import { type CommandIo, toPrintable } from './io.ts'

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

/**
 * Prints the request of a dry run: its head and body, then the `curl` command that sends it. With
 * `isJson`, prints the response of the gateway unchanged.
 */
export function printDryRun(
  io: CommandIo,
  body: unknown,
  { isJson }: { readonly isJson: boolean },
): void {
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
