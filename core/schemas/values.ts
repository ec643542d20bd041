/** An object of a parsed description. Its keys are the author's: look them up with `member`. */
export type JsonObject = Readonly<Record<string, unknown>>

/** True for objects, false for arrays, null and scalars. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object itself, or an empty one for anything else. */
export function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** The array itself, or an empty one for anything else. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The texts of a list; a bare text, which careless authors write, is a list of one. */
export function toTexts(value: unknown): readonly string[] {
  const list = typeof value === 'string' ? [value] : toList(value)
  return list.map(toText).filter((text) => text !== '')
}

/** An own member by a key that came from outside; undefined for inherited names and for arrays' methods. */
export function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as JsonObject)[key]
}

/** Text as it is, numbers and booleans in decimal and words, empty for the rest. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** A value as it goes over the wire: text bare, everything else as JSON text; undefined stays so. */
export function toWireText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** One key of an object as a step of a JSON pointer (RFC 6901). */
export function toPointerStep(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The URL when it is an absolute http(s) one, else empty. */
export function toLink(value: unknown): string {
  const text = toText(value).trim()
  return /^https?:\/\/[^\s/]/i.test(text) ? text : ''
}
