import { Numeral } from '../shared/exact-json.ts'

/** The content of a file, or of a body that is no JSON and no form. */
export class FileValue {
  readonly content: Uint8Array | string
  /** Empty when the caller gave none. */
  readonly filename: string
  /** Empty when the caller gave none. */
  readonly mediaType: string

  constructor(content: Uint8Array | string, filename: string, mediaType: string) {
    this.content = content
    this.filename = filename
    this.mediaType = mediaType
  }
}

/** True for the objects of JSON: no arrays, no null, nothing of a class of ours, no uploads. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Numeral) &&
    !(value instanceof FileValue) &&
    !isUpload(value)
  )
}

/** True for a file out of a multipart form: bytes with a label. */
export function isUpload(value: unknown): value is {
  readonly bytes: Uint8Array
  readonly filename?: unknown
  readonly mediaType?: unknown
} {
  return (
    typeof value === 'object' &&
    value !== null &&
    'bytes' in value &&
    value.bytes instanceof Uint8Array
  )
}

/** The JSON text of a value; numbers in the caller's digits stay as they are. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}

/** A value as text: scalars bare, structured ones as JSON. */
export function toPlainText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Numeral) return value.text
  return typeof value === 'object' ? toJsonText(value) : String(value)
}

/** The items that are not null, as texts. */
export function toItemTexts(list: readonly unknown[]): readonly string[] {
  const texts: string[] = []
  for (const item of list) {
    if (item !== null && item !== undefined) texts.push(toPlainText(item))
  }
  return texts
}

/** The members that are not null, with their values as texts. */
export function toMemberTexts(
  object: Readonly<Record<string, unknown>>,
): readonly (readonly [name: string, text: string])[] {
  const members: (readonly [string, string])[] = []
  for (const [name, value] of Object.entries(object)) {
    if (value !== null && value !== undefined) members.push([name, toPlainText(value)])
  }
  return members
}
