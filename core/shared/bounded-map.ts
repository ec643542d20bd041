/** A map that never holds more than its capacity. */
export interface BoundedMap<Key, Value> {
  readonly size: number
  get(key: Key): Value | undefined
  /** Makes the entry the newest; drops the oldest when there are too many. */
  set(key: Key, value: Value): void
  delete(key: Key): void
  /** The entries, oldest first. */
  entries(): IterableIterator<[Key, Value]>
}

/** Creates a map of at most `capacity` entries, the oldest set of which make room. */
export function createBoundedMap<Key, Value>(capacity: number): BoundedMap<Key, Value> {
  const map = new Map<Key, Value>()
  return {
    get size() {
      return map.size
    },
    get: (key) => map.get(key),
    set(key, value) {
      map.delete(key)
      map.set(key, value)
      if (map.size <= capacity) return
      const oldest = map.keys().next()
      if (!oldest.done) map.delete(oldest.value)
    },
    delete(key) {
      map.delete(key)
    },
    entries: () => map.entries(),
  }
}
