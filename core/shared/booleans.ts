const TRUE = new Set(['true', 'True', 'TRUE', '1', 'yes'])
const FALSE = new Set(['false', 'False', '0', 'no', ''])

/** Parses a boolean as clients write it; empty text is false. Returns undefined for other text. */
export function parseBoolean(text: string): boolean | undefined {
  if (TRUE.has(text)) return true
  return FALSE.has(text) ? false : undefined
}
