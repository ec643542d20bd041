import type { Approval } from '../../scans/records.ts'

/** An object of an untrusted document. */
export type Members = Readonly<Record<string, unknown>>

/** Returns the value if it is an object, otherwise an empty object. */
export function toMembers(value: unknown): Members {
  return isMembers(value) ? value : {}
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value if it is a list, otherwise an empty list. */
export function toItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Converts a string, number or boolean to a string; empty for anything else. */
export function toTextValue(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** Returns a string, or joins several strings with spaces. */
export function toJoinedText(value: unknown): string {
  return Array.isArray(value) ? value.map(toTextValue).join(' ').trim() : toTextValue(value)
}

/** Returns the strings of a list, or a single string as a list. */
export function toTextList(value: unknown): readonly string[] {
  const items = Array.isArray(value) ? value : [value]
  return items.map(toTextValue).filter((text) => text !== '')
}

/** Parses a boolean or its string form; undefined for anything else. */
export function parseBoolean(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : undefined
}

/** Parses an approval; any other text is `unreviewed`. */
export function parseApproval(text: string): Approval {
  return text === 'yes' || text === 'no' ? text : 'unreviewed'
}
