import { concatBytes } from '../../shared/bytes.ts'
import { decodeLatin1, normalizeHostName } from './host-names.ts'

/** TLS content at the start of a stream. */
export type Hello =
  | { readonly kind: 'none' | 'server' }
  | { readonly kind: 'partial'; readonly host: string | undefined }
  | { readonly kind: 'client'; readonly host: string | undefined }

interface Span {
  readonly at: number
  readonly end: number
}

const HANDSHAKE = 22
const CLIENT_HELLO = 1
const RECORD_HEADER = 5
const MAX_RECORD = 1 << 14
const MAX_RECORDS = 64
const SERVER_NAME = 0
const HOST_NAME = 0
const NONE: Hello = { kind: 'none' }

/** Whether bytes may start a TLS handshake record. */
export function isTlsHandshake(bytes: Uint8Array, { at, end }: Span): boolean {
  if (bytes[at] !== HANDSHAKE) return false
  const length = ((bytes[at + 3] ?? 0) << 8) | (bytes[at + 4] ?? 0)
  return (
    (end - at < 2 || bytes[at + 1] === 3) &&
    (end - at < 3 || (bytes[at + 2] ?? 0) <= 4) &&
    (end - at < 5 || (length > 0 && length <= MAX_RECORD + 2048)) &&
    (end - at < 6 || (bytes[at + 5] ?? 0) <= 2)
  )
}

/**
 * Reads the ClientHello at the start of a stream, over several records if needed (RFC 8446 5.1).
 * `partial` if bytes are missing; the name may already be known. With Encrypted Client Hello, the
 * name is the outer one.
 */
export function readTlsHello(bytes: Uint8Array, { at, end }: Span): Hello {
  if (!isTlsHandshake(bytes, { at, end })) return NONE
  const parts: Uint8Array[] = []
  let from = at
  for (let count = 0; count < MAX_RECORDS && end - from > RECORD_HEADER; count += 1) {
    if (bytes[from] !== HANDSHAKE) break
    const length = ((bytes[from + 3] ?? 0) << 8) | (bytes[from + 4] ?? 0)
    parts.push(bytes.subarray(from + RECORD_HEADER, Math.min(end, from + RECORD_HEADER + length)))
    from += RECORD_HEADER + length
  }
  return readHandshake(parts.length === 1 ? (parts[0] ?? new Uint8Array(0)) : concatBytes(parts))
}

/** Reads the ClientHello of a handshake message without a record layer, as in QUIC. */
export function readHandshake(message: Uint8Array): Hello {
  if (message.length === 0) return { kind: 'partial', host: undefined }
  if (message[0] !== CLIENT_HELLO) return message[0] === 2 ? { kind: 'server' } : NONE
  if (message.length < 4) return { kind: 'partial', host: undefined }
  const length = ((message[1] ?? 0) << 16) | ((message[2] ?? 0) << 8) | (message[3] ?? 0)
  const end = Math.min(message.length, 4 + length)
  const host = findServerName(message, { at: 4, end })
  return { kind: end < 4 + length ? 'partial' : 'client', host }
}

/** Reads the ClientHello of a DTLS datagram, if it fits into one (RFC 6347 4.2). */
export function readDtlsHello(bytes: Uint8Array, { at, end }: Span): Hello {
  const isVersion = bytes[at + 1] === 0xfe && (bytes[at + 2] ?? 0) >= 0xfc
  if (bytes[at] !== HANDSHAKE || !isVersion || end - at < 40) return NONE
  if (bytes[at + 13] !== CLIENT_HELLO) return { kind: 'server' }
  return { kind: 'client', host: findServerName(bytes, { at: at + 25, end, isDtls: true }) }
}

/** Finds the server name in the extensions of a ClientHello's body (RFC 8446 4.1.2, RFC 6066 3). */
function findServerName(
  bytes: Uint8Array,
  { at, end, isDtls = false }: Span & { readonly isDtls?: boolean },
): string | undefined {
  const u8 = (from: number) => (from < end ? (bytes[from] ?? 0) : 0)
  const u16 = (from: number) => (u8(from) << 8) | u8(from + 1)
  let from = at + 34
  from += 1 + u8(from)
  if (isDtls) from += 1 + u8(from)
  from += 2 + u16(from)
  from += 1 + u8(from)
  const last = Math.min(end, from + 2 + u16(from))
  from += 2
  while (from + 4 <= last) {
    const length = u16(from + 2)
    if (u16(from) === SERVER_NAME) {
      const nameAt = from + 9
      const nameEnd = nameAt + u16(from + 7)
      if (u8(from + 6) !== HOST_NAME || nameEnd > end) return undefined
      return normalizeHostName(decodeLatin1(bytes, { at: nameAt, end: nameEnd }))
    }
    from += 4 + length
  }
  return undefined
}
