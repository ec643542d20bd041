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
  return source.includes('\\') && SUSPECT.test(source) ? replaceUnstorable(value, new Map()) : value
}

function replaceUnstorable(value: unknown, done: Map<object, unknown>): unknown {
  if (typeof value === 'string') return replaceInText(value)
  if (typeof value !== 'object' || value === null) return value
  const known = done.get(value)
  if (known !== undefined) return known
  const cleaned = Array.isArray(value)
    ? replaceInList(value, done)
    : isObject(value)
      ? replaceInObject(value, done)
      : value
  done.set(value, cleaned)
  return cleaned
}

// Copies only lists and objects that change: most of a document is clean.

function replaceInList(list: readonly unknown[], done: Map<object, unknown>): readonly unknown[] {
  let copy: unknown[] | undefined
  for (const [at, item] of list.entries()) {
    const cleaned = replaceUnstorable(item, done)
    if (cleaned === item) continue
    copy ??= [...list]
    copy[at] = cleaned
  }
  return copy ?? list
}

function replaceInObject(object: JsonObject, done: Map<object, unknown>): JsonObject {
  let isChanged = false
  const entries = Object.entries(object).map(([key, item]) => {
    const entry = [replaceInText(key), replaceUnstorable(item, done)] as const
    isChanged ||= entry[0] !== key || entry[1] !== item
    return entry
  })
  return isChanged ? Object.fromEntries(entries) : object
}

/**
 * Avoids regular expressions: a list of millions of matches needs a hundred times the text's
 * memory.
 */
function replaceInText(text: string): string {
  const whole = text.toWellFormed()
  return whole.includes('\0') ? whole.split('\0').join('\ufffd') : whole
}
