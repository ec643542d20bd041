import { parseAddress } from '../egress/addresses.ts'

/** Name and port of an origin, as budgets, locks and consent know it: `api.example.com:443`. */
export function toHost(origin: string): string {
  const url = new URL(origin)
  const port = url.port || DEFAULT_PORTS[url.protocol as keyof typeof DEFAULT_PORTS] || ''
  // A final dot names the same host, and so does IPv6 that wraps an IPv4 address.
  const name = url.hostname.replace(/\.$/, '')
  const address = parseAddress(name.replace(/^\[|\]$/g, ''))
  return `${address?.kind() === 'ipv4' ? address.toString() : name}:${port}`
}

/**
 * Reads the hosts that an operator names: `api.example.com`, which is its ports 80 and 443, or
 * `api.example.com:8443`, `127.0.0.1:9001`, `[::1]:9001`. Throws a `RangeError` that names one that
 * it cannot read. No name stands for those below it.
 */
export function readHosts(entries: readonly string[] = []): ReadonlySet<string> {
  return new Set(entries.flatMap(readHost))
}

const DEFAULT_PORTS = { 'http:': '80', 'https:': '443' } as const

const HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i

function readHost(entry: string): readonly string[] {
  const text = entry.trim()
  const [, port] = HOST.exec(text) ?? []
  // Ports that are not written stand for both of HTTP.
  const urls = HOST.test(text)
    ? (port ? ['http'] : ['http', 'https']).map((scheme) => URL.parse(`${scheme}://${text}`))
    : []
  const hosts = urls.flatMap((url) => (url ? [toHost(url.origin)] : []))
  if (hosts.length > 0) return hosts
  throw new RangeError(
    `Cannot read "${entry}": must be a host's name or address, with or without a port`,
  )
}
