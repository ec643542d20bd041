/** Memory limit shared by all conversations, in bytes or names. */
export interface Budget {
  used: number
  readonly limit: number
}

/** Buffer for bytes that are still incomplete. */
export interface ByteBuffer {
  bytes(): Uint8Array
  length(): number
  /** Returns false and stores nothing if the budget is exceeded. */
  append(bytes: Uint8Array, span: { readonly at: number; readonly end: number }): boolean
  consume(count: number): void
  clear(): void
}

const FIRST_BYTES = 512

/** Creates an empty buffer. */
export function createByteBuffer(budget: Budget): ByteBuffer {
  let store = new Uint8Array(0)
  let length = 0
  const resize = (bytes: number) => {
    budget.used += bytes - store.length
    const larger = new Uint8Array(bytes)
    larger.set(store.subarray(0, Math.min(length, bytes)))
    store = larger
  }
  return {
    bytes: () => store,
    length: () => length,
    append(bytes, { at, end }) {
      const wanted = length + end - at
      if (wanted > store.length) {
        const size = Math.max(FIRST_BYTES, 2 ** Math.ceil(Math.log2(wanted)))
        if (budget.used + size - store.length > budget.limit) return false
        resize(size)
      }
      store.set(bytes.subarray(at, end), length)
      length = wanted
      return true
    },
    consume(count) {
      const taken = Math.min(count, length)
      length -= taken
      if (length === 0) resize(0)
      else store.copyWithin(0, taken, taken + length)
    },
    clear() {
      length = 0
      resize(0)
    },
  }
}
