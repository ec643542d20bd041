import { ServiceError } from './problems.ts'

/** Path and query of a request's target; the query is empty where there is none. */
export function splitTarget(target: string): { readonly path: string; readonly queryText: string } {
  const mark = target.indexOf('?')
  if (mark === -1) return { path: target, queryText: '' }
  return { path: target.slice(0, mark), queryText: target.slice(mark + 1) }
}

/** As many as the lines of a large file, each of which is a pair to some clients. */
const MAX_PAIRS = 1_000_000

/**
 * Name and value pairs of a query string or a urlencoded body, in order. Malformed escapes stay as
 * they are. Throws `invalid_body` for more than `maxPairs`.
 */
export function parsePairs(
  text: string,
  maxPairs = MAX_PAIRS,
): readonly (readonly [string, string])[] {
  return text === '' ? [] : [...readPairs(text, maxPairs)].filter((pair) => pair !== undefined)
}

/** What `parsePairs` gives, one by one; undefined where the work may be put aside. */
export function* readPairs(
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
      // Looked for in the pair alone: a text without any would be searched to its end for each.
      const pair = text.slice(start, end)
      const equals = pair.indexOf('=')
      const name = equals === -1 ? pair : pair.slice(0, equals)
      const value = equals === -1 ? '' : pair.slice(equals + 1)
      yield [decodePart(name), yield* decodeValue(value)]
    }
    start = end + 1
  }
}

/** Decodes in pieces: a value may be a whole file. */
function* decodeValue(text: string): Generator<undefined, string> {
  if (text.length <= PIECE) return decodePart(text)
  let decoded = ''
  for (let start = 0; start < text.length; ) {
    const end = findCut(text, start + PIECE)
    decoded += decodePart(text.slice(start, end))
    start = end
    yield
  }
  return decoded
}

/** Characters: decoding them takes a millisecond at most. */
const PIECE = 64 * 1024

/** The first place from `from` on that is between two characters. */
function findCut(text: string, from: number): number {
  let place = from
  if (text[place - 1] === '%') place += 2
  else if (text[place - 2] === '%') place += 1
  while (place < from + PIECE && CONTINUATION.test(text.slice(place, place + 2))) place += 3
  return Math.min(place, text.length)
}

/** An escape that begins no character in UTF-8. */
const CONTINUATION = /^%[89ab]/i

function decodePart(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return decodeLatin1Escapes(spaced)
  }
}

/** Escapes that are no UTF-8 are read as Latin-1; a stray percent sign stands for itself. */
function decodeLatin1Escapes(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
