import {
  MultipartParseError,
  type MultipartPart,
  parseMultipart,
} from '@remix-run/multipart-parser'
import { ServiceError } from './problems.ts'

const SNIFFED_BOUNDARY = /^--([^\r\n]{1,70})\r?\n/
const MAX_PART_HEADER_BYTES = 16 * 1024

/**
 * The boundary of a multipart body, seen in its first bytes or declared; undefined for any other
 * body. Throws `invalid_body` for a declared multipart body without one.
 */
export function findBoundary(bytes: Uint8Array, contentType: string): string | undefined {
  const isSeen = bytes[0] === 0x2d && bytes[1] === 0x2d
  const sniffed = isSeen
    ? SNIFFED_BOUNDARY.exec(latin1(bytes.subarray(0, 80)))?.[1]?.trimEnd()
    : undefined
  if (sniffed !== undefined && hasPartHeaders(bytes)) return sniffed
  if (!/^multipart\//i.test(contentType)) return undefined
  const declared = /boundary=(?:"([^"]{1,70})"|([^;\s]{1,70}))/i.exec(contentType)
  const boundary = declared?.[1] ?? declared?.[2]
  if (boundary !== undefined) return boundary
  throw new ServiceError('invalid_body', 'Cannot read the multipart body: it has no boundary')
}

/**
 * The parts of a multipart body in order, `form-data` or `attachment`. Throws `invalid_body` for a
 * broken one, and for more than `maxParts`.
 */
export function* readParts(
  bytes: Uint8Array,
  options: { readonly boundary: string; readonly maxParts: number },
): Generator<MultipartPart, void> {
  const { boundary, maxParts } = options
  try {
    yield* parseMultipart(skipPreamble(bytes, boundary), {
      boundary,
      maxParts,
      maxHeaderSize: MAX_PART_HEADER_BYTES,
      maxFileSize: bytes.byteLength,
      maxTotalSize: bytes.byteLength,
    })
  } catch (cause) {
    if (!(cause instanceof MultipartParseError)) throw cause
    throw new ServiceError('invalid_body', `Cannot read the multipart body: ${cause.message}`, {
      cause,
    })
  }
}

/** Bytes as text of one character each. */
export function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

/** A YAML document may start with `---` too: a part has headers. */
function hasPartHeaders(bytes: Uint8Array): boolean {
  return /\r?\ncontent-disposition:/i.test(latin1(bytes.subarray(0, 4096)))
}

/** Text before the first boundary is to be passed over (RFC 2046 5.1.1). */
function skipPreamble(bytes: Uint8Array, boundary: string): Uint8Array {
  const start = latin1(bytes.subarray(0, 1024)).indexOf(`--${boundary}`)
  return start > 0 ? bytes.subarray(start) : bytes
}
