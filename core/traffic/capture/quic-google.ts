import { decodeLatin1, findByte, normalizeHostName } from './host-names.ts'

interface Span {
  readonly at: number
  readonly end: number
}

const MAX_TAGS = 128
const CHLO = [0x43, 0x48, 0x4c, 0x4f]
const HEADER = 8

/**
 * Whether a datagram starts a connection of Google QUIC before version 50, which is not encrypted.
 * Its version follows the flags and connection ID, or from Q046 directly the flags.
 */
export function isGoogleQuic(bytes: Uint8Array, { at, end }: Span): boolean {
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
export function findGoogleServerName(bytes: Uint8Array, { at, end }: Span): string | undefined {
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
