import type { Approval } from '../../scans/records.ts'

/** An object of a document that anybody may have written; undefined for what is none. */
export type Members = Readonly<Record<string, unknown>>

/** The value as an object; one without members for anything else. */
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

/** A text, or a number or boolean as one; empty for anything else. */
export function toTextValue(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** A text, or several joined by blanks. */
export function toJoinedText(value: unknown): string {
  return Array.isArray(value) ? value.map(toTextValue).join(' ').trim() : toTextValue(value)
}

/** Texts of a list, or the one text that stands in its place. */
export function toTexts(value: unknown): readonly string[] {
  const items = Array.isArray(value) ? value : [value]
  return items.map(toTextValue).filter((text) => text !== '')
}

/** True and false, also as texts; undefined for anything else. */
export function toFlag(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : undefined
}

/** An approval as bills of materials write it; what is none is no decision. */
export function toApproval(text: string): Approval {
  return text === 'yes' || text === 'no' ? text : 'unreviewed'
}
