import type { Cursor, Frame } from './frames.ts'
import {
  fromEthernet,
  fromEtherType,
  fromWireless,
  readSender,
  type Sender,
  toNetworkLayer,
} from './link-layers.ts'
import { createReassembler } from './reassembler.ts'

/** A TCP segment or UDP datagram. The object is reused for the next packet. */
export interface Packet extends Cursor {
  protocol: number
  /** Source, then target, each as `AddressWords`. */
  readonly addresses: Uint32Array
  sourcePort: number
  targetPort: number
  timeMs: number
  sender: Sender
}

export const TCP = 6
const UDP = 17

const IPV4_IN_IP = 4
const IPV6_IN_IP = 41
const GRE = 47
const NO_HEADER = 59
const FRAGMENT = 44
const AUTHENTICATION = 51
const OPTIONS: readonly number[] = [0, 43, 60, 135, 139, 140]
const VXLAN_PORTS: readonly number[] = [4789, 8472]
const GTP_PORT = 2152
const CAPWAP_PORT = 5247
const TZSP_PORT = 37_008
const MAX_DEPTH = 8
const MAX_HEADERS = 16

/**
 * Finds TCP segments and UDP datagrams in frames. Supports IPv4 with options, IPv6 with extension
 * headers, and fragments of both. Also supports the tunnels IP in IP, GRE, VXLAN, GTP-U, CAPWAP and
 * TZSP. Calls `onPacket` with `at` at the TCP or UDP header.
 */
export function createPacketReader(onPacket: (packet: Packet) => void): (frame: Frame) => void {
  const bytes = new Uint8Array(0)
  const packet: Packet = {
    bytes,
    view: new DataView(bytes.buffer),
    at: 0,
    end: 0,
    protocol: 0,
    addresses: new Uint32Array(8),
    sourcePort: 0,
    targetPort: 0,
    timeMs: 0,
    sender: undefined,
  }
  const { addresses } = packet
  const reassembler = createReassembler()
  let depth = 0

  const readIp = () => {
    depth += 1
    if (depth > MAX_DEPTH) return
    const version = (packet.bytes[packet.at] ?? 0) >> 4
    if (version === 4) readIpv4()
    else if (version === 6) readIpv6()
  }
  const readIpv4 = () => {
    const { view, at } = packet
    if (packet.end - at < 20) return
    const headerBytes = ((packet.bytes[at] ?? 0) & 0x0f) * 4
    const length = view.getUint16(at + 2)
    if (headerBytes < 20) return
    // The length is 0 if the network card does segmentation.
    if (length >= headerBytes) packet.end = Math.min(packet.end, at + length)
    addresses[0] = addresses[1] = addresses[4] = addresses[5] = 0
    addresses[2] = addresses[6] = 0xffff
    addresses[3] = view.getUint32(at + 12)
    addresses[7] = view.getUint32(at + 16)
    const flags = view.getUint16(at + 6)
    const protocol = packet.bytes[at + 9] ?? 0
    packet.at = at + headerBytes
    if ((flags & 0x3fff) === 0) return readPayload(protocol)
    const id = view.getUint16(at + 4)
    readFragment({ protocol, id, offset: (flags & 0x1fff) * 8, hasMore: (flags & 0x2000) !== 0 })
  }
  const readIpv6 = () => {
    const { view, at } = packet
    if (packet.end - at < 40) return
    const length = view.getUint16(at + 4)
    if (length > 0) packet.end = Math.min(packet.end, at + 40 + length)
    for (let word = 0; word < 8; word += 1) addresses[word] = view.getUint32(at + 8 + word * 4)
    let next = packet.bytes[at + 6] ?? NO_HEADER
    packet.at = at + 40
    for (let headers = 0; headers < MAX_HEADERS; headers += 1) {
      const isOption = OPTIONS.includes(next)
      if (!isOption && next !== FRAGMENT && next !== AUTHENTICATION) return readPayload(next)
      if (packet.end - packet.at < 8) return
      const inner = packet.bytes[packet.at] ?? NO_HEADER
      if (next === FRAGMENT) {
        const flags = view.getUint16(packet.at + 2)
        const id = view.getUint32(packet.at + 4)
        packet.at += 8
        if ((flags & 0xfff9) !== 0) {
          const offset = flags & 0xfff8
          return readFragment({ protocol: inner, id, offset, hasMore: (flags & 1) !== 0 })
        }
      } else {
        const units = packet.bytes[packet.at + 1] ?? 0
        packet.at += isOption ? (units + 1) * 8 : (units + 2) * 4
      }
      next = inner
    }
  }
  const readFragment = ({
    protocol,
    id,
    offset,
    hasMore,
  }: {
    readonly protocol: number
    readonly id: number
    readonly offset: number
    readonly hasMore: boolean
  }) => {
    const key = `${addresses.join()},${protocol},${id}`
    const { at, end } = packet
    if (at > end) return
    const whole = reassembler.add({ key, bytes: packet.bytes, at, end, offset, hasMore })
    if (whole === undefined) return
    packet.bytes = whole
    packet.view = new DataView(whole.buffer, whole.byteOffset, whole.length)
    packet.at = 0
    packet.end = whole.length
    readPayload(protocol)
  }
  const readPayload = (protocol: number) => {
    if (protocol === TCP || protocol === UDP) {
      if (packet.end - packet.at < 8) return
      packet.protocol = protocol
      packet.sourcePort = packet.view.getUint16(packet.at)
      packet.targetPort = packet.view.getUint16(packet.at + 2)
      if (protocol === UDP && isTunnel()) return
      onPacket(packet)
    } else if (protocol === IPV4_IN_IP || protocol === IPV6_IN_IP) {
      readIp()
    } else if (protocol === GRE) {
      readGre()
    }
  }
  const readGre = () => {
    if (packet.end - packet.at < 4) return
    const flags = packet.view.getUint16(packet.at)
    const type = packet.view.getUint16(packet.at + 2)
    const optional = [0x8000, 0x2000, 0x1000, 0x0080].filter((flag) => flags & flag)
    packet.at += 4 + optional.length * 4
    // PPP in PPTP's GRE version 1, else an Ethernet type.
    if (type === 0x880b) packet.at -= 6
    if (fromEtherType(packet, type === 0x880b ? 0x8864 : type)) readIp()
  }
  /** Whether the datagram is a tunnel packet; if so, reads its content. */
  const isTunnel = (): boolean => {
    const { at, end, targetPort, view } = packet
    const body = at + 8
    const isVxlan = VXLAN_PORTS.includes(targetPort) && packet.bytes[body] === 0x08
    const isGtp = targetPort === GTP_PORT || packet.sourcePort === GTP_PORT
    const isCapwap = targetPort === CAPWAP_PORT || packet.sourcePort === CAPWAP_PORT
    if (isVxlan || isCapwap || targetPort === TZSP_PORT) {
      const isRead = isVxlan
        ? end - body > 22 && fromEthernet(move(body + 8))
        : isCapwap
          ? fromCapwap(move(body))
          : fromTzsp(move(body))
      if (isRead) readIp()
      else packet.at = at
      return isRead
    }
    if (isGtp && end - body > 28 && view.getUint16(body) >> 8 >= 0x30) {
      const flags = packet.bytes[body] ?? 0
      if (flags >> 5 !== 1 || packet.bytes[body + 1] !== 0xff) return false
      packet.at = body + 8
      if ((flags & 7) !== 0) skipGtpExtensions()
      readIp()
      return true
    }
    return false
  }
  const move = (at: number): Packet => {
    packet.at = at
    return packet
  }
  const skipGtpExtensions = () => {
    let next = packet.bytes[packet.at + 3] ?? 0
    packet.at += 4
    for (let count = 0; next !== 0 && count < MAX_HEADERS && packet.at < packet.end; count += 1) {
      const length = (packet.bytes[packet.at] ?? 0) * 4
      if (length === 0) return
      packet.at += length
      next = packet.bytes[packet.at - 1] ?? 0
    }
  }

  return (frame) => {
    packet.bytes = frame.bytes
    packet.view = frame.view
    packet.at = frame.at
    packet.end = frame.end
    packet.timeMs = frame.timeMs
    packet.sender = readSender(packet, frame.linkType)
    depth = 0
    if (toNetworkLayer(packet, frame.linkType)) readIp()
  }
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
