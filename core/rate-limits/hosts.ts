import { parseAddress } from '../egress/addresses.ts'

/**
 * Returns the name and port of an origin, the key of budgets, locks and consent:
 * `api.example.com:443`.
 */
export function toHostAndPort(origin: string): string {
  const url = new URL(origin)
  const port = url.port || DEFAULT_PORTS[url.protocol as keyof typeof DEFAULT_PORTS] || ''
  // Normalises a trailing dot and IPv4-mapped IPv6 addresses.
  const name = url.hostname.replace(/\.$/, '')
  const address = parseAddress(name.replace(/^\[|\]$/g, ''))
  return `${address?.kind() === 'ipv4' ? address.toString() : name}:${port}`
}

/**
 * Reads the operator's list of allowed hosts. An entry without a port, such as `api.example.com`,
 * allows ports 80 and 443. Other forms: `api.example.com:8443`, `127.0.0.1:9001`, `[::1]:9001`.
 * Subdomains are not included. Throws a `RangeError` for an invalid entry.
 */
export function parseAllowedHosts(entries: readonly string[] = []): ReadonlySet<string> {
  return new Set(entries.flatMap(parseAllowedHost))
}

const DEFAULT_PORTS = { 'http:': '80', 'https:': '443' } as const

const HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i

function parseAllowedHost(entry: string): readonly string[] {
  const text = entry.trim()
  const [, port] = HOST.exec(text) ?? []
  // Without a port, the default ports of both schemes.
  const urls = HOST.test(text)
    ? (port ? ['http'] : ['http', 'https']).map((scheme) => URL.parse(`${scheme}://${text}`))
    : []
  const hosts = urls.flatMap((url) => (url ? [toHostAndPort(url.origin)] : []))
  if (hosts.length > 0) return hosts
  throw new RangeError(
    `Invalid host "${entry}": must be a host name or an address, with an optional port`,
  )
}
