/**
 * Percent-encodes all but the unreserved characters (RFC 3986 2.3). Throws `URIError` for text that
 * is not well-formed.
 */
export function encode(text: string): string {
  return UNRESERVED.test(text) ? text : encodeURIComponent(text).replace(MARKS, toHex)
}

/**
 * Percent-encodes for OpenAPI's `allowReserved`: reserved characters and encoded triplets stay, but
 * for those that would end a value or start a fragment.
 */
export function encodeLoosely(text: string): string {
  return text.replace(NOT_LOOSE, encode)
}

/** Percent-encodes what must not stand in a URL as it is, of a text that is part of one already. */
export function encodeLiteral(text: string): string {
  return text.replace(NOT_LITERAL, encode)
}

const UNRESERVED = /^[\w.~-]*$/
const MARKS = /[!'()*]/g
// Parsers encode an apostrophe in a query on their own.
const NOT_LOOSE = /(?:%(?![0-9A-Fa-f]{2})|[^\w.~\-:/?@!$()*,;=%])+/g
const NOT_LITERAL = /(?:%(?![0-9A-Fa-f]{2})|[^\w.~\-:/?[\]@!$&()*+,;=%])+/g

function toHex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
