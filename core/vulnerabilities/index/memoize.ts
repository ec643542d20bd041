/** Caches the results for recent strings, because most occur again. */
export function memoize<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = make(text)
    if (known.size >= MAX_CACHED) known.clear()
    known.set(text, made)
    return made
  }
}

/** Limit on the cached results. */
const MAX_CACHED = 10_000
