import { isObject, type JsonObject } from '../schemas/values.ts'

/**
 * Escapes that can produce characters which a database rejects or changes: NUL and lone surrogates.
 */
const SUSPECT = /\\(?:u0000|u[dD][89a-fA-F]|0|x00|U)/

/**
 * Replaces escaped NUL characters and lone surrogates with U+FFFD, so that every storage stores the
 * same text. Returns the value itself if nothing is replaced.
 */
export function cleanValue(value: unknown, source: string): unknown {
  return source.includes('\\') && SUSPECT.test(source) ? clean(value, new Map()) : value
}

function clean(value: unknown, done: Map<object, unknown>): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  const known = done.get(value)
  if (known !== undefined) return known
  const cleaned = Array.isArray(value)
    ? cleanList(value, done)
    : isObject(value)
      ? cleanObject(value, done)
      : value
  done.set(value, cleaned)
  return cleaned
}

// Copies only lists and objects that change: most of a document is clean.

function cleanList(list: readonly unknown[], done: Map<object, unknown>): readonly unknown[] {
  let copy: unknown[] | undefined
  for (const [at, item] of list.entries()) {
    const cleaned = clean(item, done)
    if (cleaned === item) continue
    copy ??= [...list]
    copy[at] = cleaned
  }
  return copy ?? list
}

function cleanObject(object: JsonObject, done: Map<object, unknown>): JsonObject {
  let isChanged = false
  const entries = Object.entries(object).map(([key, item]) => {
    const entry = [cleanText(key), clean(item, done)] as const
    isChanged ||= entry[0] !== key || entry[1] !== item
    return entry
  })
  return isChanged ? Object.fromEntries(entries) : object
}

/**
 * Avoids regular expressions: a list of millions of matches needs a hundred times the text's
 * memory.
 */
function cleanText(text: string): string {
  const whole = text.toWellFormed()
  return whole.includes('\0') ? whole.split('\0').join('\ufffd') : whole
}
