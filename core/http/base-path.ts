/**
 * A base path without its final slash: `/api`, or empty for the root. Undefined for what is no path
 * of letters, digits, `.`, `_`, `~` and `-`.
 */
export function parseBasePath(text: string): string | undefined {
  const path = text.replace(/\/+$/, '')
  return path === '' || /^(\/[\w.~-]+)+$/.test(path) ? path : undefined
}

/** Each base path as `parseBasePath` reads it, once. Throws a `RangeError` for what is none. */
export function readBasePaths(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map(readBasePath))]
}

function readBasePath(text: string): string {
  const path = parseBasePath(text)
  if (path !== undefined) return path
  throw new RangeError(`Cannot use the base path "${text}": it must look like /api`)
}
