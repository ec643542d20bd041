import { ServiceError } from '../errors.ts'
import { parseExactJson } from '../shared/exact-json.ts'
import { isMultipartType, isUrlencodedType } from '../shared/media-types.ts'
import type { SteppedWork } from '../shared/time-slices.ts'
import { decodeUtf8, parseJsonObject } from './body.ts'
import {
  createPartTextReader,
  findMultipartBoundary,
  getPartBytes,
  latin1,
  readMultipartParts,
} from './multipart.ts'
import type { BodyValues, UploadedFile } from './operation.ts'
import { iteratePairs, parsePairs } from './query.ts'

/** Content of a form, a JSON object or a bare file. */
export interface FormContent {
  /** First value of each name. */
  readonly fields: ReadonlyMap<string, string>
  /** Names that occur more than once. */
  readonly repeated: ReadonlySet<string>
  /** The file of the requested name, or the whole body if it is not a form. */
  readonly file: UploadedFile | undefined
}

const EMPTY_FORM: FormContent = { fields: new Map(), repeated: new Set(), file: undefined }
const MAX_FORM_PARTS = 20

/**
 * Parses a form by its bytes, since clients label bodies incorrectly: multipart (declared or
 * detected, `form-data` or `attachment`), a JSON object, or urlencoded. With `fileName`, the part
 * of that name is the file, and a body that is not a form is the file itself. Throws
 * `invalid_body`, and `too_large` above `maxTextBytes`: JSON is parsed without yielding to the
 * event loop.
 */
export function* readForm(
  bytes: Uint8Array,
  options: {
    readonly contentType: string
    readonly fileName?: string
    readonly names: readonly string[]
    /** Limit for all text fields of a multipart body, and for a JSON object including its file. */
    readonly maxTextBytes: number
  },
): SteppedWork<FormContent> {
  if (bytes.byteLength === 0) return EMPTY_FORM
  const boundary = findMultipartBoundary(bytes, options.contentType)
  if (boundary !== undefined) return yield* readMultipart(bytes, boundary, options)
  const head = decodeFirstBytes(bytes)
  if (options.fileName !== undefined && !isFieldsBody(head, options.names)) {
    return { ...EMPTY_FORM, file: { bytes, filename: '', mediaType: options.contentType } }
  }
  const isJson = head.trimStart().startsWith('{')
  if (isJson && bytes.byteLength > options.maxTextBytes)
    throw createJsonTooLargeError(options.maxTextBytes)
  const content = isJson
    ? toFormContent(parseJsonObject(decodeUtf8(bytes)))
    : yield* readUrlencodedForm(decodeUtf8(bytes).trim(), options.fileName)
  return options.fileName === undefined ? content : extractTextFile(content, options.fileName)
}

function* readMultipart(
  bytes: Uint8Array,
  boundary: string,
  { fileName, maxTextBytes }: { readonly fileName?: string; readonly maxTextBytes: number },
): SteppedWork<FormContent> {
  const fields = new Map<string, string>()
  const repeated = new Set<string>()
  let file: UploadedFile | undefined
  const readText = createPartTextReader(maxTextBytes)
  for (const part of readMultipartParts(bytes, { boundary, maxParts: MAX_FORM_PARTS })) {
    yield
    if (!part) continue
    const name = part.name ?? ''
    if (fields.has(name) || (file && name === fileName)) repeated.add(name)
    else if (name === fileName) {
      file = {
        bytes: getPartBytes(part),
        filename: part.filename ?? '',
        mediaType: part.mediaType ?? '',
      }
    } else fields.set(name, readText(part))
  }
  return { fields, repeated, file }
}

function isFieldsBody(head: string, names: readonly string[]): boolean {
  const start = head.trimStart()
  const name = /^\{\s*"([^"]{1,40})"\s*:/.exec(start)?.[1] ?? /^([\w.-]{1,40})=/.exec(start)?.[1]
  return name !== undefined && names.includes(name)
}

function extractTextFile(content: FormContent, fileName: string): FormContent {
  const text = content.fields.get(fileName)
  if (text === undefined) return content
  const fields = new Map(content.fields)
  fields.delete(fileName)
  const file = { bytes: new TextEncoder().encode(text), filename: '', mediaType: '' }
  return { ...content, fields, file }
}

/** python-requests sends an open file as one pair for each of its lines: they are concatenated. */
function* readUrlencodedForm(text: string, fileName: string | undefined): SteppedWork<FormContent> {
  const fields = new Map<string, string>()
  const repeated = new Set<string>()
  for (const pair of iteratePairs(text)) {
    yield
    if (!pair) continue
    const [name, value] = pair
    const former = fields.get(name)
    if (former === undefined) fields.set(name, value)
    else if (name === fileName) fields.set(name, former + value)
    else repeated.add(name)
  }
  return { fields, repeated, file: undefined }
}

function createJsonTooLargeError(maxBytes: number): ServiceError {
  const detail = `Cannot read the JSON form: at most ${maxBytes} bytes are accepted. Send the file as multipart/form-data or as the body itself.`
  return new ServiceError('too_large', detail)
}

/** Scalars become text, `null` counts as absent, structured values become JSON text. */
function toFormContent(value: Readonly<Record<string, unknown>>): FormContent {
  const fields = new Map<string, string>()
  for (const [name, member] of Object.entries(value)) {
    if (member === null) continue
    fields.set(name, typeof member === 'object' ? JSON.stringify(member) : String(member))
  }
  return { fields, repeated: new Set(), file: undefined }
}

function decodeFirstBytes(bytes: Uint8Array): string {
  return latin1(bytes.subarray(0, 512)).replace(/^\u00ef\u00bb\u00bf/, '')
}

const MAX_VALUE_PARTS = 1_000
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
  for (const part of readMultipartParts(bytes, { boundary, maxParts: MAX_VALUE_PARTS })) {
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
