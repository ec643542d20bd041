import type { HeaderLine } from '../../ports/egress.ts'

/**
 * Headers with which a target protects browsers. They are never passed to a caller, as they would
 * apply to our origin. A recording stores them for assessments by the account.
 */
const SECURITY_HEADERS: ReadonlySet<string> = new Set([
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'content-security-policy',
  'content-security-policy-report-only',
  'cross-origin-embedder-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'permissions-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
])

/** Content security policies can be very long. */
const MAX_VALUE = 2000

/**
 * Selects the security headers of a response. Values of the same name are joined (RFC 9110 5.3).
 */
export function listSecurityHeaders(headers: readonly HeaderLine[]): readonly HeaderLine[] {
  const found = new Map<string, string>()
  for (const [name, value] of headers) {
    if (!isSecurityHeader(name)) continue
    const former = found.get(name)
    found.set(name, former === undefined ? value : `${former}, ${value}`)
  }
  return [...found]
}

/** True for headers that only the recording's account sees. */
export function isSecurityHeader(name: string): boolean {
  return SECURITY_HEADERS.has(name)
}

/** Truncates a value. Redact it first: a truncated secret would go undetected. */
export function truncateSecurityHeader([name, value]: HeaderLine): HeaderLine {
  return [name, value.slice(0, MAX_VALUE)]
}
