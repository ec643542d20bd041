import { ServiceError } from '../../http/problems.ts'

/** A JSON object whose members are not known yet. */
export type Fields = Readonly<Record<string, unknown>>

/** A JSON object; throws a `ServiceError` with code `invalid_input` that names the field. */
export function toFields(value: unknown, field: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrongField(field, 'an object')
  }
  // Any object has members by name; what they hold is checked where they are read.
  return value as Fields
}

/** A JSON array, or nothing where it is missing; throws as `toFields` does. */
export function toList(value: unknown, field: string): readonly unknown[] {
  if (value === undefined || value === null) return NOTHING
  if (!Array.isArray(value)) throw wrongField(field, 'an array')
  return value
}

/** A text; throws as `toFields` does. */
export function toText(value: unknown, field: string): string {
  if (typeof value !== 'string') throw wrongField(field, 'a text')
  return value
}

/** A text, empty where it is missing; throws as `toFields` does. */
export function toOptionalText(value: unknown, field: string): string {
  return value === undefined || value === null ? '' : toText(value, field)
}

/** Texts, none where they are missing; throws as `toFields` does. */
export function toTexts(value: unknown, field: string): readonly string[] {
  const list = toList(value, field)
  for (const text of list) toText(text, field)
  // Every one of them is a text, as was just seen.
  return list as readonly string[]
}

/** The error for a field that is not what it has to be. */
export function wrongField(field: string, wanted: string): ServiceError {
  return new ServiceError('invalid_input', `${field} must be ${wanted}`)
}

const NOTHING: readonly unknown[] = []
