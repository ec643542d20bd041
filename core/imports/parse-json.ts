import { checkJsonStrictly } from './check-json-strictly.ts'
import { createImportError, formatLocation, toSourceLocation } from './import-errors.ts'
import type { ImportLimits } from './limits.ts'

/** A parsed JSON text and its duplicate members. */
export interface ParsedJson {
  readonly value: unknown
  /** JSON pointers of duplicate members; the last one is used (RFC 8259 4). */
  readonly duplicates: readonly string[]
}

/**
 * Parses JSON text. Checks depth and number of values before building anything. Detects duplicate
 * members by comparing the number of colons with the number of members built, so a text without
 * duplicates costs one extra scan. Throws `too_expensive`, or `invalid_description` with line and
 * column, with the same messages on every runtime.
 */
export function parseJson(text: string, limits: ImportLimits): ParsedJson {
  const shape = countShape(text)
  if (shape.depth > limits.maxDepth) {
    throw createImportError(
      'too_expensive',
      `Cannot parse the JSON text: nested ${shape.depth} levels deep, at most ${limits.maxDepth} are allowed`,
    )
  }
  if (shape.values > limits.maxNodes) {
    throw createImportError(
      'too_expensive',
      `Cannot parse the JSON text: ${shape.values} values, at most ${limits.maxNodes} are allowed`,
    )
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw createJsonError(text)
  }
  const isDistinct = text.length > MAX_CHECKED || countMembers(value) === shape.members
  return { value, duplicates: isDistinct ? [] : checkJsonStrictly(text).duplicates }
}

/** Larger texts are not checked for duplicates: machines generate them from maps. */
const MAX_CHECKED = 4 * 1024 * 1024

function createJsonError(text: string) {
  const { error } = checkJsonStrictly(text)
  if (error === undefined) return createImportError('invalid_description', 'Invalid JSON')
  const location = toSourceLocation(text, error.offset)
  return createImportError(
    'invalid_description',
    `Invalid JSON: ${error.message} (${formatLocation(location)})`,
    location,
  )
}

/** Counts brackets, separators and colons outside strings, without building values. */
function countShape(text: string) {
  let depth = 0
  let deepest = 0
  let members = 0
  let values = 0
  const end = text.length
  for (let at = 0; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 34) {
      at = findClosingQuote(text, at + 1)
    } else if (code === 58) {
      members += 1
    } else if (code === 44) {
      values += 1
    } else if (code === 123 || code === 91) {
      values += 1
      depth += 1
      if (depth > deepest) deepest = depth
    } else if (code === 125 || code === 93) {
      depth -= 1
    }
  }
  return { depth: deepest, members, values }
}

/** Returns the offset of the quote that ends a string; the text length if there is none. */
function findClosingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let start = at
    while (text.charCodeAt(start - 1) === 92) start -= 1
    if ((at - start) % 2 === 0) return at
  }
  return text.length
}

function countMembers(value: unknown): number {
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value)
      if (typeof item === 'object' && item !== null) count += countMembers(item)
    return count
  }
  if (typeof value !== 'object' || value === null) return 0
  const object = value as Record<string, unknown>
  for (const key in object) {
    count += 1
    const item = object[key]
    if (typeof item === 'object' && item !== null) count += countMembers(item)
  }
  return count
}
