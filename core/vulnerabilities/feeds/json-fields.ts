import { ServiceError } from '../../errors.ts'

/** A JSON object with unchecked members. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * Checks for a JSON object. Throws a `ServiceError` with code `invalid_input` that names the field.
 */
export function expectObject(value: unknown, field: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw createFieldError(field, 'an object')
  }
  // Every object has named members; each is checked when it is read.
  return value as Fields
}

/** Checks for a JSON array; empty if missing. Throws as `expectObject` does. */
export function expectArray(value: unknown, field: string): readonly unknown[] {
  if (value === undefined || value === null) return NO_ELEMENTS
  if (!Array.isArray(value)) throw createFieldError(field, 'an array')
  return value
}

/** Checks for a string. Throws as `expectObject` does. */
export function expectString(value: unknown, field: string): string {
  if (typeof value !== 'string') throw createFieldError(field, 'a string')
  return value
}

/** Checks for a string; empty if missing. Throws as `expectObject` does. */
export function expectOptionalString(value: unknown, field: string): string {
  return value === undefined || value === null ? '' : expectString(value, field)
}

/** Checks for an array of strings; empty if missing. Throws as `expectObject` does. */
export function expectStrings(value: unknown, field: string): readonly string[] {
  const list = expectArray(value, field)
  for (const text of list) expectString(text, field)
  // Every element was checked above.
  return list as readonly string[]
}

/** Creates the error for an invalid field. */
export function createFieldError(field: string, wanted: string): ServiceError {
  return new ServiceError('invalid_input', `${field} must be ${wanted}`)
}

const NO_ELEMENTS: readonly unknown[] = []
