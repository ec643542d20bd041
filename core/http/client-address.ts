import ipaddr from 'ipaddr.js'

/** Decides which peers may report the address of their clients. */
export interface ProxyTrust {
  /** Returns whether the address belongs to a trusted proxy; false for an invalid address. */
  isTrusted(address: string): boolean
}

/** A connection as the adapter sees it, before any proxy header is read. */
export interface Peer {
  /** Address of the connection's remote end; empty when unknown. */
  readonly address: string
  readonly scheme: 'http' | 'https'
  /** Looks up a header by case-insensitive name; repeated headers are joined with `, `. */
  header(name: string): string | undefined
}

type CidrRange = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

const MAX_HOPS = 32
const HOST = /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9._~%-]{1,253})(?::[0-9]{1,5})?$/i

/**
 * Parses a list of addresses and CIDR ranges (`10.0.0.0/8`, `::1`). Returns undefined for an empty
 * list: no proxy is trusted. Throws a `RangeError` that names an invalid entry.
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
 * Returns the client's address: the peer's own, unless the peer is trusted. For a trusted peer,
 * walks `X-Forwarded-For` from right to left through trusted hops to the first untrusted address.
 * An invalid entry ends the walk at the hop before it. IPv4 in IPv6 is unwrapped.
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
 * Returns scheme and host as the client sees them, `https://api.example.com`. They come from
 * `Host`, or from the last `X-Forwarded-Proto` and `X-Forwarded-Host` of a trusted peer. Returns
 * undefined if no usable host is known.
 */
export function findOrigin(peer: Peer, trust: ProxyTrust | undefined): string | undefined {
  const isTrusted = trust?.isTrusted(toPlainAddress(peer.address)) ?? false
  const forwardedScheme = isTrusted ? getLastListItem(peer.header('x-forwarded-proto')) : undefined
  const forwardedHost = isTrusted ? getLastListItem(peer.header('x-forwarded-host')) : undefined
  const scheme = forwardedScheme === 'https' || forwardedScheme === 'http' ? forwardedScheme : ''
  const host = forwardedHost || peer.header('host')
  if (host === undefined || !isHost(host)) return undefined
  return `${scheme || peer.scheme}://${host.toLowerCase()}`
}

/**
 * Returns whether the text is a host with an optional port, as a single `Host` header contains it
 * (RFC 9110 7.2).
 */
export function isHost(text: string): boolean {
  return HOST.test(text)
}

function parseRange(entry: string): CidrRange {
  const text = entry.trim()
  if (/^[^/]+\/[0-9]{1,3}$/.test(text) && ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  if (!ipaddr.isValid(text)) {
    throw new RangeError(`Invalid trusted proxy "${entry}": must be an address or a CIDR range`)
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

function getLastListItem(list: string | undefined): string | undefined {
  return list
    ?.slice(list.lastIndexOf(',') + 1)
    .trim()
    .toLowerCase()
}
