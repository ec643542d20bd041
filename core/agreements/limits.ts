/** Most bytes (UTF-8) of an agreement's text. */
export const MAX_TEXT_BYTES = 1024 * 1024

/** Most agreements that are entered of one API. */
export const MAX_AGREEMENTS = 100

/** Whether a text has at most so many bytes as UTF-8. */
export function isTextWithin(text: string, bytes: number): boolean {
  // A UTF-16 unit takes one byte at least and three at most.
  if (text.length * 3 <= bytes) return true
  return text.length <= bytes && new TextEncoder().encode(text).length <= bytes
}
