/**
 * Percent-encodes all but the unreserved characters (RFC 3986 2.3). Throws `URIError` for text that
 * is not well-formed.
 */
export function encode(text: string): string {
  return UNRESERVED.test(text) ? text : encodeURIComponent(text).replace(MARKS, toHex)
}

/**
 * Percent-encodes for OpenAPI's `allowReserved`. Preserves reserved characters and encoded
 * triplets, except characters that would end the value or start a fragment.
 */
export function encodeLoosely(text: string): string {
  return text.replace(NOT_LOOSE, encode)
}

/** Percent-encodes characters that are invalid in a URL, in text that is already part of a URL. */
export function encodeLiteral(text: string): string {
  return text.replace(NOT_LITERAL, encode)
}

const UNRESERVED = /^[\w.~-]*$/
const MARKS = /[!'()*]/g
// URL parsers encode an apostrophe in a query themselves.
const NOT_LOOSE = /(?:%(?![0-9A-Fa-f]{2})|[^\w.~\-:/?@!$()*,;=%])+/g
const NOT_LITERAL = /(?:%(?![0-9A-Fa-f]{2})|[^\w.~\-:/?[\]@!$&()*+,;=%])+/g

function toHex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
