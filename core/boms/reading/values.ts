import type { Approval } from '../../scans/records.ts'

/** An object of an untrusted document. */
export type Members = Readonly<Record<string, unknown>>

/** The value as an object; an empty one for anything else. */
export function toMembers(value: unknown): Members {
  return isMembers(value) ? value : {}
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as a list; empty for anything else. */
export function toItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A string, or a number or boolean as a string; empty for anything else. */
export function toTextValue(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** A string, or several joined by spaces. */
export function toJoinedText(value: unknown): string {
  return Array.isArray(value) ? value.map(toTextValue).join(' ').trim() : toTextValue(value)
}

/** The strings of a list, or a single string as a list. */
export function toTextList(value: unknown): readonly string[] {
  const items = Array.isArray(value) ? value : [value]
  return items.map(toTextValue).filter((text) => text !== '')
}

/** A boolean, also as a string; undefined for anything else. */
export function parseBoolean(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : undefined
}

/** Parses an approval; any other text is `unreviewed`. */
export function parseApproval(text: string): Approval {
  return text === 'yes' || text === 'no' ? text : 'unreviewed'
}
