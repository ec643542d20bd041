import { Buffer } from 'node:buffer'

/** Bytes of each buffer: what a runtime reads at once. */
export const BUFFER_BYTES = 65_536

/**
 * Buffers that go round: a connection reads into one and lends it out; who hands its bytes on and
 * knows when nobody needs them any more gives it back. One that is not given back is simply lost to
 * V8, so whoever keeps what it was lent keeps it for good.
 */
const lent = new WeakMap<Uint8Array, Buffer>()
const free: Buffer[] = []

/** A buffer to read into, whose present content is anybody's. */
export function takeBuffer(): Buffer {
  return free.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES)
}

/** The first bytes of a buffer, from now on their receiver's. */
export function lend(buffer: Buffer, length: number): Uint8Array {
  const bytes = buffer.subarray(0, length)
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
