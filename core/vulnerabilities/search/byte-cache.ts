import { chain, type MaybePromise } from '../../shared/maybe-promise.ts'

/** A cache bounded in bytes, which evicts the least recently used values. */
export interface ByteCache<T> {
  /** The cached or pending value of a key; undefined if it must be read. */
  get(key: string): MaybePromise<T> | undefined
  /** Caches a value. Concurrent readers share a pending one. */
  set(key: string, value: MaybePromise<T>): MaybePromise<T>
}

/** Creates an empty cache; `measure` returns the size of a value in bytes. */
export function createByteCache<T>(maxBytes: number, measure: (value: T) => number): ByteCache<T> {
  const reading = new Map<string, Promise<T>>()
  const values = new Map<string, { readonly value: T; readonly bytes: number }>()
  let total = 0

  function addValue(key: string, value: T): T {
    const bytes = measure(value) + ENTRY_BYTES
    if (values.has(key) || bytes > maxBytes) return value
    values.set(key, { value, bytes })
    total += bytes
    for (const [oldest, { bytes: freed }] of values) {
      if (total <= maxBytes) break
      values.delete(oldest)
      total -= freed
    }
    return value
  }

  return {
    get(key) {
      const known = values.get(key)
      if (!known) return reading.get(key)
      values.delete(key)
      values.set(key, known)
      return known.value
    },
    set(key, value) {
      if (!(value instanceof Promise)) return addValue(key, value)
      reading.set(key, value)
      const forget = () => {
        if (reading.get(key) === value) reading.delete(key)
      }
      value.then(forget, forget)
      return chain(value, (read) => addValue(key, read))
    },
  }
}

/** Approximate size of a key and its entry in the maps. */
const ENTRY_BYTES = 200
