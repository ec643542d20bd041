import { concatBytes } from '../../../shared/bytes.ts'
import { type RequestHead, readAuthority, removeQuery } from '../http.ts'
import type { Span } from '../tcp-stream.ts'
import { createHpackReader, type HeaderField } from './hpack.ts'

/** Reads HTTP/2 requests from the client's direction, without TLS. */
export interface Http2Reader {
  /**
   * Returns the number of consumed bytes, or -1 if invalid. Exceeds the available bytes to skip
   * bytes that have not arrived.
   */
  read(bytes: Uint8Array, span: Span): number
}

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
const FRAME_HEADER = 9
const HEADERS = 1
const CONTINUATION = 9
const END_HEADERS = 4
const PADDED = 8
const PRIORITY = 32
const MAX_BLOCK = 1 << 13
const BROKEN = -1
const METHOD = /^[a-z][a-z_-]{2,19}$/

/** Whether bytes match the HTTP/2 client preface, or its start if they are shorter. */
export function isHttp2Preface(bytes: Uint8Array, { at, end }: Span): boolean {
  const length = Math.min(PREFACE.length, end - at)
  for (let index = 0; index < length; index += 1) {
    if (bytes[at + index] !== PREFACE.charCodeAt(index)) return false
  }
  return true
}

/** Creates a reader that starts at the preface (RFC 9113 3.4, 4.1). */
export function createHttp2Reader(onRequest: (head: RequestHead) => void): Http2Reader {
  const hpack = createHpackReader()
  let hasPreface = false
  let block: Uint8Array[] = []
  let blockBytes = 0

  const readBlock = (part: Uint8Array, isLast: boolean): boolean => {
    blockBytes += part.length
    if (blockBytes > MAX_BLOCK) return false
    if (part.length > 0) block.push(part.slice())
    if (!isLast) return true
    const fields = hpack.read(concatBytes(block))
    block = []
    blockBytes = 0
    if (fields === undefined) return false
    const head = toRequestHead(fields)
    if (head !== undefined) onRequest(head)
    return true
  }

  return {
    read(bytes, { at, end }) {
      if (!hasPreface) {
        if (end - at < PREFACE.length) return 0
        hasPreface = true
        return PREFACE.length
      }
      if (end - at < FRAME_HEADER) return 0
      const length = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
      const type = bytes[at + 3]
      const flags = bytes[at + 4] ?? 0
      const whole = FRAME_HEADER + length
      if (type !== HEADERS && type !== CONTINUATION) return whole
      if (length > MAX_BLOCK) return BROKEN
      if (end - at < whole) return 0
      let from = at + FRAME_HEADER
      let last = at + whole
      if (type === HEADERS && (flags & PADDED) !== 0) {
        last -= bytes[from] ?? 0
        from += 1
      }
      if (type === HEADERS && (flags & PRIORITY) !== 0) from += 5
      if (from > last) return BROKEN
      return readBlock(bytes.subarray(from, last), (flags & END_HEADERS) !== 0) ? whole : BROKEN
    },
  }
}

/** Converts header fields to a request head; undefined for trailers and invalid methods. */
function toRequestHead(fields: readonly HeaderField[]): RequestHead | undefined {
  const field = (wanted: string) => fields.find(({ name }) => name === wanted)?.value
  const method = field(':method')?.toLowerCase()
  if (method === undefined || !METHOD.test(method)) return undefined
  const path = removeQuery(field(':path') ?? '')
  return {
    ...readAuthority(field(':authority') ?? field('host') ?? ''),
    method,
    scheme: 'http',
    path: path.startsWith('/') ? path : undefined,
    isChunked: false,
    bodyBytes: 0,
  }
}
