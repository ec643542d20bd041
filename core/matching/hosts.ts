import { HOLE } from './placeholders.ts'

const MAX_HOST = 255
const HOLE_NAME = 'zzunknownzz'
const RESERVED = ['localhost', 'local', 'internal', 'test', 'invalid']
const SHARED_LABELS = ['ac', 'co', 'com', 'edu', 'go', 'gob', 'gov', 'ne', 'net', 'or', 'org']

/**
 * A host as the URL standard writes it: lower case, punycode, IPv4 in four numbers, IPv6 in
 * brackets, here also without a trailing dot. Holes stay. Undefined for what is no host.
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

/** True for an IPv4 or IPv6 address in the URL standard's spelling. */
export function isAddress(host: string): boolean {
  if (host.endsWith(']')) return true
  const last = host.charCodeAt(host.lastIndexOf('.') + 1)
  return last >= 48 && last <= 57
}

/**
 * True for hosts that mean another machine to everybody: loopback, private and link-local
 * addresses, `localhost` and the reserved top-level names (RFC 6761, RFC 6762).
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
 * True when a vendor can own everything below the suffix: two labels or more, and not one of the
 * usual shared ones (`co.uk`). What a wildcard may stand in front of.
 */
export function isOwnable(suffix: string): boolean {
  const labels = suffix.split('.')
  const [second, top] = labels
  if (second === undefined || top === undefined || isAddress(suffix) || isReserved(suffix)) {
    return false
  }
  return labels.length > 2 || top.length > 2 || !SHARED_LABELS.includes(second)
}

/** The labels after the last one with a hole: `example.com` of `{tenant}.example.com`. */
export function literalSuffix(host: string): string {
  return host.slice(host.indexOf('.', host.lastIndexOf(HOLE)) + 1)
}

function withoutTrailingDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host
}

/** Letters, digits, hyphens, underscores and holes, and no form of an IPv4 address. */
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
