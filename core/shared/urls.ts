/** Checks for an absolute http or https URL without white space and control characters. */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s/][^\s\p{Cc}\p{Cs}]*$/iu.test(text) && URL.canParse(text)
}

/**
 * Checks for an address of a web host, as found in code or traffic. It is an http, https, ws or wss
 * URL, or lacks a scheme (`api.example.com/v1`, `db:8080`). Scheme, host and port may be
 * placeholders (`https://{}/v1`); the rest is not checked.
 */
export function isWebAddress(text: string): boolean {
  const [, scheme, slashes, authority = ''] = PARTS.exec(text) ?? []
  if (scheme !== undefined && !WEB_SCHEME.test(scheme) && !PLACEHOLDER.test(scheme)) return false
  if (PLACEHOLDER.test(authority)) return !/\s/.test(authority)
  const [, user, host = '', port = ''] = AUTHORITY.exec(authority) ?? []
  if (host === '' || Number(port) > 65_535) return false
  return slashes !== undefined || (user === undefined && (port !== '' || host.includes('.')))
}

const PARTS = /^(?:(?:([^/?#:]*):)?(\/\/))?([^/?#\\]*)/
const WEB_SCHEME = /^(?:https?|wss?)$/i
const PLACEHOLDER = /[{}<>$%]/
const AUTHORITY =
  /^([^@\s]*@)?(\[[\da-f:.]+\]|[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*\.?)(?::(\d{0,5}))?$/iu

/**
 * Returns the host of a URL with or without a scheme, in lower case and without port. Returns an
 * empty string for a path.
 */
export function parseUrlHost(url: string): string {
  const rest = url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/^[^/?#]*@/, '')
  const authority = /^(\[[^\]/]*\]|[^/?#:]*)/.exec(rest)?.[1] ?? ''
  return authority.toLowerCase().replace(/\.$/, '')
}

/**
 * Checks for an IPv4 address of four decimal numbers, or an IPv6 address without brackets and zone.
 */
export function isIpAddress(text: string): boolean {
  if (!/^[\da-f:.]{2,45}$/i.test(text)) return false
  if (text.includes(':')) return URL.canParse(`http://[${text}]/`)
  return IPV4.test(text)
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
