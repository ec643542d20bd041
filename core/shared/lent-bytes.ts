/** Bytes of each buffer: what a runtime reads at once. */
export const BUFFER_BYTES = 65_536

/**
 * Buffers that go round: a connection reads into one and lends it out; who hands its bytes on and
 * knows when nobody needs them any more gives it back. One that is not given back is simply lost to
 * the runtime, so whoever keeps what it was lent keeps it for good.
 */
const lent = new WeakMap<Uint8Array, Uint8Array>()
const free: Uint8Array[] = []

/** A buffer to read into, whose present content is anybody's. */
export function takeBuffer(): Uint8Array {
  return free.pop() ?? new Uint8Array(BUFFER_BYTES)
}

/** Lends a buffer as bytes that stand in it; from now on they are their receiver's. */
export function lend<Bytes extends Uint8Array>(buffer: Uint8Array, bytes: Bytes): Bytes {
  lent.set(bytes, buffer)
  return bytes
}

/** Whether these very bytes, and not a part of them, were lent and are not given back. */
export function isLent(bytes: Uint8Array): boolean {
  return lent.has(bytes)
}

/** Lets lent bytes be written over. Ignores any others, and those given back before. */
export function giveBack(bytes: Uint8Array): void {
  const buffer = lent.get(bytes)
  lent.delete(bytes)
  if (buffer && free.length < MAX_FREE) free.push(buffer)
}

const MAX_FREE = 16
