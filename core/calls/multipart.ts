import { concatBytes } from '../shared/bytes.ts'
import { FileValue, isJsonObject, toJsonText, toPlainText } from './values.ts'

/** One part of a multipart form. */
export interface FormPart {
  readonly name: string
  /** An array becomes one part per item. */
  readonly value: unknown
  /** Media type of the part; undefined to derive it from the value. */
  readonly mediaType: string | undefined
}

/**
 * Serialises `multipart/form-data` (RFC 7578). Strings have no media type, and objects are JSON. A
 * file has a name, and `application/octet-stream` unless its type is known. Equal parts produce
 * equal bytes: the boundary is the first numbered one that no part contains.
 */
export function writeMultipart(parts: readonly FormPart[]): {
  readonly bytes: Uint8Array
  readonly boundary: string
} {
  const encoder = new TextEncoder()
  const pieces = parts.flatMap(toEncodedParts).map(({ head, content }) => ({
    head,
    content: typeof content === 'string' ? encoder.encode(content) : content,
  }))
  const boundary = chooseBoundary(pieces)
  const chunks: Uint8Array[] = []
  for (const { head, content } of pieces) {
    chunks.push(encoder.encode(`--${boundary}\r\n${head}\r\n`), content, CRLF)
  }
  chunks.push(encoder.encode(`--${boundary}--\r\n`))
  return { bytes: concatBytes(chunks), boundary }
}

/** Escapes a name in a part's header, like browsers do. */
export function quoteName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

interface EncodedPart {
  readonly head: string
  readonly content: Uint8Array | string
}

const CRLF = new Uint8Array([13, 10])
const BOUNDARY = 'api-discovery-form-'
const MARK = new TextEncoder().encode(`--${BOUNDARY}`)
const DASH = 45
const AFTER_DASHES = MARK[2]
/** Larger numbers cannot occur within the available memory. */
const MAX_DIGITS = 12

function toEncodedParts({ name, value, mediaType }: FormPart): readonly EncodedPart[] {
  if (mediaType !== undefined && !(value instanceof FileValue) && !Array.isArray(value)) {
    const isText = typeof value === 'string' && !mediaType.includes('json')
    return [toEncodedPart(name, { mediaType, content: isText ? value : toJsonText(value) })]
  }
  if (Array.isArray(value)) {
    const items = value.filter((item) => item !== null && item !== undefined)
    return items.flatMap((item) => toEncodedParts({ name, value: item, mediaType }))
  }
  if (value instanceof FileValue) {
    const type = value.mediaType || mediaType || 'application/octet-stream'
    const filename = value.filename || name
    return [toEncodedPart(name, { mediaType: type, filename, content: value.content })]
  }
  if (isJsonObject(value)) {
    return [toEncodedPart(name, { mediaType: 'application/json', content: toJsonText(value) })]
  }
  return [toEncodedPart(name, { content: toPlainText(value) })]
}

function toEncodedPart(
  name: string,
  part: {
    readonly content: Uint8Array | string
    readonly mediaType?: string
    readonly filename?: string
  },
): EncodedPart {
  const { content, mediaType, filename } = part
  const label = filename === undefined ? '' : `; filename="${quoteName(filename)}"`
  // The media type comes from a caller or a description, so it must not break the line.
  const type = mediaType?.replace(/[^\x20-\x7e]/g, '')
  const typeLine = type === undefined ? '' : `content-type: ${type}\r\n`
  return {
    head: `content-disposition: form-data; name="${quoteName(name)}"${label}\r\n${typeLine}`,
    content,
  }
}

/**
 * Chooses the smallest number for which no content contains the boundary, or a longer one that
 * starts with it.
 */
function chooseBoundary(pieces: readonly { readonly content: Uint8Array }[]): string {
  const taken = new Set<string>()
  for (const { content } of pieces) collectNumbers(content, taken)
  let number = 1
  while (taken.has(String(number))) number += 1
  return `${BOUNDARY}${number}`
}

/**
 * Collects the numbers of boundaries in a content. One pass, regardless of how many it contains.
 */
function collectNumbers(bytes: Uint8Array, taken: Set<string>): void {
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== DASH || bytes[at + 1] !== DASH || bytes[at + 2] !== AFTER_DASHES) continue
    let length = 3
    while (length < MARK.length && bytes[at + length] === MARK[length]) length += 1
    if (length < MARK.length) continue
    const digits = String.fromCharCode(...bytes.subarray(at + length, at + length + MAX_DIGITS))
    const number = /^\d*/.exec(digits)?.[0] ?? ''
    for (let end = 1; end <= number.length; end += 1) taken.add(number.slice(0, end))
  }
}
