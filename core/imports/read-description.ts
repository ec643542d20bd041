import { ServiceError } from '../errors.ts'
import { isObject, type JsonObject } from '../schemas/values.ts'
import { toOpenApi } from './agent-cards.ts'
import { type DescriptionKind, detectKind } from './detect-kind.ts'
import { createImportError, toSourceLocation } from './import-errors.ts'
import { DEFAULT_IMPORT_LIMITS, type ImportLimits } from './limits.ts'
import { parseJson } from './parse-json.ts'
import { hasManyLines, parseYaml } from './parse-yaml.ts'
import type { ImportWarning } from './records.ts'

export type { ImportWarning } from './records.ts'

/** A parsed description with unresolved `$ref`s. Cards are translated to OpenAPI. */
export interface Description {
  readonly document: JsonObject
  readonly format: 'json' | 'yaml'
  readonly kind: DescriptionKind
  /** `openapi`, `swagger` or `protocolVersion`, as written. */
  readonly version: string
  /** Characters of the source. */
  readonly size: number
  /** Operations that could not be interpreted. */
  readonly skipped: number
  readonly warnings: readonly ImportWarning[]
}

/**
 * Reads a description (Specification 4.6) as JSON, else as YAML; ignores any media type. Takes
 * linear time for JSON. Throws only `ServiceError`s: `too_large`, `invalid_body`,
 * `unsupported_media_type`, `invalid_description` and `too_expensive`, with `pointer` or `line` and
 * `column` if known.
 */
export function readDescription(
  bytes: Uint8Array,
  options: {
    readonly limits?: Partial<ImportLimits> | undefined
    /** Called after decoding, when the bytes are no longer needed. */
    readonly release?: (() => void) | undefined
  } = {},
): Description {
  const limits = { ...DEFAULT_IMPORT_LIMITS, ...options.limits }
  if (bytes.length > limits.maxBytes) {
    throw createImportError(
      'too_large',
      `Cannot import the file: ${bytes.length} bytes, at most ${limits.maxBytes} are allowed`,
    )
  }
  const text = decodeText(bytes)
  options.release?.()
  const parsed = parseJsonOrYaml(text, limits)
  const { document, kind, version } = detectKind(cleanValue(parsed.value, text))
  const card = kind === 'mcp' || kind === 'a2a' ? toOpenApi({ document, kind, limits }) : undefined
  return {
    document: card?.document ?? document,
    format: parsed.format,
    kind,
    version,
    size: text.length,
    skipped: card?.skipped ?? 0,
    warnings: [...parsed.warnings, ...(card?.warnings ?? [])],
  }
}

/** Reads any JSON or YAML value within the limits of descriptions; throws as `readDescription`. */
export function readValue(bytes: Uint8Array): unknown {
  const limits = DEFAULT_IMPORT_LIMITS
  if (bytes.length > limits.maxBytes) {
    throw createImportError(
      'too_large',
      `Cannot import the file: ${bytes.length} bytes, at most ${limits.maxBytes} are allowed`,
    )
  }
  const text = decodeText(bytes)
  return cleanValue(parseJsonOrYaml(text, limits).value, text)
}

function parseJsonOrYaml(text: string, limits: ImportLimits): ParsedText {
  if (!/^\s*[{[]/.test(text)) return { ...parseYaml(text, limits), format: 'yaml' }
  try {
    const { value, duplicates } = parseJson(text, limits)
    const warnings = duplicates.map((pointer) => ({
      pointer,
      message: 'Duplicate key; the last value is used',
    }))
    return { value, format: 'json', warnings }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'invalid_description') throw error
    return parseAsYaml(text, limits, error)
  }
}

/**
 * Parses text that is not valid JSON. JSON with comments, trailing commas or bare keys is valid
 * YAML. If the text is not valid YAML either, throws the JSON error if the text starts like JSON,
 * else the YAML error.
 */
function parseAsYaml(text: string, limits: ImportLimits, error: ServiceError): ParsedText {
  try {
    const { value, warnings } = parseYaml(text, limits)
    const notJson = { pointer: '', message: error.message }
    return { value, format: 'yaml', warnings: [notJson, ...warnings] }
  } catch (yamlError) {
    const isRefused = yamlError instanceof ServiceError && yamlError.code === 'too_expensive'
    const isBomb = isRefused && !hasManyLines(text)
    throw isBomb || !startsAsJson(text, error) ? yamlError : error
  }
}

/** True if an error is located after the first token within the outermost brackets. */
function startsAsJson(text: string, { extra }: ServiceError): boolean {
  const first = toSourceLocation(text, /^\s*[{[]\s*/.exec(text)?.[0].length ?? 0)
  return extra.line !== first.line || extra.column !== first.column
}

interface ParsedText {
  readonly value: unknown
  readonly format: 'json' | 'yaml'
  readonly warnings: readonly ImportWarning[]
}

/**
 * Escapes that can produce characters which a database rejects or changes: NUL and lone surrogates.
 */
const SUSPECT = /\\(?:u0000|u[dD][89a-fA-F]|0|x00|U)/

/**
 * Replaces escaped NUL characters and lone surrogates with U+FFFD, so that every storage stores the
 * same text. Returns the value itself if nothing is replaced.
 */
export function cleanValue(value: unknown, source: string): unknown {
  return source.includes('\\') && SUSPECT.test(source) ? replaceUnstorable(value, new Map()) : value
}

function replaceUnstorable(value: unknown, done: Map<object, unknown>): unknown {
  if (typeof value === 'string') return replaceInText(value)
  if (typeof value !== 'object' || value === null) return value
  const known = done.get(value)
  if (known !== undefined) return known
  const cleaned = Array.isArray(value)
    ? replaceInList(value, done)
    : isObject(value)
      ? replaceInObject(value, done)
      : value
  done.set(value, cleaned)
  return cleaned
}

// Copies only lists and objects that change: most of a document is clean.

function replaceInList(list: readonly unknown[], done: Map<object, unknown>): readonly unknown[] {
  let copy: unknown[] | undefined
  for (const [at, item] of list.entries()) {
    const cleaned = replaceUnstorable(item, done)
    if (cleaned === item) continue
    copy ??= [...list]
    copy[at] = cleaned
  }
  return copy ?? list
}

function replaceInObject(object: JsonObject, done: Map<object, unknown>): JsonObject {
  let isChanged = false
  const entries = Object.entries(object).map(([key, item]) => {
    const entry = [replaceInText(key), replaceUnstorable(item, done)] as const
    isChanged ||= entry[0] !== key || entry[1] !== item
    return entry
  })
  return isChanged ? Object.fromEntries(entries) : object
}

/**
 * Avoids regular expressions: a list of millions of matches needs a hundred times the text's
 * memory.
 */
function replaceInText(text: string): string {
  const whole = text.toWellFormed()
  return whole.includes('\0') ? whole.split('\0').join('\ufffd') : whole
}

/** Signatures of files that users upload by mistake. */
const FILE_SIGNATURES: readonly (readonly [name: string, bytes: readonly number[]])[] = [
  ['a zip archive', [0x50, 0x4b, 0x03, 0x04]],
  ['an empty zip archive', [0x50, 0x4b, 0x05, 0x06]],
  ['a gzip file', [0x1f, 0x8b]],
  ['a bzip2 file', [0x42, 0x5a, 0x68]],
  ['an xz file', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['a zstandard file', [0x28, 0xb5, 0x2f, 0xfd]],
  ['a 7z archive', [0x37, 0x7a, 0xbc, 0xaf]],
  ['a PDF document', [0x25, 0x50, 0x44, 0x46]],
  ['a PNG image', [0x89, 0x50, 0x4e, 0x47]],
  ['a JPEG image', [0xff, 0xd8, 0xff]],
  ['a GIF image', [0x47, 0x49, 0x46, 0x38]],
  ['a program', [0x7f, 0x45, 0x4c, 0x46]],
]

/**
 * Decodes a description's bytes: UTF-8 with or without byte order mark, UTF-16 with one. Throws
 * `unsupported_media_type` for anything but plain text (archives, images, HTML, XML). Throws
 * `invalid_body`, with line and column, for text that is empty, malformed or contains NUL.
 */
function decodeText(bytes: Uint8Array): string {
  const signature = FILE_SIGNATURES.find(([, start]) =>
    start.every((byte, at) => bytes[at] === byte),
  )
  if (signature) {
    throw createImportError(
      'unsupported_media_type',
      `Cannot import the file: it is ${signature[0]}. Import a JSON or YAML file instead`,
    )
  }
  const text = decodeUnicode(bytes)
  const nul = text.indexOf('\0')
  if (nul >= 0) throw createNulError(text, nul)
  const start = text.slice(0, 4096).trimStart()
  if (start === '' && text.trim() === '') {
    throw createImportError('invalid_body', 'Cannot import the file: it is empty')
  }
  if (start.startsWith('<')) throw createMarkupError(start)
  return text
}

function decodeUnicode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) {
    if (bytes[2] === 0 && bytes[3] === 0 && bytes.length >= 4) {
      throw createImportError(
        'invalid_body',
        'Cannot import the file: it is UTF-32; save it as UTF-8',
      )
    }
    return decodeStrictly(bytes, 'utf-16le')
  }
  if (first === 0xfe && second === 0xff) return decodeStrictly(bytes, 'utf-16be')
  return decodeStrictly(bytes, 'utf-8')
}

function decodeStrictly(bytes: Uint8Array, encoding: 'utf-8' | 'utf-16le' | 'utf-16be'): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    if (encoding !== 'utf-8') {
      throw createImportError('invalid_body', 'Cannot import the file: it is not valid UTF-16')
    }
    const location = locateInvalidByte(bytes)
    throw createImportError(
      'invalid_body',
      `Cannot import the file: it is not UTF-8 text (line ${location.line}, column ${location.column})`,
      location,
    )
  }
}

function locateInvalidByte(bytes: Uint8Array) {
  const lossy = new TextDecoder('utf-8').decode(bytes)
  return toSourceLocation(lossy, Math.max(0, lossy.indexOf('\ufffd')))
}

function createNulError(text: string, offset: number) {
  const head = text.slice(0, 64)
  const nuls = head.split('\0').length - 1
  const location = toSourceLocation(text, offset)
  const reason =
    nuls > head.length / 4
      ? 'it looks like UTF-16 without byte order mark; save it as UTF-8'
      : `it contains a NUL character (line ${location.line}, column ${location.column})`
  return createImportError('invalid_body', `Cannot import the file: ${reason}`, location)
}

function createMarkupError(start: string) {
  const kind = /^<(!doctype\s+html|html|head|body)/i.test(start)
    ? 'an HTML page; import the description that the page links to'
    : /wsdl/i.test(start)
      ? 'a WSDL document, which is not supported'
      : /wadl/i.test(start)
        ? 'a WADL document, which is not supported'
        : /edmx/i.test(start)
          ? 'an OData metadata document, which is not supported'
          : 'an XML document; descriptions are JSON or YAML'
  return createImportError('unsupported_media_type', `Cannot import the file: it is ${kind}`)
}
