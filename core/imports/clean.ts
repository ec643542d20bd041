import { isObject } from '../schemas/values.ts'

/** Escapes that can produce what a database refuses or changes: NUL and lone surrogates. */
const SUSPECT = /\\(?:u0000|u[dD][89a-fA-F]|0|x00|U)/
const UNSTORABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/**
 * Replaces NUL characters and lone surrogates, which came in by escapes, with U+FFFD, so that
 * every storage keeps the same text. Returns the value itself when the source has no such escape.
 */
export function cleanValue(value: unknown, source: string): unknown {
  return source.includes('\\') && SUSPECT.test(source) ? clean(value, new Map()) : value
}

function clean(value: unknown, done: Map<object, unknown>): unknown {
  if (typeof value === 'string') return value.replace(UNSTORABLE, '\ufffd')
  if (typeof value !== 'object' || value === null) return value
  const known = done.get(value)
  if (known !== undefined) return known
  if (Array.isArray(value)) {
    const list: unknown[] = []
    done.set(value, list)
    for (const item of value) list.push(clean(item, done))
    return list
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(
    ([key, item]) => [key.replace(UNSTORABLE, '\ufffd'), clean(item, done)] as const,
  )
  const object = Object.fromEntries(entries)
  done.set(value, object)
  return object
}
