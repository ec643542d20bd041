/** What XML 1.0 has no place for: control characters, halves of pairs, non-characters. */
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
const NEEDS_CLEANING = /[^\u0020-\u007E]/

/** A text that JSON and XML can both carry; white space becomes blanks where it must be one line. */
export function cleanText(text: string): string {
  if (!NEEDS_CLEANING.test(text)) return text
  return text.replace(NOT_XML, '\uFFFD').replace(/\r\n?/g, '\n')
}

/** The same in one line. */
export function cleanLine(text: string): string {
  return NEEDS_CLEANING.test(text) ? cleanText(text).replace(/[\t\n]/g, ' ') : text
}

const PLAIN_URL =
  /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?(?:\/[a-z0-9._~!$&()*+,;=:@/{}-]*)?(?:\?[a-z0-9._~!$&()*+,;=:@/?-]*)?$/i
const BAD_PERCENT = /%(?![0-9a-f]{2})/gi
const NEVER = /[^\u0021-\u007E]|["'<>\\^`{|}]/gu
const AUTHORITY = /^((?:[a-z][a-z0-9+.-]*:)?\/\/)(?:[^/?#]*@)?([^/?#]*)(.*)$/is
const SCHEME = /^[a-z][a-z0-9+.-]*:/i
/** RFC 3986 `relative-ref`, without user information; a first segment may have colons. */
const RELATIVE =
  /^(?:\/\/(?:\[[0-9a-f:.]+\]|[a-z0-9._~!$&()*+,;=%-]+)(?::\d{1,5})?(?=[/?#]|$)|(?!\/\/))[a-z0-9._~!$&()*+,;=:@%/-]*(?:\?[a-z0-9._~!$&()*+,;=:@%/?-]*)?(?:#[a-z0-9._~!$&()*+,;=:@%/?-]*)?$/i

/**
 * A URI reference (RFC 3986) in ASCII, which both `iri-reference` and `xs:anyURI` take: what may not
 * stand in one is percent-encoded, as the braces of a template; user and password are left out.
 * Never empty.
 */
export function toUriReference(text: string): string {
  // What nearly all are, at little cost.
  if (PLAIN_URL.test(text)) return text.replaceAll('{', '%7B').replaceAll('}', '%7D')
  const clean = cleanLine(text.trim())
  const encoded = clean.replace(BAD_PERCENT, '%25').replace(NEVER, percentEncode)
  const [, start = '', host = '', rest = encoded] = AUTHORITY.exec(encoded) ?? []
  const candidate = start + host + rest.replace(/[[\]]/g, percentEncode)
  return isReference(candidate) ? candidate : `./${percentEncode(clean)}`
}

/**
 * The text that a reference was made of, as near as the reference tells: with the braces of
 * templates, and whole where it was no reference.
 */
export function fromUriReference(reference: string): string {
  const text = reference.startsWith('./') ? decode(reference.slice(2)) : reference
  if (text !== reference && toUriReference(text) === reference) return text
  return reference.replace(/%7B/gi, '{').replace(/%7D/gi, '}')
}

/** A URL without user and password. */
export function withoutUser(url: string): string {
  const [, start, host, rest] = AUTHORITY.exec(url) ?? []
  return start === undefined ? url : `${start}${host}${rest}`
}

/** A URI reference for what the library writes: it encodes brackets, also those of an IPv6 address. */
export function toPlainReference(text: string): string {
  const reference = toUriReference(text)
  return reference.includes('[') ? `./${percentEncode(reference)}` : reference
}

function isReference(text: string): boolean {
  const scheme = SCHEME.exec(text)?.[0] ?? ''
  const rest = text.slice(scheme.length)
  if (rest === '' || !RELATIVE.test(rest)) return false
  return scheme !== '' || !/^[^/?#]*:/.test(rest)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Everything but letters, digits and `-._~`. */
function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
