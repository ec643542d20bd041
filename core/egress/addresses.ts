import ipaddr from 'ipaddr.js'

/** A parsed IP address. IPv4-mapped IPv6 is converted to IPv4. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A CIDR range. */
export type AddressRange = readonly [base: Address, bits: number]

/**
 * Parses an address in plain notation: four decimal numbers, or IPv6 without a zone. IPv4-mapped
 * IPv6 (`::ffff:10.0.0.1`) is converted to IPv4. Returns undefined for anything else.
 */
export function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  const groups = toIpv6Groups(text)
  if (groups.includes('%') || !groups.includes(':') || !ipaddr.IPv6.isValid(groups))
    return undefined
  const address = ipaddr.IPv6.parse(groups)
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

/** Parses `10.1.0.0/16`, `fd00::/8` or a single address. Returns undefined for anything else. */
export function parseRange(text: string): AddressRange | undefined {
  const slash = text.indexOf('/')
  const base = parseAddress(slash < 0 ? text : text.slice(0, slash))
  if (!base) return undefined
  const most = base.kind() === 'ipv4' ? 32 : 128
  if (slash < 0) return [base, most]
  const bits = text.slice(slash + 1)
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? [base, Number(bits)] : undefined
}

/** True if an address is in a range of the same IP version. */
export function isWithin(address: Address, [base, bits]: AddressRange): boolean {
  return address.kind() === base.kind() && address.match(base, bits)
}

/**
 * True for addresses of the public internet: IPv4 outside all special-purpose ranges, and IPv6 in
 * 2000::/3 outside its own (RFC 6890, IANA registries). For NAT64 (`64:ff9b::/96`) and ISATAP, the
 * embedded IPv4 decides. 6to4, Teredo and IPv4-compatible IPv6 are never public.
 */
export function isPublicAddress(address: Address): boolean {
  if (isIpv4(address)) return !SPECIAL_IPV4.some((range) => isWithin(address, range))
  if (isWithin(address, NAT64)) return isPublicAddress(toEmbeddedIpv4(address))
  if (!isWithin(address, GLOBAL_IPV6)) return false
  if (SPECIAL_IPV6.some((range) => isWithin(address, range))) return false
  return !isIsatap(address) || isPublicAddress(toEmbeddedIpv4(address))
}

/**
 * True for addresses that a host can have, including private and loopback addresses. Excludes
 * unspecified, link-local (metadata services of clouds), multicast, broadcast and reserved
 * addresses.
 */
export function isHostAddress(address: Address): boolean {
  if (!isIpv4(address)) {
    if (isWithin(address, NAT64)) return isPublicAddress(toEmbeddedIpv4(address))
    if (PRIVATE_IPV6.some((range) => isWithin(address, range))) return true
  } else if (PRIVATE_IPV4.some((range) => isWithin(address, range))) {
    return true
  }
  return isPublicAddress(address)
}

/** True for 127.0.0.0/8 and ::1. */
export function isLoopback(address: Address): boolean {
  return address.range() === 'loopback'
}

function isIpv4(address: Address): address is ipaddr.IPv4 {
  return address.kind() === 'ipv4'
}

/**
 * Converts a dotted IPv4 suffix to groups: the parser would read `::8.8.8.8` as `::ffff:8.8.8.8`.
 */
function toIpv6Groups(text: string): string {
  const tail = text.slice(text.lastIndexOf(':') + 1)
  if (!ipaddr.IPv4.isValidFourPartDecimal(tail)) return text.includes('.') ? '' : text
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(tail).octets
  const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16))
  return `${text.slice(0, -tail.length)}${groups.join(':')}`
}

function toEmbeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12))
}

/**
 * Checks for an interface identifier of 0000:5efe or 0200:5efe, followed by an IPv4 address (RFC
 * 5214).
 */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return ((parts[4] ?? 0) & 0xfdff) === 0 && parts[5] === 0x5efe
}

function range(text: string): AddressRange {
  const parsed = parseRange(text)
  if (!parsed) throw new RangeError(`Invalid range "${text}": must be an address or CIDR range`)
  return parsed
}

const NAT64 = range('64:ff9b::/96')
const GLOBAL_IPV6 = range('2000::/3')

const PRIVATE_IPV4 = ['10.0.0.0/8', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map(range)
const PRIVATE_IPV6 = ['::1', 'fc00::/7'].map(range)

const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Azure's platform address, which every virtual network reaches: public only by its number.
  '168.63.129.16',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map(range)

const SPECIAL_IPV6 = [
  // Protocol assignments, such as Teredo, benchmarking, ORCHID and AS112.
  '2001::/23',
  '2001:db8::/32',
  // 6to4 addresses.
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
].map(range)
