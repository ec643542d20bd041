/** Characters that XML 1.0 excludes: control characters, lone surrogates, non-characters. */
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
const NEEDS_CLEANING = /[^\u0020-\u007E]/

/**
 * Returns a text that is valid in both JSON and XML: replaces invalid characters and normalises
 * line ends.
 */
export function cleanText(text: string): string {
  if (!NEEDS_CLEANING.test(text)) return text
  return text.replace(NOT_XML, '\uFFFD').replace(/\r\n?/g, '\n')
}

/** Cleans a text like `cleanText`, and replaces tabs and line ends by spaces. */
export function cleanLine(text: string): string {
  return NEEDS_CLEANING.test(text) ? cleanText(text).replace(/[\t\n]/g, ' ') : text
}

const PLAIN_URL =
  /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?(?:\/[a-z0-9._~!$&()*+,;=:@/{}-]*)?(?:\?[a-z0-9._~!$&()*+,;=:@/?-]*)?$/i
const BAD_PERCENT = /%(?![0-9a-f]{2})/gi
const INVALID_IN_URI = /[^\u0021-\u007E]|["'<>\\^`{|}]/gu
const AUTHORITY = /^((?:[a-z][a-z0-9+.-]*:)?\/\/)(?:[^/?#]*@)?([^/?#]*)(.*)$/is
const SCHEME = /^[a-z][a-z0-9+.-]*:/i
/** RFC 3986 `relative-ref`, without user information; the first segment may contain colons. */
const RELATIVE =
  /^(?:\/\/(?:\[[0-9a-f:.]+\]|[a-z0-9._~!$&()*+,;=%-]+)(?::\d{1,5})?(?=[/?#]|$)|(?!\/\/))[a-z0-9._~!$&()*+,;=:@%/-]*(?:\?[a-z0-9._~!$&()*+,;=:@%/?-]*)?(?:#[a-z0-9._~!$&()*+,;=:@%/?-]*)?$/i

/**
 * Encodes a URI reference (RFC 3986) in ASCII, valid as `iri-reference` and `xs:anyURI`. Invalid
 * characters, such as the braces of a template, are percent-encoded; user and password are removed.
 * Never empty.
 */
export function toUriReference(text: string): string {
  // Fast path for nearly all URLs.
  if (PLAIN_URL.test(text)) return text.replaceAll('{', '%7B').replaceAll('}', '%7D')
  const clean = cleanLine(text.trim())
  const encoded = clean.replace(BAD_PERCENT, '%25').replace(INVALID_IN_URI, percentEncode)
  const [, start = '', host = '', rest = encoded] = AUTHORITY.exec(encoded) ?? []
  const candidate = start + host + rest.replace(/[[\]]/g, percentEncode)
  return isReference(candidate) ? candidate : `./${percentEncode(clean)}`
}

/**
 * Restores the source text of a URI reference as closely as possible: with the braces of templates,
 * and unencoded if the source was not a URI reference.
 */
export function fromUriReference(reference: string): string {
  const text = reference.startsWith('./') ? decodePercent(reference.slice(2)) : reference
  if (text !== reference && toUriReference(text) === reference) return text
  return reference.replace(/%7B/gi, '{').replace(/%7D/gi, '}')
}

/** Removes user and password from a URL. */
export function removeUserInfo(url: string): string {
  const [, start, host, rest] = AUTHORITY.exec(url) ?? []
  return start === undefined ? url : `${start}${host}${rest}`
}

/**
 * Creates a URI reference for the CycloneDX library, which encodes brackets, including those of an
 * IPv6 address.
 */
export function toBracketFreeReference(text: string): string {
  const reference = toUriReference(text)
  return reference.includes('[') ? `./${percentEncode(reference)}` : reference
}

function isReference(text: string): boolean {
  const scheme = SCHEME.exec(text)?.[0] ?? ''
  const rest = text.slice(scheme.length)
  if (rest === '' || !RELATIVE.test(rest)) return false
  return scheme !== '' || !/^[^/?#]*:/.test(rest)
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Encodes all characters except letters, digits and `-._~`. */
function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
