import { parseExactJson } from '../shared/exact-json.ts'
import { isMultipartType, isUrlencodedType } from '../shared/media-types.ts'
import type { SlicedWork } from '../shared/slices.ts'
import { decodeUtf8, parseJsonObject } from './body.ts'
import { createTextReader, findBoundary, latin1, readParts } from './multipart.ts'
import type { BodyValues, UploadedFile } from './operation.ts'
import { ServiceError } from './problems.ts'
import { parsePairs } from './query.ts'

const MAX_PARTS = 1_000
const MAX_PAIRS = 10_000

/**
 * Reads a body of named values by its bytes, since clients label bodies wrongly (contract 1): one
 * JSON object, multipart (declared or seen), or urlencoded; without bytes there are no values. What
 * looks like none of these and is labelled as something else is `unsupported_media_type`. In
 * forms they are texts and uploaded files, and a name that is repeated holds an array; JSON numbers
 * that would lose digits are `Numeral`s. Whatever the names are, they become own members. Throws `invalid_body`, and `too_large` for more than `maxTextBytes`
 * in the texts of a multipart body.
 */
export function* readValues(
  bytes: Uint8Array,
  options: { readonly contentType: string; readonly maxTextBytes: number },
): SlicedWork<BodyValues> {
  const { contentType, maxTextBytes } = options
  const boundary = findBoundary(bytes, contentType)
  if (boundary !== undefined) return yield* join(readFormParts(bytes, { boundary, maxTextBytes }))
  if (isForeign(bytes, contentType)) throw toForeignType()
  const text = decodeUtf8(bytes).trim()
  if (text === '') return {}
  return isJson(text, contentType)
    ? parseJsonObject(text, parseExactJson)
    : yield* join(parsePairs(text, MAX_PAIRS))
}

/** Any JSON, so that what is no object is refused as such; a form has pairs, whatever its label. */
function isJson(text: string, contentType: string): boolean {
  return /^[{["]/.test(text) || (/json/i.test(contentType) && !text.includes('='))
}

/** A label that is neither absent nor of JSON or a form, on bytes that look like neither. */
function isForeign(bytes: Uint8Array, contentType: string): boolean {
  const isLabelled = contentType.trim() !== '' && !isKnownLabel(contentType)
  if (!isLabelled || bytes.byteLength === 0) return false
  const head = latin1(bytes.subarray(0, 512)).replace(/^\u00ef\u00bb\u00bf/, '')
  return head.trim() !== '' && !/^\s*(?:[{["]|[\w%+.~*$@:[\]-]+=)/.test(head)
}

function isKnownLabel(contentType: string): boolean {
  return /json/i.test(contentType) || isUrlencodedType(contentType) || isMultipartType(contentType)
}

function toForeignType(): ServiceError {
  const detail =
    'Cannot read the body as values: send a JSON object or a form; a raw body for the target is the value "body"'
  return new ServiceError('unsupported_media_type', detail)
}

function* readFormParts(
  bytes: Uint8Array,
  { boundary, maxTextBytes }: { readonly boundary: string; readonly maxTextBytes: number },
): Generator<readonly [string, string | UploadedFile] | undefined> {
  const readText = createTextReader(maxTextBytes)
  for (const part of readParts(bytes, { boundary, maxParts: MAX_PARTS })) {
    if (!part) {
      yield
      continue
    }
    const { name, filename = '', mediaType = '' } = part
    if (!name) {
      throw new ServiceError('invalid_body', 'Cannot read the multipart body: a part has no name')
    }
    if (part.isFile) {
      yield [name, { bytes: part.bytes, filename, mediaType }]
      continue
    }
    yield [name, readText(part)]
  }
}

function* join(pairs: Iterable<readonly [string, unknown] | undefined>): SlicedWork<BodyValues> {
  const lists = new Map<string, unknown[]>()
  for (const pair of pairs) {
    yield
    if (!pair) continue
    const [name, value] = pair
    const list = lists.get(name)
    if (list) list.push(value)
    else lists.set(name, [value])
  }
  // Made of entries, so that `__proto__` is a member like any other.
  return Object.fromEntries(
    [...lists].map(([name, list]) => [name, list.length === 1 ? list[0] : list]),
  )
}
