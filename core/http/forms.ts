import type { SlicedWork } from '../shared/slices.ts'
import { decodeUtf8, parseJsonObject } from './body.ts'
import { createTextReader, findBoundary, latin1, readParts, viewContent } from './multipart.ts'
import type { UploadedFile } from './operation.ts'
import { ServiceError } from './problems.ts'
import { readPairs } from './query.ts'

/** Content of a form, a JSON object or a bare file. */
export interface FormContent {
  /** First value of each name. */
  readonly fields: ReadonlyMap<string, string>
  /** Names that occur more than once. */
  readonly repeated: ReadonlySet<string>
  /** The file of the requested name, or the whole body if it is not a form. */
  readonly file: UploadedFile | undefined
}

const EMPTY: FormContent = { fields: new Map(), repeated: new Set(), file: undefined }
const MAX_PARTS = 20

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
): SlicedWork<FormContent> {
  if (bytes.byteLength === 0) return EMPTY
  const boundary = findBoundary(bytes, options.contentType)
  if (boundary !== undefined) return yield* readMultipart(bytes, boundary, options)
  const head = decodeHead(bytes)
  if (options.fileName !== undefined && !isFieldsBody(head, options.names)) {
    return { ...EMPTY, file: { bytes, filename: '', mediaType: options.contentType } }
  }
  const isJson = head.trimStart().startsWith('{')
  if (isJson && bytes.byteLength > options.maxTextBytes) throw toTooLargeJson(options.maxTextBytes)
  const content = isJson
    ? fromJsonObject(parseJsonObject(decodeUtf8(bytes)))
    : yield* fromPairs(decodeUtf8(bytes).trim(), options.fileName)
  return options.fileName === undefined ? content : withTextFile(content, options.fileName)
}

function* readMultipart(
  bytes: Uint8Array,
  boundary: string,
  { fileName, maxTextBytes }: { readonly fileName?: string; readonly maxTextBytes: number },
): SlicedWork<FormContent> {
  const fields = new Map<string, string>()
  const repeated = new Set<string>()
  let file: UploadedFile | undefined
  const readText = createTextReader(maxTextBytes)
  for (const part of readParts(bytes, { boundary, maxParts: MAX_PARTS })) {
    yield
    if (!part) continue
    const name = part.name ?? ''
    if (fields.has(name) || (file && name === fileName)) repeated.add(name)
    else if (name === fileName) {
      file = {
        bytes: viewContent(part),
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

function withTextFile(content: FormContent, fileName: string): FormContent {
  const text = content.fields.get(fileName)
  if (text === undefined) return content
  const fields = new Map(content.fields)
  fields.delete(fileName)
  const file = { bytes: new TextEncoder().encode(text), filename: '', mediaType: '' }
  return { ...content, fields, file }
}

/** python-requests sends an open file as one pair for each of its lines: they are concatenated. */
function* fromPairs(text: string, fileName: string | undefined): SlicedWork<FormContent> {
  const fields = new Map<string, string>()
  const repeated = new Set<string>()
  for (const pair of readPairs(text)) {
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

function toTooLargeJson(maxBytes: number): ServiceError {
  const detail = `Cannot read the JSON form: at most ${maxBytes} bytes are accepted. Send the file as multipart/form-data or as the body itself.`
  return new ServiceError('too_large', detail)
}

/** Scalars become text, `null` counts as absent, structured values become JSON text. */
function fromJsonObject(value: Readonly<Record<string, unknown>>): FormContent {
  const fields = new Map<string, string>()
  for (const [name, member] of Object.entries(value)) {
    if (member === null) continue
    fields.set(name, typeof member === 'object' ? JSON.stringify(member) : String(member))
  }
  return { fields, repeated: new Set(), file: undefined }
}

function decodeHead(bytes: Uint8Array): string {
  return latin1(bytes.subarray(0, 512)).replace(/^\u00ef\u00bb\u00bf/, '')
}
