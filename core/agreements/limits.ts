/** Maximum size of an agreement's text in bytes (UTF-8). */
export const MAX_TEXT_BYTES = 1024 * 1024

/** Maximum number of entered agreements per API. */
export const MAX_AGREEMENTS = 100

/** True if a text has at most `bytes` bytes in UTF-8. */
export function isTextWithin(text: string, bytes: number): boolean {
  // A UTF-16 code unit takes one to three bytes.
  if (text.length * 3 <= bytes) return true
  return text.length <= bytes && new TextEncoder().encode(text).length <= bytes
}
