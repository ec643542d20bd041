import { ServiceError } from '../errors.ts'

/** Splits a request target into path and query; the query is empty if there is none. */
export function splitTarget(target: string): { readonly path: string; readonly queryText: string } {
  const mark = target.indexOf('?')
  if (mark === -1) return { path: target, queryText: '' }
  return { path: target.slice(0, mark), queryText: target.slice(mark + 1) }
}

/** Enough for the lines of a large file: some clients send each line as a pair. */
const MAX_PAIRS = 1_000_000

/**
 * Parses the name-value pairs of a query string or a urlencoded body, in order. Malformed escapes
 * are preserved. Throws `invalid_body` for more than `maxPairs`.
 */
export function parsePairs(
  text: string,
  maxPairs = MAX_PAIRS,
): readonly (readonly [string, string])[] {
  return text === '' ? [] : [...iteratePairs(text, maxPairs)].filter((pair) => pair !== undefined)
}

/**
 * Yields the pairs of `parsePairs` one by one, and undefined at points where the caller may yield
 * to the event loop.
 */
export function* iteratePairs(
  text: string,
  maxPairs = MAX_PAIRS,
): Generator<readonly [string, string] | undefined, void> {
  let count = 0
  let start = 0
  while (start <= text.length) {
    let end = text.indexOf('&', start)
    if (end === -1) end = text.length
    if (end > start) {
      if (count === maxPairs) {
        const detail = `Cannot read the form: at most ${maxPairs} values are accepted`
        throw new ServiceError('invalid_body', detail)
      }
      count += 1
      // Searches only the pair: searching the whole text for each would take quadratic time.
      const pair = text.slice(start, end)
      const equals = pair.indexOf('=')
      const name = equals === -1 ? pair : pair.slice(0, equals)
      const value = equals === -1 ? '' : pair.slice(equals + 1)
      yield [decodeFormText(name), yield* decodeInChunks(value)]
    }
    start = end + 1
  }
}

/** Decodes in chunks: a value may be a whole file. */
function* decodeInChunks(text: string): Generator<undefined, string> {
  if (text.length <= CHUNK_CHARACTERS) return decodeFormText(text)
  let decoded = ''
  for (let start = 0; start < text.length; ) {
    const end = findChunkEnd(text, start + CHUNK_CHARACTERS)
    decoded += decodeFormText(text.slice(start, end))
    start = end
    yield
  }
  return decoded
}

/** In characters: decoding a chunk takes a millisecond at most. */
const CHUNK_CHARACTERS = 64 * 1024

/** Finds the first position at or after `from` that is not inside a percent-encoded character. */
function findChunkEnd(text: string, from: number): number {
  let position = from
  if (text[position - 1] === '%') position += 2
  else if (text[position - 2] === '%') position += 1
  while (
    position < from + CHUNK_CHARACTERS &&
    CONTINUATION.test(text.slice(position, position + 2))
  )
    position += 3
  return Math.min(position, text.length)
}

/** An escape that is a UTF-8 continuation byte. */
const CONTINUATION = /^%[89ab]/i

function decodeFormText(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return decodeLatin1Escapes(spaced)
  }
}

/** Decodes escapes that are not UTF-8 as Latin-1; stray percent signs are preserved. */
function decodeLatin1Escapes(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
