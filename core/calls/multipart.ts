import { FileValue, isJsonObject, toJsonText, toPlainText } from './values.ts'

/** One part of a multipart form. */
export interface FormPart {
  readonly name: string
  /** A list gives a part for each item. */
  readonly value: unknown
  /** Of the part; undefined for what its value gives. */
  readonly mediaType: string | undefined
}

/**
 * Writes `multipart/form-data` (RFC 7578). Texts have no media type, objects are JSON, files have a
 * name and `application/octet-stream` unless more is known. Equal parts give equal bytes: the
 * boundary is the first of a row that stands in none of them.
 */
export function writeMultipart(parts: readonly FormPart[]): {
  readonly bytes: Uint8Array
  readonly boundary: string
} {
  const encoder = new TextEncoder()
  const pieces = parts.flatMap(toPieces).map(({ head, content }) => ({
    head,
    content: typeof content === 'string' ? encoder.encode(content) : content,
  }))
  const boundary = chooseBoundary(pieces)
  const chunks: Uint8Array[] = []
  for (const { head, content } of pieces) {
    chunks.push(encoder.encode(`--${boundary}\r\n${head}\r\n`), content, CRLF)
  }
  chunks.push(encoder.encode(`--${boundary}--\r\n`))
  return { bytes: concat(chunks), boundary }
}

/** A name within a part's head, as browsers write it. */
export function quoteName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

interface Piece {
  readonly head: string
  readonly content: Uint8Array | string
}

const CRLF = new Uint8Array([13, 10])
const BOUNDARY = 'api-discovery-form-'
/** Of the `--` before a boundary. */
const DASH = 45

function toPieces({ name, value, mediaType }: FormPart): readonly Piece[] {
  if (mediaType !== undefined && !(value instanceof FileValue) && !Array.isArray(value)) {
    const isText = typeof value === 'string' && !mediaType.includes('json')
    return [toPiece(name, { mediaType, content: isText ? value : toJsonText(value) })]
  }
  if (Array.isArray(value)) {
    const items = value.filter((item) => item !== null && item !== undefined)
    return items.flatMap((item) => toPieces({ name, value: item, mediaType }))
  }
  if (value instanceof FileValue) {
    const type = value.mediaType || mediaType || 'application/octet-stream'
    const filename = value.filename || name
    return [toPiece(name, { mediaType: type, filename, content: value.content })]
  }
  if (isJsonObject(value)) {
    return [toPiece(name, { mediaType: 'application/json', content: toJsonText(value) })]
  }
  return [toPiece(name, { content: toPlainText(value) })]
}

function toPiece(
  name: string,
  part: {
    readonly content: Uint8Array | string
    readonly mediaType?: string
    readonly filename?: string
  },
): Piece {
  const { content, mediaType, filename } = part
  const label = filename === undefined ? '' : `; filename="${quoteName(filename)}"`
  // A media type comes from a caller or a description: it must not end the line.
  const type = mediaType?.replace(/[^\x20-\x7e]/g, '')
  const typeLine = type === undefined ? '' : `content-type: ${type}\r\n`
  return {
    head: `content-disposition: form-data; name="${quoteName(name)}"${label}\r\n${typeLine}`,
    content,
  }
}

function chooseBoundary(pieces: readonly { readonly content: Uint8Array }[]): string {
  const encoder = new TextEncoder()
  for (let number = 1; ; number += 1) {
    const boundary = `${BOUNDARY}${number}`
    const mark = encoder.encode(`--${boundary}`)
    if (!pieces.some(({ content }) => includes(content, mark))) return boundary
  }
}

function includes(bytes: Uint8Array, mark: Uint8Array): boolean {
  for (let at = bytes.indexOf(DASH); at >= 0; at = bytes.indexOf(DASH, at + 1)) {
    let length = 1
    while (length < mark.length && bytes[at + length] === mark[length]) length += 1
    if (length === mark.length) return true
  }
  return false
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
