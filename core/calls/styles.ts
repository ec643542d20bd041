import type { Parameter } from '../catalogue/records.ts'
import { Numeral } from '../shared/exact-json.ts'
import { isJsonType } from '../shared/media-types.ts'
import { encode, encodeLoosely } from './encode.ts'
import { isJsonObject, toItemTexts, toJsonText, toMemberTexts, toPlainText } from './values.ts'

/** Serialisation settings of a parameter. */
export type Shape = Pick<
  Parameter,
  'name' | 'style' | 'explode' | 'collectionFormat' | 'allowReserved' | 'contentType'
>

/** Serialises a value. */
export type Writer = (value: unknown) => string

/** Settings for a value without a description. Arrays repeat the name. */
export function plainShape(name: string): Shape {
  return {
    name,
    style: undefined,
    explode: undefined,
    collectionFormat: undefined,
    allowReserved: false,
    contentType: undefined,
  }
}

/**
 * Creates a writer of `name=value` pairs joined by `&`, as in a query. Supports OpenAPI's `form`,
 * `spaceDelimited`, `pipeDelimited` and `deepObject`, and Swagger's `collectionFormat`. Returns an
 * empty string for an empty array or object (RFC 6570 2.3).
 */
export function createPairWriter(shape: Shape): Writer {
  const name = encode(shape.name)
  const prefix = `${name}=`
  if (isJsonType(shape.contentType ?? '')) return (value) => prefix + encode(toJsonText(value))
  const encodeText = shape.allowReserved ? encodeLoosely : encode
  const separator = toSeparator(shape, QUERY_SEPARATORS)
  const isDeep = shape.style === 'deepObject'
  return (value) => {
    if (typeof value === 'string') return prefix + encodeText(value)
    if (typeof value !== 'object' || value instanceof Numeral) return prefix + toPlainText(value)
    if (isDeep) return toDeepPairs(name, value, encodeText).join('&')
    if (Array.isArray(value)) {
      const items = toItemTexts(value).map(encodeText)
      if (separator === undefined) return items.map((item) => prefix + item).join('&')
      return items.length === 0 ? '' : prefix + items.join(separator)
    }
    if (!isJsonObject(value)) return ''
    if (shape.collectionFormat !== undefined) return prefix + encodeText(toJsonText(value))
    const members = toMemberTexts(value)
    if (separator === undefined) {
      return members.map(([key, text]) => `${encode(key)}=${encodeText(text)}`).join('&')
    }
    const flat = members.flatMap(([key, text]) => [encode(key), encodeText(text)])
    return flat.length === 0 ? '' : prefix + flat.join(separator)
  }
}

/**
 * Creates a writer of form pairs. Like `createPairWriter`, but an object without an explicit style
 * becomes one pair with its JSON (OpenAPI 3.1 4.8.15.1).
 */
export function createFormWriter(shape: Shape): Writer {
  const hasStyle = shape.style !== undefined || shape.explode !== undefined
  const write = createPairWriter(shape)
  if (hasStyle) return write
  const prefix = `${encode(shape.name)}=`
  return (value) => (isJsonObject(value) ? prefix + encode(toJsonText(value)) : write(value))
}

/** Creates a writer of path parameters: `simple`, `label`, `matrix`. */
export function createPathWriter(shape: Shape): Writer {
  if (isJsonType(shape.contentType ?? '')) return (value) => encode(toJsonText(value))
  const { style, explode = false } = shape
  const name = encode(shape.name)
  const isMatrix = style === 'matrix'
  const start = isMatrix ? ';' : style === 'label' ? '.' : ''
  const joint = explode ? start || ',' : (toSeparator(shape, QUERY_SEPARATORS, ',') ?? ',')
  const named = (text: string) => (text === '' ? `;${name}` : `;${name}=${text}`)
  return (value) => {
    if (typeof value === 'string' && style === undefined) return encode(value)
    if (Array.isArray(value)) {
      const items = toItemTexts(value).map(encode)
      if (isMatrix && explode) return items.map(named).join('')
      const text = items.join(joint)
      return isMatrix ? named(text) : start + text
    }
    if (isJsonObject(value)) {
      const members = toMemberTexts(value).map(([key, text]) => [encode(key), encode(text)])
      const text = members.map((pair) => pair.join(explode ? '=' : joint)).join(joint)
      return isMatrix && !explode ? named(text) : start + text
    }
    const text = encode(toPlainText(value))
    return isMatrix ? named(text) : start + text
  }
}

/** Creates a writer of header values: `simple`, without encoding. */
export function createHeaderWriter(shape: Shape): Writer {
  if (isJsonType(shape.contentType ?? '')) return (value) => toAsciiJson(toJsonText(value))
  const separator = toSeparator(shape, HEADER_SEPARATORS, ',') ?? ','
  return (value) => {
    if (typeof value === 'string') return value
    if (Array.isArray(value)) return toItemTexts(value).join(separator)
    if (!isJsonObject(value)) return toPlainText(value)
    const joint = shape.explode ? '=' : ','
    return toMemberTexts(value)
      .map(([key, text]) => key + joint + text)
      .join(',')
  }
}

/**
 * Creates a writer of `name=value` pairs joined by `; `. Values in style `cookie` are not
 * percent-encoded.
 */
export function createCookieWriter(shape: Shape): Writer {
  const encodeText = shape.style === 'cookie' ? encodeCookie : encode
  const prefix = `${shape.name}=`
  const { explode = true } = shape
  if (isJsonType(shape.contentType ?? '')) return (value) => prefix + encode(toJsonText(value))
  return (value) => {
    if (Array.isArray(value)) {
      const items = toItemTexts(value).map(encodeText)
      if (explode) return items.map((item) => prefix + item).join('; ')
      return items.length === 0 ? '' : prefix + items.join(',')
    }
    if (isJsonObject(value)) {
      const members = toMemberTexts(value).map(([key, text]) => [encode(key), encodeText(text)])
      if (explode) return members.map((pair) => pair.join('=')).join('; ')
      return members.length === 0 ? '' : prefix + members.flat().join(',')
    }
    return prefix + encodeText(toPlainText(value))
  }
}

/** Percent-encodes only characters that a cookie value must not contain (RFC 6265 4.1.1). */
export function encodeCookie(text: string): string {
  return text.replace(/[^\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+/g, encode)
}

const QUERY_SEPARATORS = { csv: ',', ssv: '%20', tsv: '%09', pipes: '%7C' }
const HEADER_SEPARATORS = { csv: ',', ssv: ' ', tsv: '\t', pipes: '|' }

/** Returns the separator of array items; undefined to serialise each item separately. */
function toSeparator(
  { style, explode, collectionFormat }: Shape,
  separators: typeof QUERY_SEPARATORS,
  usual?: string,
): string | undefined {
  if (collectionFormat === 'ssv') return separators.ssv
  if (collectionFormat === 'tsv') return separators.tsv
  if (collectionFormat === 'pipes') return separators.pipes
  if (collectionFormat === 'csv') return separators.csv
  if (collectionFormat !== undefined || explode === true) return usual
  if (style === 'spaceDelimited') return separators.ssv
  if (style === 'pipeDelimited') return separators.pipes
  return explode === false ? ',' : usual
}

/** Maximum nesting of bracketed names. */
const MAX_DEPTH = 32

/** Serialises `name[key]=value` pairs at any nesting depth. Array items are numbered. */
function toDeepPairs(
  name: string,
  value: unknown,
  encodeText: (text: string) => string,
  depth = 0,
): readonly string[] {
  if (depth > MAX_DEPTH) throw new RangeError('Object nested too deeply for a parameter name')
  if (value === null || value === undefined) return []
  if (!Array.isArray(value) && !isJsonObject(value)) {
    return [`${name}=${encodeText(toPlainText(value))}`]
  }
  return Object.entries(value).flatMap(([key, inner]) =>
    toDeepPairs(`${name}%5B${encode(key)}%5D`, inner, encodeText, depth + 1),
  )
}

/** Escapes non-ASCII characters of JSON, for use in a header. */
function toAsciiJson(json: string): string {
  return json.replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
