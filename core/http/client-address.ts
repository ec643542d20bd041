import ipaddr from 'ipaddr.js'

/** Which peers may speak for their clients. */
export interface ProxyTrust {
  /** True when the address belongs to a trusted proxy; false for what is no address. */
  isTrusted(address: string): boolean
}

/** What an adapter knows of a connection before it looks at any proxy header. */
export interface Peer {
  /** Address of the other end of the connection; empty when unknown. */
  readonly address: string
  readonly scheme: 'http' | 'https'
  /** Case-insensitive look-up; several of one name joined with `, `. */
  header(name: string): string | undefined
}

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

const MAX_HOPS = 32
const HOST = /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9._~%-]{1,253})(?::[0-9]{1,5})?$/i

/**
 * Reads a list of addresses and CIDR ranges (`10.0.0.0/8`, `::1`). Undefined for an empty list,
 * which trusts nobody. Throws a `RangeError` that names an entry which is neither.
 */
export function createProxyTrust(list: readonly string[] = []): ProxyTrust | undefined {
  if (list.length === 0) return undefined
  const ranges = list.map(parseRange)
  return {
    isTrusted: (text) => {
      if (!ipaddr.isValid(text)) return false
      const address = ipaddr.process(text)
      return ranges.some(
        ([base, bits]) => base.kind() === address.kind() && address.match(base, bits),
      )
    },
  }
}

/**
 * The client's address: the peer's own, unless the peer is trusted. Then `X-Forwarded-For` is
 * walked from right to left, through trusted hops only, to the first address that is not trusted.
 * An entry that is no address ends the walk at the hop before it. IPv4 in IPv6 is unwrapped.
 */
export function findClientAddress(peer: Peer, trust: ProxyTrust | undefined): string {
  let client = toPlainAddress(peer.address)
  if (!trust?.isTrusted(client)) return client
  const hops = peer.header('x-forwarded-for')?.split(',').reverse().slice(0, MAX_HOPS) ?? []
  for (const hop of hops) {
    const address = toPlainAddress(withoutPort(hop.trim()))
    if (!ipaddr.isValid(address)) return client
    client = address
    if (!trust.isTrusted(client)) return client
  }
  return client
}

/**
 * Scheme and host as the client sees us, `https://api.example.com`: from `Host`, or from the last
 * `X-Forwarded-Proto` and `X-Forwarded-Host` when the peer is trusted. Undefined when no usable
 * host is known.
 */
export function findOrigin(peer: Peer, trust: ProxyTrust | undefined): string | undefined {
  const isTrusted = trust?.isTrusted(toPlainAddress(peer.address)) ?? false
  const forwardedScheme = isTrusted ? lastOf(peer.header('x-forwarded-proto')) : undefined
  const forwardedHost = isTrusted ? lastOf(peer.header('x-forwarded-host')) : undefined
  const scheme = forwardedScheme === 'https' || forwardedScheme === 'http' ? forwardedScheme : ''
  const host = forwardedHost || peer.header('host')
  if (host === undefined || !isHost(host)) return undefined
  return `${scheme || peer.scheme}://${host.toLowerCase()}`
}

/** True for a host with an optional port, as RFC 9110 7.2 has it in one `Host` header. */
export function isHost(text: string): boolean {
  return HOST.test(text)
}

function parseRange(entry: string): Range {
  const text = entry.trim()
  if (/^[^/]+\/[0-9]{1,3}$/.test(text) && ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  if (!ipaddr.isValid(text)) {
    throw new RangeError(`Cannot read trusted proxy "${entry}": must be an address or a CIDR range`)
  }
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

function toPlainAddress(text: string): string {
  const isMapped = text.startsWith('::ffff:') && text.includes('.')
  return isMapped ? text.slice(7) : text
}

function withoutPort(text: string): string {
  if (text.startsWith('[')) return text.slice(1, text.indexOf(']'))
  const colon = text.indexOf(':')
  return colon > 0 && colon === text.lastIndexOf(':') ? text.slice(0, colon) : text
}

function lastOf(list: string | undefined): string | undefined {
  return list
    ?.slice(list.lastIndexOf(',') + 1)
    .trim()
    .toLowerCase()
}
