import type { Cursor } from './frames.ts'
import { fromEthernet, fromEtherType, fromWireless } from './link-layers.ts'

const VXLAN_PORTS: readonly number[] = [4789, 8472]
const GTP_PORT = 2152
const CAPWAP_PORT = 5247
const TZSP_PORT = 37_008
const MAX_EXTENSIONS = 16

/** Moves from a GRE header to the IP packet inside; false if there is none. */
export function enterGre(cursor: Cursor): boolean {
  if (cursor.end - cursor.at < 4) return false
  const flags = cursor.view.getUint16(cursor.at)
  const type = cursor.view.getUint16(cursor.at + 2)
  const optional = [0x8000, 0x2000, 0x1000, 0x0080].filter((flag) => flags & flag)
  cursor.at += 4 + optional.length * 4
  // PPP in PPTP's GRE version 1, else an Ethernet type.
  if (type === 0x880b) cursor.at -= 6
  return fromEtherType(cursor, type === 0x880b ? 0x8864 : type)
}

/**
 * Moves from a UDP header to the IP packet inside VXLAN, GTP-U, CAPWAP or TZSP. Does not move and
 * returns false if there is none.
 */
export function enterTunnel(
  cursor: Cursor & { readonly sourcePort: number; readonly targetPort: number },
): boolean {
  const { at, sourcePort, targetPort } = cursor
  cursor.at = at + 8
  const isVxlan = VXLAN_PORTS.includes(targetPort) && cursor.bytes[cursor.at] === 0x08
  const isEntered = isVxlan
    ? fromVxlan(cursor)
    : targetPort === CAPWAP_PORT || sourcePort === CAPWAP_PORT
      ? fromCapwap(cursor)
      : targetPort === TZSP_PORT
        ? fromTzsp(cursor)
        : (targetPort === GTP_PORT || sourcePort === GTP_PORT) && fromGtp(cursor)
  if (!isEntered) cursor.at = at
  return isEntered
}

function fromVxlan(cursor: Cursor): boolean {
  if (cursor.end - cursor.at <= 22) return false
  cursor.at += 8
  return fromEthernet(cursor)
}

/** Reads a user packet (3GPP TS 29.281) of version 1, after its extension headers. */
function fromGtp(cursor: Cursor): boolean {
  const { bytes, at, end } = cursor
  if (end - at <= 28) return false
  const flags = bytes[at] ?? 0
  if (flags < 0x30 || flags >> 5 !== 1 || bytes[at + 1] !== 0xff) return false
  cursor.at += 8
  if ((flags & 7) === 0) return true
  let next = bytes[cursor.at + 3] ?? 0
  cursor.at += 4
  for (let count = 0; next !== 0 && count < MAX_EXTENSIONS && cursor.at < end; count += 1) {
    const length = (bytes[cursor.at] ?? 0) * 4
    if (length === 0) break
    cursor.at += length
    next = bytes[cursor.at - 1] ?? 0
  }
  return true
}

/** Reads the data of wireless access points (RFC 5415 4.3): wireless or Ethernet frames. */
function fromCapwap(cursor: Cursor): boolean {
  const { bytes, at, end } = cursor
  if (end - at < 8 || ((bytes[at] ?? 0) & 0x0f) !== 0) return false
  const isWireless = ((bytes[at + 2] ?? 0) & 1) === 1
  cursor.at += ((bytes[at + 1] ?? 0) & 0xf8) >> 1
  return isWireless ? fromWireless(cursor) : fromEthernet(cursor)
}

/** Reads a frame forwarded by a sniffer: tags up to an end tag, then Ethernet. */
function fromTzsp(cursor: Cursor): boolean {
  const { bytes, view, at, end } = cursor
  if (end - at < 5 || view.getUint32(at) !== 0x01000001) return false
  cursor.at += 4
  while (cursor.at < end) {
    const tag = bytes[cursor.at]
    cursor.at += tag === 0 || tag === 1 ? 1 : 2 + (bytes[cursor.at + 1] ?? 0)
    if (tag === 1) return fromEthernet(cursor)
  }
  return false
}
