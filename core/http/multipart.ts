import {
  MultipartParseError,
  MultipartParser,
  type MultipartPart,
} from '@remix-run/multipart-parser'
import { ServiceError } from '../errors.ts'
import { decodeUtf8 } from './body.ts'

const SNIFFED_BOUNDARY = /^--([^\r\n]{1,70})\r?\n/
const MAX_PART_HEADER_BYTES = 16 * 1024
/** Bytes searched for boundaries in one step: a millisecond at most. */
const CHUNK_BYTES = 256 * 1024

/**
 * Finds the boundary of a multipart body, in its first bytes or its content type. Returns undefined
 * for any other body. Throws `invalid_body` for a declared multipart body without a boundary.
 */
export function findMultipartBoundary(bytes: Uint8Array, contentType: string): string | undefined {
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
 * Yields the parts of a multipart body in order, `form-data` or `attachment`. Yields undefined at
 * points where the caller may yield to the event loop. Throws `invalid_body` for a malformed body,
 * and for more than `maxParts`.
 */
export function* readMultipartParts(
  bytes: Uint8Array,
  options: { readonly boundary: string; readonly maxParts: number },
): Generator<MultipartPart | undefined, void> {
  const { boundary, maxParts } = options
  const body = skipPreamble(bytes, boundary)
  try {
    const parser = new MultipartParser(boundary, {
      maxParts,
      maxHeaderSize: MAX_PART_HEADER_BYTES,
      maxFileSize: bytes.byteLength,
      maxTotalSize: bytes.byteLength,
    })
    for (let start = 0; start < body.byteLength; start += CHUNK_BYTES) {
      yield* parser.write(body.subarray(start, start + CHUNK_BYTES))
      // Ignores the bytes after the last boundary: the parser would reject them.
      if (hasFinished(parser)) return
      yield
    }
    parser.finish()
  } catch (cause) {
    if (!(cause instanceof MultipartParseError)) throw cause
    throw new ServiceError('invalid_body', `Cannot read the multipart body: ${cause.message}`, {
      cause,
    })
  }
}

/**
 * Creates a reader for the text fields of one form. It throws `too_large` before decoding if all of
 * them together exceed `maxBytes`, and `invalid_body` for invalid UTF-8.
 */
export function createPartTextReader(maxBytes: number): (part: MultipartPart) => string {
  let length = 0
  return (part) => {
    length += part.size
    if (length <= maxBytes) return decodeUtf8(part.bytes)
    const detail = `Cannot read the multipart body: at most ${maxBytes} bytes are accepted besides its files`
    throw new ServiceError('too_large', detail)
  }
}

/**
 * Returns the content of a part, without copying if its chunks are contiguous, as those of a file
 * usually are.
 */
export function getPartBytes(part: MultipartPart): Uint8Array {
  const [first] = part.content
  if (!first) return new Uint8Array(0)
  let end = first.byteOffset
  for (const { buffer, byteOffset, byteLength } of part.content) {
    if (buffer !== first.buffer || byteOffset !== end) return part.bytes
    end += byteLength
  }
  return new Uint8Array(first.buffer, first.byteOffset, end - first.byteOffset)
}

/** Converts bytes to text, one character for each byte. */
export function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

/** A YAML document may also start with `---`, so the part must have headers. */
function hasPartHeaders(bytes: Uint8Array): boolean {
  return /\r?\ncontent-disposition:/i.test(latin1(bytes.subarray(0, 4096)))
}

function hasFinished(parser: MultipartParser): boolean {
  try {
    parser.finish()
    return true
  } catch {
    return false
  }
}

/** Skips text before the first boundary (RFC 2046 5.1.1). */
function skipPreamble(bytes: Uint8Array, boundary: string): Uint8Array {
  const start = latin1(bytes.subarray(0, 1024)).indexOf(`--${boundary}`)
  return start > 0 ? bytes.subarray(start) : bytes
}
