import type { Cursor } from './frames.ts'

/** Sender of a frame, if the link layer contains it. */
export type Sender = 'us' | 'others' | undefined

const MAX_TAGS = 8
const ETHERNET = 1
const RAW_TYPES: readonly number[] = [12, 14, 101, 228, 229]
const NULL_TYPES: readonly number[] = [0, 108]
/** PPP, with and without HDLC framing, and Cisco HDLC. */
const PPP_TYPES: readonly number[] = [9, 50, 104]
const CISCO_FIRST: readonly number[] = [0x0f00, 0x8f00]
const PPP_OVER_ETHERNET = 51
const WIRELESS = 105
/** Radiotap and PPI, which precede a frame of another type. */
const RADIO = 127
const PER_PACKET = 192
const COOKED = 113
const COOKED_2 = 276
const IPV4 = 0x0800
const IPV6 = 0x86dd
const VLAN_TYPES: readonly number[] = [0x8100, 0x88a8, 0x9100, 0x9200]
const MPLS_TYPES: readonly number[] = [0x8847, 0x8848]
const PPPOE = 0x8864
const BRIDGED = 0x6558
const LONGEST_LLC = 1500

/** Whether frames of a link type are supported. */
export function isKnownLink(type: number): boolean {
  const others = [ETHERNET, COOKED, COOKED_2, PPP_OVER_ETHERNET, WIRELESS, RADIO, PER_PACKET]
  return [...RAW_TYPES, ...NULL_TYPES, ...PPP_TYPES, ...others].includes(type)
}

/** Moves the cursor from the start of a frame to its IP header; false if it has none. */
export function toNetworkLayer(cursor: Cursor, linkType: number): boolean {
  if (linkType === ETHERNET) return fromEthernet(cursor)
  if (RAW_TYPES.includes(linkType)) return isIpHeader(cursor)
  if (linkType === COOKED) return fromTyped(cursor, { typeAt: 14, bytes: 16 })
  if (linkType === COOKED_2) return fromTyped(cursor, { typeAt: 0, bytes: 20 })
  if (NULL_TYPES.includes(linkType)) {
    cursor.at += 4
    return isIpHeader(cursor)
  }
  if (PPP_TYPES.includes(linkType)) return fromPpp(cursor)
  if (linkType === PPP_OVER_ETHERNET) return fromSession(cursor)
  if (linkType === WIRELESS) return fromWireless(cursor)
  return (linkType === RADIO || linkType === PER_PACKET) && fromMeasured(cursor, linkType)
}

/** Returns the sender of a frame in a Linux cooked capture; undefined for other frames. */
export function readSender({ bytes, view, at, end }: Cursor, linkType: number): Sender {
  if (end - at < 20) return undefined
  const type = linkType === COOKED ? view.getUint16(at) : linkType === COOKED_2 ? bytes[at + 10] : 1
  return type === 4 ? 'us' : type === 0 ? 'others' : undefined
}

/** Moves past an Ethernet header of a frame or tunnel. */
export function fromEthernet(cursor: Cursor): boolean {
  return fromTyped(cursor, { typeAt: 12, bytes: 14 })
}

/** Moves past the header of a wireless frame. */
export function fromWireless(cursor: Cursor): boolean {
  const type = toWirelessType(cursor)
  return type !== undefined && fromEtherType(cursor, type)
}

/**
 * Moves past the layers that an Ethernet type announces, including tags and labels, to an IP
 * header.
 */
export function fromEtherType(cursor: Cursor, first: number): boolean {
  let type = first
  for (let tags = 0; tags < MAX_TAGS; tags += 1) {
    if (type === IPV4 || type === IPV6) return isIpHeader(cursor)
    if (VLAN_TYPES.includes(type)) {
      if (cursor.end - cursor.at < 4) return false
      type = cursor.view.getUint16(cursor.at + 2)
      cursor.at += 4
    } else if (MPLS_TYPES.includes(type)) {
      return fromLabels(cursor)
    } else if (type === PPPOE) {
      return fromSession(cursor)
    } else if (type === BRIDGED) {
      return fromEthernet(cursor)
    } else if (type <= LONGEST_LLC && cursor.end - cursor.at >= 8) {
      // SNAP, announced by an IEEE 802.3 length.
      if (cursor.view.getUint16(cursor.at) !== 0xaaaa) return false
      type = cursor.view.getUint16(cursor.at + 6)
      cursor.at += 8
    } else {
      return false
    }
  }
  return false
}

function fromTyped(
  cursor: Cursor,
  { typeAt, bytes }: { readonly typeAt: number; readonly bytes: number },
): boolean {
  if (cursor.end - cursor.at < bytes) return false
  const type = cursor.view.getUint16(cursor.at + typeAt)
  cursor.at += bytes
  return fromEtherType(cursor, type)
}

/** Moves past the receiver's measurements, which contain their own length. */
function fromMeasured(cursor: Cursor, linkType: number): boolean {
  const { view, at, end } = cursor
  if (end - at < 8) return false
  const inner = linkType === RADIO ? WIRELESS : view.getUint32(at + 4, true)
  cursor.at += view.getUint16(at + 2, true)
  return inner !== RADIO && inner !== PER_PACKET && toNetworkLayer(cursor, inner)
}

function fromSession(cursor: Cursor): boolean {
  cursor.at += 6
  return fromPpp(cursor)
}

function fromPpp(cursor: Cursor): boolean {
  if (cursor.end - cursor.at < 4) return false
  const first = cursor.view.getUint16(cursor.at)
  if (CISCO_FIRST.includes(first)) return fromTyped(cursor, { typeAt: 2, bytes: 4 })
  if (first === 0xff03) cursor.at += 2
  const isShort = ((cursor.bytes[cursor.at] ?? 0) & 1) === 1
  const protocol = isShort ? cursor.bytes[cursor.at] : cursor.view.getUint16(cursor.at)
  cursor.at += isShort ? 1 : 2
  return (protocol === 0x21 || protocol === 0x57) && isIpHeader(cursor)
}

function fromLabels(cursor: Cursor): boolean {
  for (let labels = 0; labels < MAX_TAGS && cursor.end - cursor.at >= 4; labels += 1) {
    const isLast = ((cursor.bytes[cursor.at + 2] ?? 0) & 1) === 1
    cursor.at += 4
    if (!isLast) continue
    if (isIpHeader(cursor)) return true
    // A pseudowire: a control word that starts with zeros, then Ethernet.
    if (((cursor.bytes[cursor.at] ?? 0) & 0xf0) === 0) cursor.at += 4
    return fromEthernet(cursor)
  }
  return false
}

function isIpHeader({ bytes, at, end }: Cursor): boolean {
  const version = (bytes[at] ?? 0) >> 4
  return (version === 4 && end - at >= 20) || (version === 6 && end - at >= 40)
}

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
function toWirelessType(cursor: Cursor): number | undefined {
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
