/** A map with a maximum size. */
export interface BoundedMap<Key, Value> {
  readonly size: number
  get(key: Key): Value | undefined
  /** Makes the entry the newest, and removes the oldest if the map exceeds its capacity. */
  set(key: Key, value: Value): void
  delete(key: Key): void
  /** The entries, oldest first. */
  entries(): IterableIterator<[Key, Value]>
}

/** Creates a map of at most `capacity` entries. Adding to a full map evicts the oldest entry. */
export function createBoundedMap<Key, Value>(capacity: number): BoundedMap<Key, Value> {
  const map = new Map<Key, Value>()
  // Reused: a new iterator would skip every gap that removed entries left at the front.
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
