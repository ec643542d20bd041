import { Numeral } from '../shared/exact-json.ts'
import { FileValue, isJsonObject, isUpload } from './values.ts'

/**
 * Converts a caller's value to a file. A string is its content; an upload from a form is used as
 * is. An object, or its JSON text, has the form `{ text | base64, filename?, content_type? }`.
 * Returns undefined for other values.
 */
export function toFile(value: unknown): FileValue | undefined {
  if (value instanceof FileValue) return value
  if (isUpload(value))
    return new FileValue(
      value.bytes,
      toStringOrEmpty(value.filename),
      toStringOrEmpty(value.mediaType),
    )
  if (typeof value === 'string') {
    return (
      (value.startsWith('{') ? parseFileJson(value) : undefined) ?? new FileValue(value, '', '')
    )
  }
  if (value instanceof Numeral) return new FileValue(value.text, '', '')
  if (typeof value === 'number' || typeof value === 'boolean') {
    return new FileValue(String(value), '', '')
  }
  return readFileObject(value)
}

const MEMBERS = new Set(['text', 'base64', 'filename', 'content_type'])

function parseFileJson(json: string): FileValue | undefined {
  try {
    return readFileObject(JSON.parse(json))
  } catch {
    // A string that only begins like JSON is content.
    return undefined
  }
}

function readFileObject(value: unknown): FileValue | undefined {
  if (!isJsonObject(value)) return undefined
  const { text: plain, base64, filename, content_type: mediaType } = value
  const isKnown = Object.keys(value).every((name) => MEMBERS.has(name))
  if (!isKnown || (plain === undefined) === (base64 === undefined)) return undefined
  const content = plain === undefined ? decodeFileBase64(base64) : plain
  if (typeof content !== 'string' && !(content instanceof Uint8Array)) return undefined
  return new FileValue(content, toStringOrEmpty(filename), toStringOrEmpty(mediaType))
}

function decodeFileBase64(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'string') return undefined
  try {
    return Uint8Array.from(atob(value), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function toStringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
