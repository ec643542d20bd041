/** An object of a parsed description. Its keys are untrusted: read them with `getOwnMember`. */
export type JsonObject = Readonly<Record<string, unknown>>

/** True for objects, false for arrays, null and scalars. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value if it is an object, otherwise an empty object. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** Returns the value if it is an array, otherwise an empty array. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/**
 * Returns the strings of a list. A single string, as some authors write, counts as a list of one.
 */
export function asTexts(value: unknown): readonly string[] {
  const list = typeof value === 'string' ? [value] : asList(value)
  return list.map(asText).filter((text) => text !== '')
}

/** Returns an own member by an untrusted key; undefined for inherited members and array methods. */
export function getOwnMember(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as JsonObject)[key]
}

/** Converts a string, number or boolean to a string; empty for anything else. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/**
 * Serialises a value for the wire: a string unchanged, anything else as JSON; undefined stays
 * undefined.
 */
export function toWireText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Escapes a key as one step of a JSON pointer (RFC 6901). */
export function toPointerStep(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Returns the URL if it is an absolute http or https URL, otherwise an empty string. */
export function asHttpUrl(value: unknown): string {
  const text = asText(value).trim()
  return /^https?:\/\/[^\s/]/i.test(text) ? text : ''
}
