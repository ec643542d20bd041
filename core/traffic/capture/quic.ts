import type { Budget } from './byte-buffer.ts'
import { decryptGcm } from './crypto/gcm.ts'
import { decodeLatin1, findByte, normalizeHostName } from './host-names.ts'
import { deriveInitialKeys, getSalts, type InitialKeys, isVersion2 } from './quic-keys.ts'
import { readHandshake } from './tls.ts'

/** ClientHello content of a client's datagram. */
export type QuicHello =
  | { readonly kind: 'none' }
  /** The ClientHello continues in later datagrams. */
  | { readonly kind: 'partial' }
  | { readonly kind: 'client'; readonly host: string | undefined }

/** Reads the datagrams of one client. */
export interface QuicReader {
  read(bytes: Uint8Array, span: Span): QuicHello
  /** Releases buffered bytes. */
  close(): void
}

interface Span {
  readonly at: number
  readonly end: number
}

/** An Initial packet in a datagram (RFC 9000 17.2.2). */
interface InitialPacket {
  readonly version: number
  readonly connectionId: Uint8Array
  readonly start: number
  readonly numberAt: number
  readonly end: number
}

const LONG_HEADER = 0x80
const MAX_CONNECTION_ID = 20
const MAX_COALESCED = 8
const MAX_HELLO = 1 << 15
const MAX_CHUNKS = 256
const SAMPLE = 16
const TAG = 16
const PADDING = 0
const PING = 1
const ACK = 2
const ACK_ECN = 3
const CRYPTO = 6
/** Type of CRYPTO frames in Google's versions 50 and 51. */
const GOOGLE_CRYPTO = 8

/** Whether a datagram may start a QUIC connection of a known version. */
export function isQuic(bytes: Uint8Array, { at, end }: Span): boolean {
  if (isGoogleQuic(bytes, { at, end })) return true
  if (end - at < 20 || ((bytes[at] ?? 0) & LONG_HEADER) === 0) return false
  return getSalts(readVersion(bytes, at)).length > 0 && (bytes[at + 5] ?? 0) <= MAX_CONNECTION_ID
}

/**
 * Creates a reader that decrypts a client's Initial packets until its ClientHello shows the host.
 * Supports several packets per datagram, and a ClientHello over several datagrams. Uses the keys of
 * the first connection ID, or if they do not fit, those of the packet's own ID.
 */
export function createQuicReader(budget: Budget): QuicReader {
  let cryptoChunks: { readonly offset: number; readonly bytes: Uint8Array }[] = []
  let keys: InitialKeys | undefined
  let bufferedBytes = 0

  const decryptPacket = (bytes: Uint8Array, packet: InitialPacket): Uint8Array | undefined => {
    const known = keys && decryptInitial(keys, { bytes, packet })
    if (known) return known
    const { version, connectionId } = packet
    for (const salt of getSalts(version)) {
      const own = deriveInitialKeys({ salt, connectionId, version })
      const plain = decryptInitial(own, { bytes, packet })
      if (plain === undefined) continue
      keys = own
      return plain
    }
    return undefined
  }
  const collectCryptoChunks = (plain: Uint8Array) => {
    for (const piece of readCryptoFrames(plain)) {
      const { length } = piece.bytes
      const isFull = cryptoChunks.length >= MAX_CHUNKS || bufferedBytes + length > MAX_HELLO
      if (isFull || budget.used + length > budget.limit) return
      bufferedBytes += length
      budget.used += length
      cryptoChunks.push({ ...piece, bytes: piece.bytes.slice() })
    }
  }

  return {
    read(bytes, span) {
      if (isGoogleQuic(bytes, span)) {
        const host = findGoogleServerName(bytes, span)
        return host === undefined ? { kind: 'partial' } : { kind: 'client', host }
      }
      let isOpened = false
      for (const packet of readInitials(bytes, span)) {
        const plain = decryptPacket(bytes, packet)
        if (plain === undefined) continue
        isOpened = true
        const host = findGoogleServerName(plain, { at: 0, end: plain.length })
        if (host !== undefined) return { kind: 'client', host }
        collectCryptoChunks(plain)
      }
      if (!isOpened) return { kind: 'none' }
      const hello = readHandshake(joinCryptoChunks(cryptoChunks))
      if (hello.kind === 'client') return hello
      if (hello.kind === 'partial' && hello.host !== undefined) return { ...hello, kind: 'client' }
      return { kind: 'partial' }
    },
    close() {
      budget.used -= bufferedBytes
      bufferedBytes = 0
      cryptoChunks = []
    },
  }
}

/** Reads the Initial packets of a datagram; skips packets of other types. */
function readInitials(bytes: Uint8Array, { at, end }: Span): readonly InitialPacket[] {
  const packets: InitialPacket[] = []
  let from = at
  for (let count = 0; count < MAX_COALESCED && end - from > 7; count += 1) {
    const first = bytes[from] ?? 0
    const version = readVersion(bytes, from)
    if ((first & LONG_HEADER) === 0 || getSalts(version).length === 0) break
    const idBytes = bytes[from + 5] ?? 0
    const sourceIdAt = from + 6 + idBytes
    if (idBytes > MAX_CONNECTION_ID || sourceIdAt >= end) break
    const cursor = { bytes, at: sourceIdAt + 1 + (bytes[sourceIdAt] ?? 0), end }
    const type = (first >> 4) & 3
    const isInitial = type === (isVersion2(version) ? 1 : 0)
    const isRetry = type === (isVersion2(version) ? 0 : 3)
    if (isRetry) break
    if (isInitial) {
      const tokenBytes = readVariableInteger(cursor)
      cursor.at += tokenBytes
    }
    const length = readVariableInteger(cursor)
    const last = Math.min(end, cursor.at + length)
    if (isInitial && cursor.at + 4 + SAMPLE <= last) {
      const connectionId = bytes.subarray(from + 6, sourceIdAt)
      packets.push({ version, connectionId, start: from, numberAt: cursor.at, end: last })
    }
    if (last <= from) break
    from = last
  }
  return packets
}

/** Removes header protection, then decrypts the packet (RFC 9001 5.3, 5.4). */
function decryptInitial(
  { cipher, iv, headerCipher }: InitialKeys,
  { bytes, packet }: { readonly bytes: Uint8Array; readonly packet: InitialPacket },
): Uint8Array | undefined {
  const { start, numberAt, end } = packet
  const mask = new Uint8Array(16)
  headerCipher.encryptBlock(bytes, { start: numberAt + 4, output: mask })
  const first = (bytes[start] ?? 0) ^ ((mask[0] ?? 0) & 0x0f)
  const numberBytes = (first & 3) + 1
  if (end - numberAt - numberBytes < TAG) return undefined
  const header = bytes.slice(start, numberAt + numberBytes)
  header[0] = first
  const nonce = iv.slice()
  for (let index = 0; index < numberBytes; index += 1) {
    const byte = (bytes[numberAt + index] ?? 0) ^ (mask[index + 1] ?? 0)
    header[numberAt - start + index] = byte
    const place = 12 - numberBytes + index
    nonce[place] = (nonce[place] ?? 0) ^ byte
  }
  const sealed = bytes.subarray(numberAt + numberBytes, end)
  return decryptGcm(cipher, { nonce, associated: header, ciphertext: sealed })
}

/**
 * Reads the CRYPTO frames of a packet (RFC 9000 19.6). Stops at a frame that Initial packets cannot
 * contain.
 */
function readCryptoFrames(plain: Uint8Array) {
  const pieces: { readonly offset: number; readonly bytes: Uint8Array }[] = []
  const cursor = { bytes: plain, at: 0, end: plain.length }
  while (cursor.at < plain.length) {
    const type = plain[cursor.at]
    cursor.at += 1
    if (type === PADDING || type === PING) continue
    if (type === CRYPTO || type === GOOGLE_CRYPTO) {
      const offset = readVariableInteger(cursor)
      const length = readVariableInteger(cursor)
      pieces.push({ offset, bytes: plain.subarray(cursor.at, cursor.at + length) })
      cursor.at += length
    } else if (type === ACK || type === ACK_ECN) {
      readVariableInteger(cursor)
      readVariableInteger(cursor)
      const ranges = readVariableInteger(cursor)
      const fields = 1 + Math.min(ranges, plain.length) * 2 + (type === ACK_ECN ? 3 : 0)
      for (let field = 0; field < fields; field += 1) readVariableInteger(cursor)
    } else {
      break
    }
  }
  return pieces
}

/** Joins the contiguous bytes from the start of the stream. */
function joinCryptoChunks(
  pieces: readonly { readonly offset: number; readonly bytes: Uint8Array }[],
): Uint8Array {
  const joined = new Uint8Array(MAX_HELLO)
  let filled = 0
  for (const { offset, bytes } of pieces.toSorted((a, b) => a.offset - b.offset)) {
    if (offset > filled) break
    const fresh = bytes.subarray(filled - offset, MAX_HELLO - offset)
    joined.set(fresh, filled)
    filled += fresh.length
  }
  return joined.subarray(0, filled)
}

/** Reads a variable-length integer (RFC 9000 16). */
function readVariableInteger(cursor: {
  readonly bytes: Uint8Array
  at: number
  readonly end: number
}): number {
  const first = cursor.bytes[cursor.at] ?? 0
  const length = 1 << (first >> 6)
  let value = first & 0x3f
  for (let index = 1; index < length; index += 1) {
    value = value * 256 + (cursor.bytes[cursor.at + index] ?? 0)
  }
  cursor.at += length
  return value
}

function readVersion(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at + 1, at + 5)
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
}

const MAX_TAGS = 128
const CHLO = [0x43, 0x48, 0x4c, 0x4f]
const HEADER = 8

/**
 * Whether a datagram starts a connection of Google QUIC before version 50, which is not encrypted.
 * Its version follows the flags and connection ID, or from Q046 directly the flags.
 */
function isGoogleQuic(bytes: Uint8Array, { at, end }: Span): boolean {
  if (end - at < 24) return false
  const flags = bytes[at] ?? 0
  const isLong = (flags & 0xc0) === 0xc0
  const hasVersion = (flags & 0x81) === 0x01
  const versionAt = isLong ? at + 1 : at + ((flags & 0x08) === 0 ? 1 : 9)
  if (!isLong && !hasVersion) return false
  const [letter, zero, tens = 0, ones = 0] = bytes.subarray(versionAt, versionAt + 4)
  const isDigits = ones >= 0x30 && ones <= 0x39 && tens >= 0x30 && tens <= 0x34
  return letter === 0x51 && zero === 0x30 && isDigits
}

/** Finds the server name in a CHLO message at any position in the bytes. */
function findGoogleServerName(bytes: Uint8Array, { at, end }: Span): string | undefined {
  const messageAt = findMessage(bytes, { at, end })
  if (messageAt === -1) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const tags = Math.min(view.getUint16(messageAt + 4, true), MAX_TAGS)
  const valuesAt = messageAt + HEADER + view.getUint16(messageAt + 4, true) * 8
  let valueAt = valuesAt
  for (let tag = 0; tag < tags; tag += 1) {
    const tagAt = messageAt + HEADER + tag * 8
    if (tagAt + 8 > end) return undefined
    const valueEnd = valuesAt + view.getUint32(tagAt + 4, true)
    const isName = view.getUint32(tagAt) === 0x534e4900
    if (isName) {
      if (valueEnd > end || valueEnd < valueAt) return undefined
      return normalizeHostName(decodeLatin1(bytes, { at: valueAt, end: valueEnd }))
    }
    valueAt = valueEnd
  }
  return undefined
}

function findMessage(bytes: Uint8Array, { at, end }: Span): number {
  const [first = 0] = CHLO
  for (
    let from = findByte(bytes, { at, end, byte: first });
    from !== -1 && from + HEADER <= end;
  ) {
    if (CHLO.every((letter, index) => bytes[from + index] === letter)) return from
    from = findByte(bytes, { at: from + 1, end, byte: first })
  }
  return -1
}
