import { createBoundedMap } from './bounded-map.ts'

/** Reads of one answer that are kept, per kind of read. */
const MAX_REMEMBERED = 1000

/**
 * The same read, which reads each id once while it is among the last 1,000. For the time of one
 * answer: it never sees what changes later.
 */
export function remember<Value>(
  read: (id: number) => Promise<Value>,
): (id: number) => Promise<Value> {
  const known = createBoundedMap<number, { readonly value: Value }>(MAX_REMEMBERED)
  return async (id) => {
    const entry = known.get(id)
    if (entry) return entry.value
    const value = await read(id)
    known.set(id, { value })
    return value
  }
}

/** Remembers the last 1,000 values of a read of several ids; one call reads all that are missing. */
export function rememberAll<Value>(
  read: (ids: readonly number[]) => Promise<ReadonlyMap<number, Value>>,
): (ids: readonly number[]) => Promise<ReadonlyMap<number, Value>> {
  const known = createBoundedMap<number, { readonly value: Value | undefined }>(MAX_REMEMBERED)
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
