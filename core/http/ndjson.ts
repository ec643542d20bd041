import { ServiceError } from '../errors.ts'
import { concatBytes } from '../shared/bytes.ts'
import { decodeUtf8, parseJson } from './body.ts'
import type { HttpRequest } from './message.ts'

const NEWLINE = 0x0a

/**
 * Parses the lines of a newline-delimited JSON body as they arrive, with one line in memory. Skips
 * empty lines. Throws `too_large` for a line above `maxLineBytes` or a body above `maxBytes`, and
 * `invalid_body` for a line that is not valid JSON.
 */
export async function* readNdjson(
  body: HttpRequest['body'],
  limits: { readonly maxBytes: number; readonly maxLineBytes: number },
): AsyncIterable<{ readonly line: number; readonly value: unknown }> {
  let line = 0
  for await (const bytes of splitLines(body, limits)) {
    line += 1
    const text = decodeUtf8(bytes).trim()
    if (text === '') continue
    yield { line, value: parseJsonLine(text, line) }
  }
}

function parseJsonLine(text: string, line: number): unknown {
  try {
    return parseJson(text)
  } catch (cause) {
    const detail = cause instanceof ServiceError ? cause.message : 'it is not valid JSON'
    throw new ServiceError('invalid_body', `Cannot read line ${line}: ${detail}`, { cause })
  }
}

async function* splitLines(
  body: HttpRequest['body'],
  limits: { readonly maxBytes: number; readonly maxLineBytes: number },
): AsyncIterable<Uint8Array> {
  let rest: Uint8Array[] = []
  let restLength = 0
  let total = 0
  for await (const chunk of body ?? []) {
    total += chunk.byteLength
    if (total > limits.maxBytes) throw createNdjsonTooLargeError('the body', limits.maxBytes)
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      if (restLength + end - start > limits.maxLineBytes) {
        throw createNdjsonTooLargeError('a line', limits.maxLineBytes)
      }
      rest.push(chunk.subarray(start, end))
      yield concatBytes(rest)
      rest = []
      restLength = 0
      start = end + 1
    }
    restLength += chunk.byteLength - start
    if (restLength > limits.maxLineBytes)
      throw createNdjsonTooLargeError('a line', limits.maxLineBytes)
    if (start < chunk.byteLength) rest.push(chunk.subarray(start))
  }
  if (rest.length > 0) yield concatBytes(rest)
}

function createNdjsonTooLargeError(subject: string, maxBytes: number): ServiceError {
  return new ServiceError(
    'too_large',
    `Cannot read ${subject}: at most ${maxBytes} bytes are accepted`,
  )
}
