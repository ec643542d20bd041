import { ServiceError } from '../errors.ts'
import { parseExactJson } from '../shared/exact-json.ts'
import { isMultipartType, isUrlencodedType } from '../shared/media-types.ts'
import type { SteppedWork } from '../shared/time-slices.ts'
import { decodeUtf8, parseJsonObject } from './body.ts'
import {
  createPartTextReader,
  findMultipartBoundary,
  latin1,
  readMultipartParts,
} from './multipart.ts'
import type { BodyValues, UploadedFile } from './operation.ts'
import { parsePairs } from './query.ts'

const MAX_PARTS = 1_000
const MAX_PAIRS = 10_000

/**
 * Parses a body of named values by its bytes, since clients label bodies incorrectly (contract 1):
 * a JSON object, multipart (declared or detected), or urlencoded. Without bytes there are no
 * values. Form values are texts and uploaded files; a repeated name maps to an array. JSON numbers
 * that would lose digits become `Numeral`s. All names become own members.
 * Throws `unsupported_media_type` for a body that resembles none of these and has another label.
 * Throws `invalid_body`, and `too_large` if the texts of a multipart body exceed `maxTextBytes`.
 */
export function* readBodyValues(
  bytes: Uint8Array,
  options: { readonly contentType: string; readonly maxTextBytes: number },
): SteppedWork<BodyValues> {
  const { contentType, maxTextBytes } = options
  const boundary = findMultipartBoundary(bytes, contentType)
  if (boundary !== undefined)
    return yield* collectPairs(readFormParts(bytes, { boundary, maxTextBytes }))
  if (hasUnsupportedType(bytes, contentType)) throw createUnsupportedTypeError()
  const text = decodeUtf8(bytes).trim()
  if (text === '') return {}
  return looksLikeJson(text, contentType)
    ? parseJsonObject(text, parseExactJson)
    : yield* collectPairs(parsePairs(text, MAX_PAIRS))
}

/**
 * Accepts any JSON, so that a value other than an object is reported as such. A form has pairs,
 * regardless of its label.
 */
function looksLikeJson(text: string, contentType: string): boolean {
  return /^[{["]/.test(text) || (/json/i.test(contentType) && !text.includes('='))
}

/** True if the content type is neither JSON nor a form, and the bytes resemble neither. */
function hasUnsupportedType(bytes: Uint8Array, contentType: string): boolean {
  const isLabelled = contentType.trim() !== '' && !isKnownContentType(contentType)
  if (!isLabelled || bytes.byteLength === 0) return false
  const head = latin1(bytes.subarray(0, 512)).replace(/^\u00ef\u00bb\u00bf/, '')
  return head.trim() !== '' && !/^\s*(?:[{["]|[\w%+.~*$@:[\]-]+=)/.test(head)
}

function isKnownContentType(contentType: string): boolean {
  return /json/i.test(contentType) || isUrlencodedType(contentType) || isMultipartType(contentType)
}

function createUnsupportedTypeError(): ServiceError {
  const detail =
    'Cannot read the body as values: send a JSON object or a form. Send a raw body for the target as the value "body"'
  return new ServiceError('unsupported_media_type', detail)
}

function* readFormParts(
  bytes: Uint8Array,
  { boundary, maxTextBytes }: { readonly boundary: string; readonly maxTextBytes: number },
): Generator<readonly [string, string | UploadedFile] | undefined> {
  const readText = createPartTextReader(maxTextBytes)
  for (const part of readMultipartParts(bytes, { boundary, maxParts: MAX_PARTS })) {
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

function* collectPairs(
  pairs: Iterable<readonly [string, unknown] | undefined>,
): SteppedWork<BodyValues> {
  const lists = new Map<string, unknown[]>()
  for (const pair of pairs) {
    yield
    if (!pair) continue
    const [name, value] = pair
    const list = lists.get(name)
    if (list) list.push(value)
    else lists.set(name, [value])
  }
  // Built from entries, so that `__proto__` becomes an own member.
  return Object.fromEntries(
    [...lists].map(([name, list]) => [name, list.length === 1 ? list[0] : list]),
  )
}
