import { Numeral } from '../shared/exact-json.ts'

/** The content of a file, or of a body that is neither JSON nor a form. */
export class FileValue {
  readonly content: Uint8Array | string
  /** Empty if the caller set none. */
  readonly filename: string
  /** Empty if the caller set none. */
  readonly mediaType: string

  constructor(content: Uint8Array | string, filename: string, mediaType: string) {
    this.content = content
    this.filename = filename
    this.mediaType = mediaType
  }
}

/** Whether a value is a JSON object: no array, null, `Numeral`, file or upload. */
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

/** Whether a value is a file from a multipart form. */
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

/** Serialises a value as JSON. Preserves the digits of the caller's numbers. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}

/** Converts a value to text: scalars as they are, structured values as JSON. */
export function toPlainText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Numeral) return value.text
  return typeof value === 'object' ? toJsonText(value) : String(value)
}

/** Converts the items to text; omits null. */
export function toItemTexts(list: readonly unknown[]): readonly string[] {
  const texts: string[] = []
  for (const item of list) {
    if (item !== null && item !== undefined) texts.push(toPlainText(item))
  }
  return texts
}

/** Converts the members to text; omits null. */
export function toMemberTexts(
  object: Readonly<Record<string, unknown>>,
): readonly (readonly [name: string, text: string])[] {
  const members: (readonly [string, string])[] = []
  for (const [name, value] of Object.entries(object)) {
    if (value !== null && value !== undefined) members.push([name, toPlainText(value)])
  }
  return members
}
