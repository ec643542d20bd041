/** Size of each buffer, equal to the amount a runtime reads at once. */
export const BUFFER_BYTES = 65_536

/**
 * Buffer pool. A connection reads into a buffer and passes it on as bytes. The final consumer of
 * the bytes releases the buffer. A buffer that is never released is garbage-collected, so a
 * consumer may also retain its bytes.
 */
const lent = new WeakMap<Uint8Array, Uint8Array>()
const free: Uint8Array[] = []

/** Acquires a buffer. Its content is undefined. */
export function takeBuffer(): Uint8Array {
  return free.pop() ?? new Uint8Array(BUFFER_BYTES)
}

/** Transfers a buffer to the receiver of `bytes`, which are a view of it. */
export function lend<Bytes extends Uint8Array>(buffer: Uint8Array, bytes: Bytes): Bytes {
  lent.set(bytes, buffer)
  return bytes
}

/** Returns whether these bytes, not a part of them, come from the pool and are unreleased. */
export function isLent(bytes: Uint8Array): boolean {
  return lent.has(bytes)
}

/** Releases pooled bytes for reuse. Ignores other bytes, and those already released. */
export function giveBack(bytes: Uint8Array): void {
  const buffer = lent.get(bytes)
  lent.delete(bytes)
  if (buffer && free.length < MAX_FREE) free.push(buffer)
}

const MAX_FREE = 16
