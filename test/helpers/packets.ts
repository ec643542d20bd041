import { concatBytes } from '../../core/shared/bytes.ts'

/** Builders of captured packets, from the inside out. Addresses are IPv4 or IPv6 strings. */

/** One end of a conversation. */
export interface Place {
  readonly ip: string
  readonly port: number
}

/** The two ends of a packet. */
export interface Way {
  readonly from: Place
  readonly to: Place
}

export interface TcpParts {
  readonly sequence?: number
  /** Letters of S, A, F, R. */
  readonly flags?: string
  readonly payload?: Uint8Array
}

const FLAGS: Readonly<Record<string, number>> = { F: 1, S: 2, R: 4, A: 16 }
const LOWEST_PORT_BYTES = 20

export function toAsciiBytes(value: string): Uint8Array {
  return Uint8Array.from(value, (letter) => letter.charCodeAt(0))
}

export function hex(value: string): Uint8Array {
  return Uint8Array.from(value.replaceAll(/\s/g, '').match(/../g) ?? [], (pair) =>
    Number.parseInt(pair, 16),
  )
}

export function u16(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff)
}

export function u32(value: number): Uint8Array {
  return concatBytes([u16(value >>> 16), u16(value & 0xffff)])
}

/** An IP packet with a TCP segment. */
export function tcp(
  way: Way,
  { sequence = 1, flags = 'A', payload = new Uint8Array(0) }: TcpParts = {},
): Uint8Array {
  const bits = [...flags].reduce((all, letter) => all | (FLAGS[letter] ?? 0), 0)
  const header = concatBytes([
    u16(way.from.port),
    u16(way.to.port),
    u32(sequence),
    u32(0),
    Uint8Array.of((LOWEST_PORT_BYTES / 4) << 4, bits),
    u16(65535),
    u32(0),
  ])
  return ip(way, { protocol: 6, payload: concatBytes([header, payload]) })
}

/** An IP packet with a UDP datagram. */
export function udp(way: Way, payload: Uint8Array): Uint8Array {
  const header = [u16(way.from.port), u16(way.to.port), u16(8 + payload.length), u16(0)]
  return ip(way, { protocol: 17, payload: concatBytes([...header, payload]) })
}

export interface IpParts {
  readonly protocol: number
  readonly payload: Uint8Array
  /** IPv4 options, a multiple of 4 bytes. */
  readonly options?: Uint8Array
  /** Offset of a fragment, and whether more follow. */
  readonly fragment?: { readonly offset: number; readonly hasMore: boolean }
}

/** Builds an IPv4 or IPv6 packet, depending on the addresses. */
export function ip(
  { from, to }: { readonly from: { readonly ip: string }; readonly to: { readonly ip: string } },
  { protocol, payload, options = new Uint8Array(0), fragment }: IpParts,
): Uint8Array {
  const addresses = [address(from.ip), address(to.ip)]
  if (from.ip.includes(':')) {
    const piece =
      fragment &&
      concatBytes([
        Uint8Array.of(protocol, 0),
        u16(fragment.offset | (fragment.hasMore ? 1 : 0)),
        u32(7),
      ])
    const body = concatBytes([piece ?? new Uint8Array(0), payload])
    const next = Uint8Array.of(piece ? 44 : protocol, 64)
    return concatBytes([u32(0x60000000), u16(body.length), next, ...addresses, body])
  }
  const headerBytes = 20 + options.length
  const flags = fragment ? (fragment.offset >> 3) | (fragment.hasMore ? 0x2000 : 0) : 0
  return concatBytes([
    Uint8Array.of(0x40 | (headerBytes / 4), 0),
    u16(headerBytes + payload.length),
    u16(7),
    u16(flags),
    Uint8Array.of(64, protocol, 0, 0),
    ...addresses,
    options,
    payload,
  ])
}

/** Builds an Ethernet frame around an IP packet, with optional VLAN tags. */
export function ethernet(packet: Uint8Array, vlans: readonly number[] = []): Uint8Array {
  const type = (packet[0] ?? 0) >> 4 === 6 ? 0x86dd : 0x0800
  const tags = vlans.flatMap((vlan) => [u16(0x8100), u16(vlan)])
  return concatBytes([new Uint8Array(12), ...tags, u16(type), packet])
}

function address(value: string): Uint8Array {
  if (!value.includes(':')) return Uint8Array.from(value.split('.'), Number)
  const [before = '', after] = value.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const tail = after === undefined ? [] : groups(after)
  const head = groups(before)
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return concatBytes([...head, ...zeros, ...tail].map((group) => u16(Number.parseInt(group, 16))))
}
