/**
 * Converts a text to one that every engine can store. It removes NUL, which PostgreSQL rejects and
 * at which Deno's SQLite truncates. It replaces lone surrogates, which UTF-8 cannot encode, by
 * U+FFFD.
 */
export function cleanText(text: string): string {
  const withoutNul = text.includes('\0') ? text.replaceAll('\0', '') : text
  return withoutNul.toWellFormed()
}

/** Cleans the texts in query parameters; returns the same array if all are clean. */
export function cleanParameters(parameters: readonly unknown[]): readonly unknown[] {
  for (let index = 0; index < parameters.length; index += 1) {
    const parameter = parameters[index]
    if (typeof parameter === 'string' && cleanText(parameter) !== parameter) {
      return parameters.map((value) => (typeof value === 'string' ? cleanText(value) : value))
    }
  }
  return parameters
}

/** Serialises a value as JSON with clean texts, including keys. */
export function toCleanJson(value: unknown): string {
  const json = JSON.stringify(value)
  return SUSPICIOUS_ESCAPE.test(json) ? JSON.stringify(cleanDeep(value)) : json
}

const SUSPICIOUS_ESCAPE = /\\u(?:0000|d[89a-f])/i

function cleanDeep(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [cleanText(key), cleanDeep(inner)]),
  )
}
