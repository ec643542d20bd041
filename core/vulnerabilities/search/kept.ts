import { chain, type MaybePromise } from '../../shared/maybe-promise.ts'

/** Keeps what was read, within a bound of bytes: what was not used for longest goes first. */
export interface Kept<T> {
  /** What is kept under a key; undefined when it has to be read. */
  find(key: string): MaybePromise<T> | undefined
  /** Keeps a value, one still being read too: who asks meanwhile waits for the same. */
  keep(key: string, value: MaybePromise<T>): MaybePromise<T>
}

/** Creates an empty store of read values; `measure` tells the bytes of one. */
export function createKept<T>(maxBytes: number, measure: (value: T) => number): Kept<T> {
  const reading = new Map<string, Promise<T>>()
  const values = new Map<string, { readonly value: T; readonly bytes: number }>()
  let total = 0

  function add(key: string, value: T): T {
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
    find(key) {
      const known = values.get(key)
      if (!known) return reading.get(key)
      values.delete(key)
      values.set(key, known)
      return known.value
    },
    keep(key, value) {
      if (!(value instanceof Promise)) return add(key, value)
      reading.set(key, value)
      const forget = () => {
        if (reading.get(key) === value) reading.delete(key)
      }
      value.then(forget, forget)
      return chain(value, (read) => add(key, read))
    },
  }
}

/** What a key and its place in the maps take, roughly. */
const ENTRY_BYTES = 200
