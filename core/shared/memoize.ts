import { createBoundedMap } from './bounded-map.ts'

/** Maximum number of cached values. */
const MAX_CACHED = 1000

/**
 * Caches a read by ID: each ID is read once while it is among the last 1,000. Use it for one
 * response only: it does not see later changes.
 */
export function memoizeById<Value>(
  read: (id: number) => Promise<Value>,
): (id: number) => Promise<Value> {
  const known = createBoundedMap<number, { readonly value: Value }>(MAX_CACHED)
  return async (id) => {
    const entry = known.get(id)
    if (entry) return entry.value
    const value = await read(id)
    known.set(id, { value })
    return value
  }
}

/** Caches the last 1,000 values of a bulk read; one call loads all missing IDs. */
export function memoizeByIds<Value>(
  read: (ids: readonly number[]) => Promise<ReadonlyMap<number, Value>>,
): (ids: readonly number[]) => Promise<ReadonlyMap<number, Value>> {
  const known = createBoundedMap<number, { readonly value: Value | undefined }>(MAX_CACHED)
  return async (ids) => {
    const found = new Map<number, Value>()
    const missing = new Set<number>()
    for (const id of ids) {
      const entry = known.get(id)
      if (!entry) missing.add(id)
      else if (entry.value !== undefined) found.set(id, entry.value)
    }
    if (missing.size === 0) return found
    const values = await read([...missing])
    for (const id of missing) {
      const value = values.get(id)
      known.set(id, { value })
      if (value !== undefined) found.set(id, value)
    }
    return found
  }
}

/** Caches the last 10,000 values that are computed from a string. */
export function memoizeByText<Value>(compute: (text: string) => Value): (text: string) => Value {
  const known = createBoundedMap<string, { readonly value: Value }>(10 * MAX_CACHED)
  return (text) => {
    const entry = known.get(text)
    if (entry) return entry.value
    const value = compute(text)
    known.set(text, { value })
    return value
  }
}

/**
 * Memoises an asynchronous load. A failed load rejects for all waiting callers, and the next call
 * retries it.
 */
export function memoizeLoad<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}
