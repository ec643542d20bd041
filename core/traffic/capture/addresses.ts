import { isIpAddress } from '../../shared/urls.ts'

/**
 * An IP address as four 32-bit numbers, most significant first. IPv4 addresses are mapped: 0, 0,
 * 0xffff, address (RFC 4291 2.5.5.2).
 */
export type AddressWords = readonly [number, number, number, number]

const MAPPED = 0xffff

/** Formats an address as in RFC 5952. */
export function formatAddress([a, b, c, d]: AddressWords): string {
  if (a === 0 && b === 0 && c === MAPPED) return formatIpv4(d)
  const groups = [a, b, c, d].flatMap((word) => [word >>> 16, word & 0xffff])
  let [longestAt, longest] = [-1, 1]
  for (let at = 0; at < 8; at += 1) {
    let length = 0
    while (at + length < 8 && groups[at + length] === 0) length += 1
    if (length > longest) [longestAt, longest] = [at, length]
  }
  const spell = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':')
  if (longestAt === -1) return spell(groups)
  return `${spell(groups.slice(0, longestAt))}::${spell(groups.slice(longestAt + longest))}`
}

/** Converts 4 or 16 bytes to an address; other lengths yield the unspecified address. */
export function toAddressWords(bytes: Uint8Array): AddressWords {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  if (bytes.length === 4) return [0, 0, MAPPED, view.getUint32(0)]
  if (bytes.length !== 16) return [0, 0, 0, 0]
  return [view.getUint32(0), view.getUint32(4), view.getUint32(8), view.getUint32(12)]
}

/** Parses an address; IPv6 without brackets and zone. Undefined if invalid. */
export function parseAddress(text: string): AddressWords | undefined {
  if (!isIpAddress(text)) return undefined
  if (!text.includes(':')) return toAddressWords(Uint8Array.from(text.split('.'), Number))
  const [before = '', after] = normalizeAddress(text).split('::')
  const toGroups = (part: string) => (part === '' ? [] : part.split(':'))
  const [high, low] = [toGroups(before), toGroups(after ?? '')]
  const zeros = Array.from({ length: 8 - high.length - low.length }, () => '0')
  const bytes = [...high, ...zeros, ...low].flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
  return toAddressWords(Uint8Array.from(bytes))
}

/** Whether the first `bits` (of 128) of two addresses are equal. */
export function hasSamePrefix(
  address: AddressWords,
  { other, bits }: { readonly other: AddressWords; readonly bits: number },
): boolean {
  return address.every((word, at) => {
    const shared = Math.min(32, Math.max(0, bits - at * 32))
    const mask = shared === 0 ? 0 : -1 << (32 - shared)
    return ((word ^ (other[at] ?? 0)) & mask) === 0
  })
}

/** Normalises a user's address to RFC 5952; returns other text trimmed and in lower case. */
export function normalizeAddress(text: string): string {
  const trimmed = text.trim().toLowerCase()
  if (!trimmed.includes(':')) return trimmed
  const url = URL.parse(`http://[${trimmed}]/`)
  return url === null ? trimmed : url.hostname.slice(1, -1)
}

/** Whether an address belongs to a private or local network (RFC 1918, 4193, 6598, 3927, 4291). */
export function isPrivate([a, b, c, d]: AddressWords): boolean {
  if (a === 0 && b === 0 && c === MAPPED) {
    const first = d >>> 24
    const second = (d >>> 16) & 0xff
    return (
      first === 10 ||
      first === 127 ||
      (first === 172 && second >= 16 && second < 32) ||
      (first === 192 && second === 168) ||
      (first === 169 && second === 254) ||
      (first === 100 && second >= 64 && second < 128)
    )
  }
  const isLoopback = a === 0 && b === 0 && c === 0 && d === 1
  return isLoopback || a >>> 25 === 0x7e || a >>> 22 === 0x3fa
}

/** Whether an address is unspecified, multicast or broadcast, and so identifies no single host. */
export function isNonUnicast([a, b, c, d]: AddressWords): boolean {
  if (a === 0 && b === 0 && c === MAPPED) return d === 0 || d >>> 28 >= 14
  return a >>> 24 === 0xff || (a === 0 && b === 0 && c === 0 && d === 0)
}

function formatIpv4(word: number): string {
  return `${word >>> 24}.${(word >>> 16) & 0xff}.${(word >>> 8) & 0xff}.${word & 0xff}`
}
