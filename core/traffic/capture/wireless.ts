import type { Cursor } from './frames.ts'

const HEADER = 24
const SNAP = 8
const DATA = 2
const NO_BODY = 0x40
const QUALITY = 0x80
const BOTH_WAYS = 3
const PROTECTED = 0x40
const ORDER = 0x80
const ADDRESS = 6

/**
 * Moves past the header of a data frame (IEEE 802.11 9.3.2) and returns the Ethernet type of its
 * content. Undefined for encrypted frames and other types.
 */
export function toWirelessType(cursor: Cursor): number | undefined {
  // Some controllers swap the two bytes of frame control.
  return readType(cursor, { kindAt: 0, flagsAt: 1 }) ?? readType(cursor, { kindAt: 1, flagsAt: 0 })
}

function readType(
  cursor: Cursor,
  { kindAt, flagsAt }: { readonly kindAt: number; readonly flagsAt: number },
): number | undefined {
  const { bytes, view, at, end } = cursor
  const kind = bytes[at + kindAt] ?? 0
  const flags = bytes[at + flagsAt] ?? 0
  const isData = (kind & 3) === 0 && ((kind >> 2) & 3) === DATA && (kind & NO_BODY) === 0
  if (!isData || (flags & PROTECTED) !== 0) return undefined
  const addresses = (flags & BOTH_WAYS) === BOTH_WAYS ? ADDRESS : 0
  const quality = (kind & QUALITY) === 0 ? 0 : (flags & ORDER) === 0 ? 2 : 6
  const snapAt = at + HEADER + addresses + quality
  if (end - snapAt < SNAP || view.getUint16(snapAt) !== 0xaaaa) return undefined
  cursor.at = snapAt + SNAP
  return view.getUint16(snapAt + 6)
}
