import { type CommandIo, toPrintable } from './io.ts'

/** A request that would be sent, as the gateway's dry run answers it; secrets are masked. */
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
 * Prints the request of a dry run: its lines and its body as they would be sent, then the `curl`
 * line that sends it; with `isJson` both as the gateway answers them.
 */
export function printDryRun(
  io: CommandIo,
  body: unknown,
  { isJson }: { readonly isJson: boolean },
): void {
  // A dry run is answered as text.
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
    if (typeof sent === 'string') io.result(toShown(io, sent))
    else io.result('bytes' in sent ? `(${sent.bytes} bytes)` : `(base64) ${sent.base64}`)
    io.result('')
  }
  io.result(toShown(io, curl))
  io.note(refusal === undefined ? 'Nothing was sent.' : `It would be refused. ${refusal}`)
}

/** A terminal gets nothing that it would obey. */
function toShown(io: CommandIo, text: string): string {
  return io.terminal ? text.split('\n').map(toPrintable).join('\n') : text
}
