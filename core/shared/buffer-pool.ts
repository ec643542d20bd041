/** Size of each buffer, equal to the amount a runtime reads at once. */
export const BUFFER_BYTES = 65_536

/**
 * Buffer pool. A connection reads into a buffer and passes it on as bytes. The final consumer of
 * the bytes releases the buffer. A buffer that is never released is garbage-collected, so a
 * consumer may also retain its bytes.
 */
const pooledBuffers = new WeakMap<Uint8Array, Uint8Array>()
const freeBuffers: Uint8Array[] = []

/** Acquires a buffer. Its content is undefined. */
export function acquireBuffer(): Uint8Array {
  return freeBuffers.pop() ?? new Uint8Array(BUFFER_BYTES)
}

/** Transfers a buffer to the receiver of `bytes`, which are a view of it. */
export function transferBuffer<Bytes extends Uint8Array>(buffer: Uint8Array, bytes: Bytes): Bytes {
  pooledBuffers.set(bytes, buffer)
  return bytes
}

/** Returns whether these bytes, not a part of them, come from the pool and are unreleased. */
export function isPooled(bytes: Uint8Array): boolean {
  return pooledBuffers.has(bytes)
}

/** Releases pooled bytes for reuse. Ignores other bytes, and those already released. */
export function releaseBytes(bytes: Uint8Array): void {
  const buffer = pooledBuffers.get(bytes)
  pooledBuffers.delete(bytes)
  if (buffer && freeBuffers.length < MAX_FREE_BUFFERS) freeBuffers.push(buffer)
}

const MAX_FREE_BUFFERS = 16
