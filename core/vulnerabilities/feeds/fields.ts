import { ServiceError } from '../../http/problems.ts'

/** A JSON object with unchecked members. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * Checks for a JSON object. Throws a `ServiceError` with code `invalid_input` that names the field.
 */
export function toFields(value: unknown, field: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrongField(field, 'an object')
  }
  // Every object has named members; each is checked when it is read.
  return value as Fields
}

/** Checks for a JSON array; empty if missing. Throws as `toFields` does. */
export function toList(value: unknown, field: string): readonly unknown[] {
  if (value === undefined || value === null) return NOTHING
  if (!Array.isArray(value)) throw wrongField(field, 'an array')
  return value
}

/** Checks for a string. Throws as `toFields` does. */
export function toText(value: unknown, field: string): string {
  if (typeof value !== 'string') throw wrongField(field, 'a string')
  return value
}

/** Checks for a string; empty if missing. Throws as `toFields` does. */
export function toOptionalText(value: unknown, field: string): string {
  return value === undefined || value === null ? '' : toText(value, field)
}

/** Checks for an array of strings; empty if missing. Throws as `toFields` does. */
export function toTexts(value: unknown, field: string): readonly string[] {
  const list = toList(value, field)
  for (const text of list) toText(text, field)
  // Every element was checked above.
  return list as readonly string[]
}

/** Creates the error for an invalid field. */
export function wrongField(field: string, wanted: string): ServiceError {
  return new ServiceError('invalid_input', `${field} must be ${wanted}`)
}

const NOTHING: readonly unknown[] = []
