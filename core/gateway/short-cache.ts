import type { Clock } from '../ports/clock.ts'
import { createBoundedMap } from '../shared/bounded-map.ts'
import type { MaybePromise } from '../shared/maybe-promise.ts'

/** A cache whose values may be up to a second old, unless `forget` is called. */
export interface ShortCache<Value> {
  /**
   * Returns the cached value, or reads it if it is older than a second. Concurrent reads of a key
   * are shared.
   */
  get(key: string, read: () => MaybePromise<Value>): MaybePromise<Value>
  /** Returns the cached value, if there is one. Avoids a closure on hot paths. */
  peek(key: string): { readonly value: Value } | undefined
  /** Makes the next `get` of every key read again. Call it after a change in this process. */
  forget(): void
}

interface Entry<Value> {
  readonly value: Value
  readonly from: number
}

interface PendingRead<Value> {
  readonly from: number
  readonly value: Promise<Value>
}

const MAX_AGE_MS = 1000
const MAX_ENTRIES = 10_000

/** Creates a cache of at most 10,000 values. */
export function createShortCache<Value>(clock: Clock): ShortCache<Value> {
  const entries = createBoundedMap<string, Entry<Value>>(MAX_ENTRIES)
  const pending = new Map<string, PendingRead<Value>>()
  let generation = 0

  /** Checks whether an entry is current. It is not if the clock was set back. */
  function isCurrent(from: number): boolean {
    const age = clock() - from
    return age >= 0 && age < MAX_AGE_MS
  }

  function peek(key: string): Entry<Value> | undefined {
    const entry = entries.get(key)
    return entry && isCurrent(entry.from) ? entry : undefined
  }

  async function storeWhenRead(key: string, reading: PendingRead<Value>): Promise<Value> {
    const startGeneration = generation
    try {
      const value = await reading.value
      // Do not cache a value that was read before a change.
      if (startGeneration === generation) entries.set(key, { value, from: reading.from })
      return value
    } finally {
      if (pending.get(key) === reading) pending.delete(key)
    }
  }

  return {
    peek,
    get(key, read) {
      const known = peek(key)
      if (known) return known.value
      const running = pending.get(key)
      if (running && isCurrent(running.from)) return running.value
      const from = clock()
      const value = read()
      if (!(value instanceof Promise)) {
        entries.set(key, { value, from })
        return value
      }
      const reading = { from, value }
      pending.set(key, reading)
      return storeWhenRead(key, reading)
    },
    forget() {
      generation += 1
      pending.clear()
      for (const [key] of [...entries.entries()]) entries.delete(key)
    },
  }
}
