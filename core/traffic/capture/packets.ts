import type { Cursor, Frame } from './frames.ts'
import { readSender, type Sender, toNetworkLayer } from './link-layers.ts'
import { enterGre, enterTunnel } from './tunnels.ts'

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

/** A fragment of an IP datagram. */
interface Fragment {
  /** Identifies the datagram by addresses, protocol and identification. */
  readonly key: string
  readonly bytes: Uint8Array
  readonly at: number
  readonly end: number
  /** Position of the fragment in the datagram. */
  readonly offset: number
  readonly hasMore: boolean
}

interface Datagram {
  readonly fragments: { readonly offset: number; readonly bytes: Uint8Array }[]
  /** Known once the last fragment has arrived. */
  length: number | undefined
  /** Total size of all fragments. */
  bufferedBytes: number
}

/** Reassembles fragmented datagrams. */
interface Reassembler {
  /** Returns the datagram's payload once it is complete. */
  add(fragment: Fragment): Uint8Array | undefined
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
      if (protocol === UDP && enterTunnel(packet)) readIp()
      else onPacket(packet)
    } else if (protocol === IPV4_IN_IP || protocol === IPV6_IN_IP) {
      readIp()
    } else if (protocol === GRE && enterGre(packet)) {
      readIp()
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

const MAX_DATAGRAMS = 256
const MAX_FRAGMENTS = 64
const MAX_BYTES = 1 << 16
/** Includes overlaps. */
const MAX_BUFFERED_BYTES = 2 * MAX_BYTES

/**
 * Buffers at most 256 datagrams with 64 fragments and 128 KiB each, and evicts the oldest. In
 * overlaps, the fragment with the lower offset wins.
 */
function createReassembler(): Reassembler {
  const datagrams = new Map<string, Datagram>()
  return {
    add({ key, bytes, at, end, offset, hasMore }) {
      if (offset + end - at > MAX_BYTES) return undefined
      const datagram = datagrams.get(key) ?? { fragments: [], length: undefined, bufferedBytes: 0 }
      if (!datagrams.has(key)) {
        const [oldest] = datagrams.size < MAX_DATAGRAMS ? [] : datagrams.keys()
        if (oldest !== undefined) datagrams.delete(oldest)
        datagrams.set(key, datagram)
      }
      datagram.fragments.push({ offset, bytes: bytes.slice(at, end) })
      datagram.bufferedBytes += end - at
      if (!hasMore) datagram.length = offset + end - at
      const whole = joinFragments(datagram)
      const isFull =
        datagram.fragments.length >= MAX_FRAGMENTS || datagram.bufferedBytes > MAX_BUFFERED_BYTES
      if (whole !== undefined || isFull) datagrams.delete(key)
      return whole
    },
  }
}

function joinFragments({ fragments, length }: Datagram): Uint8Array | undefined {
  if (length === undefined) return undefined
  const whole = new Uint8Array(length)
  let filled = 0
  for (const { offset, bytes } of fragments.toSorted((a, b) => a.offset - b.offset)) {
    if (offset > filled) return undefined
    const fresh = bytes.subarray(filled - offset, Math.max(filled - offset, length - offset))
    whole.set(fresh, filled)
    filled += fresh.length
  }
  return filled >= length ? whole : undefined
}
