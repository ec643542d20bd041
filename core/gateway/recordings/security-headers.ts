import type { HeaderLine } from '../../egress/egress.ts'

/**
 * What a target tells browsers of its own protection. None of these passes to a caller, for whom it
 * would speak of our origin; a recording keeps them for the account, so that an assessment can.
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

/** Policies of contents may be as long as a page. */
const MAX_VALUE = 2000

/** Those of an answer, each name once; several values of one are joined as RFC 9110 5.3 has it. */
export function listSecurityHeaders(headers: readonly HeaderLine[]): readonly HeaderLine[] {
  const found = new Map<string, string>()
  for (const [name, value] of headers) {
    if (!isSecurityHeader(name)) continue
    const former = found.get(name)
    found.set(name, former === undefined ? value : `${former}, ${value}`)
  }
  return [...found]
}

/** Whether it is one that recordings keep for their account alone. */
export function isSecurityHeader(name: string): boolean {
  return SECURITY_HEADERS.has(name)
}

/** Cuts a value at its bound; call it with what is redacted, as a secret that is cut hides. */
export function cutSecurityHeader([name, value]: HeaderLine): HeaderLine {
  return [name, value.slice(0, MAX_VALUE)]
}
