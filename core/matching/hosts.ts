import { HOLE } from './placeholders.ts'

const MAX_HOST = 255
const HOLE_NAME = 'zzunknownzz'
const RESERVED = ['localhost', 'local', 'internal', 'test', 'invalid']
const SHARED_LABELS = ['ac', 'co', 'com', 'edu', 'go', 'gob', 'gov', 'ne', 'net', 'or', 'org']

/**
 * Normalises a host as in the URL standard: lower case, punycode, IPv4 with four numbers, IPv6 in
 * brackets. Also removes a trailing dot and keeps holes. Undefined for invalid hosts.
 */
export function normalizeHost(text: string): string | undefined {
  if (text === '' || text.length > MAX_HOST) return undefined
  const host = withoutTrailingDot(text.toLowerCase())
  if (isPlainName(host)) return host
  const parsed = parseHost(host.replaceAll(HOLE, HOLE_NAME))
  return parsed === undefined
    ? undefined
    : withoutTrailingDot(parsed).replaceAll(HOLE_NAME, HOLE) || undefined
}

/** Whether a host is an IPv4 or IPv6 address, normalised as in the URL standard. */
export function isAddress(host: string): boolean {
  if (host.endsWith(']')) return true
  const last = host.charCodeAt(host.lastIndexOf('.') + 1)
  return last >= 48 && last <= 57
}

/**
 * Whether a host refers to a different machine on each network: loopback, private and link-local
 * addresses, `localhost`, and reserved top-level names (RFC 6761, RFC 6762).
 */
export function isReserved(host: string): boolean {
  if (RESERVED.includes(host.slice(host.lastIndexOf('.') + 1))) return true
  if (!isAddress(host)) return false
  if (host.startsWith('[')) {
    return host === '[::1]' || host === '[::]' || /^\[f(?:[cd]|e[89ab])/.test(host)
  }
  return /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./.test(host)
}

/**
 * Whether one vendor can own all names below a suffix, and a wildcard may precede it. Requires two
 * labels or more, and excludes common shared suffixes (`co.uk`).
 */
export function isOwnable(suffix: string): boolean {
  const labels = suffix.split('.')
  const [second, top] = labels
  if (second === undefined || top === undefined || isAddress(suffix) || isReserved(suffix)) {
    return false
  }
  return labels.length > 2 || top.length > 2 || !SHARED_LABELS.includes(second)
}

/** Labels after the last one with a hole: `example.com` for `{tenant}.example.com`. */
export function literalSuffix(host: string): string {
  return host.slice(host.indexOf('.', host.lastIndexOf(HOLE)) + 1)
}

function withoutTrailingDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host
}

/**
 * Whether a host has only letters, digits, hyphens, underscores and holes, and is no IPv4 address.
 */
function isPlainName(host: string): boolean {
  for (let index = 0; index < host.length; index += 1) {
    const code = host.charCodeAt(index)
    const isPlain =
      (code >= 97 && code <= 122) ||
      (code >= 48 && code <= 57) ||
      code === 45 ||
      code === 46 ||
      code === 95 ||
      code === 0
    if (!isPlain) return false
  }
  const first = host.charCodeAt(host.lastIndexOf('.') + 1)
  return (first >= 97 && first <= 122) || first === 0
}

function parseHost(host: string): string | undefined {
  try {
    return new URL(`http://${host}/`).hostname
  } catch {
    return undefined
  }
}

/**
 * Whether a flow's host (in lower case) is in the local network. Local hosts are private,
 * link-local, broadcast and multicast addresses, and names of local networks (`printer`,
 * `tv.local`, `nas.lan`).
 *
 * @example
 * ```ts
 * import { isLocalHost } from 'api-discovery/scans'
 *
 * isLocalHost('nas.lan') // true
 * isLocalHost('api.example.com') // false
 * ```
 */
export function isLocalHost(host: string): boolean {
  if (host.includes(':')) return host.startsWith('ff') || isReserved(`[${host}]`)
  return isReserved(host) || OTHER_LOCAL.test(host)
}

/** Multicast and broadcast addresses, home network and reverse DNS names, and single labels. */
const OTHER_LOCAL = /^(?:22[4-9]|23\d|255)(?:\.\d+){3}$|\.(?:lan|home|arpa)$|^[^.]+$/
