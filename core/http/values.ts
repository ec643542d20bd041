import { parseExactJson } from '../shared/exact-json.ts'
import { decodeUtf8, parseJsonObject } from './body.ts'
import { findBoundary, readParts } from './multipart.ts'
import type { BodyValues, UploadedFile } from './operation.ts'
import { ServiceError } from './problems.ts'
import { parsePairs } from './query.ts'

const MAX_PARTS = 1_000
const MAX_PAIRS = 10_000

/**
 * Reads a body of named values by its bytes, since clients label bodies wrongly (contract 1): one
 * JSON object, multipart (declared or seen), or urlencoded; without bytes there are no values. In
 * forms they are texts and uploaded files, and a name that is repeated holds an array; JSON numbers
 * that would lose digits are `Numeral`s. Whatever the names are, they become own members. Throws `invalid_body`.
 */
export function readValues(bytes: Uint8Array, contentType: string): BodyValues {
  const boundary = findBoundary(bytes, contentType)
  if (boundary !== undefined) return join(readFormParts(bytes, boundary))
  const text = decodeUtf8(bytes).trim()
  if (text === '') return {}
  return isJson(text, contentType)
    ? parseJsonObject(text, parseExactJson)
    : join(parsePairs(text, MAX_PAIRS))
}

/** Any JSON, so that what is no object is refused as such; a form has pairs, whatever its label. */
function isJson(text: string, contentType: string): boolean {
  return /^[{["]/.test(text) || (/json/i.test(contentType) && !text.includes('='))
}

function* readFormParts(
  bytes: Uint8Array,
  boundary: string,
): Generator<readonly [string, string | UploadedFile]> {
  for (const part of readParts(bytes, { boundary, maxParts: MAX_PARTS })) {
    const { name, filename = '', mediaType = '' } = part
    if (!name) {
      throw new ServiceError('invalid_body', 'Cannot read the multipart body: a part has no name')
    }
    yield [name, part.isFile ? { bytes: part.bytes, filename, mediaType } : decodeUtf8(part.bytes)]
  }
}

function join(pairs: Iterable<readonly [string, unknown]>): BodyValues {
  const lists = new Map<string, unknown[]>()
  for (const [name, value] of pairs) {
    const list = lists.get(name)
    if (list) list.push(value)
    else lists.set(name, [value])
  }
  // Made of entries, so that `__proto__` is a member like any other.
  return Object.fromEntries(
    [...lists].map(([name, list]) => [name, list.length === 1 ? list[0] : list]),
  )
}
