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
