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
  // Kept, as a new one would pass over every gap that removed entries have left at the front.
  let oldestFirst = map.keys()

  function dropOldest(): void {
    let oldest = oldestFirst.next()
    if (oldest.done) {
      oldestFirst = map.keys()
      oldest = oldestFirst.next()
    }
    if (!oldest.done) map.delete(oldest.value)
  }

  return {
    get size() {
      return map.size
    },
    get: (key) => map.get(key),
    set(key, value) {
      map.delete(key)
      map.set(key, value)
      if (map.size > capacity) dropOldest()
    },
    delete(key) {
      map.delete(key)
    },
    entries: () => map.entries(),
  }
}
