import { createYieldIfDue } from '../../core/shared/time-slices.ts'

/**
 * Copies byte arrays in the input to separate buffers that a message can transfer, to avoid further
 * copies. Yields to the event loop when due: touching the new memory takes milliseconds per MB.
 * Deno traverses received messages, and takes a second for each 6 MB of a `Uint8Array` (2.9,
 * node:worker_threads).
 */
export async function toBuffers(input: unknown): Promise<{
  readonly input: unknown
  readonly buffers: readonly ArrayBuffer[]
}> {
  const copies = new Map<Uint8Array, ArrayBuffer>()
  for (const value of Object.values(Object(input))) {
    if (value instanceof Uint8Array) copies.set(value, await copyBytes(value))
  }
  return {
    input: mapMembers(input, (value) => (value instanceof Uint8Array ? copies.get(value) : value)),
    buffers: [...copies.values()],
  }
}

async function copyBytes(bytes: Uint8Array): Promise<ArrayBuffer> {
  const copy = new Uint8Array(bytes.length)
  const pause = createYieldIfDue()
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    copy.set(bytes.subarray(start, start + CHUNK_BYTES), start)
    await pause()
  }
  return copy.buffer
}

const CHUNK_BYTES = 1024 * 1024

/** Reverses `toBuffers`. */
export function fromBuffers(input: unknown): unknown {
  return mapMembers(input, (value) =>
    value instanceof ArrayBuffer ? new Uint8Array(value) : value,
  )
}

function mapMembers(input: unknown, map: (value: unknown) => unknown): unknown {
  if (typeof input !== 'object' || input === null) return input
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, map(value)]))
}
