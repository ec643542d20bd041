import { type CommandIo, toPrintable } from './io.ts'

/** A response to print. */
export interface PrintableResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | undefined
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
