/**
 * The same input with its bytes as bare buffers, for a message. Deno walks through every message
 * that it receives, and takes a second for each 6 MB of a `Uint8Array` (2.9, node:worker_threads).
 */
export function toBuffers(input: unknown): unknown {
  return mapMembers(input, (value) => (value instanceof Uint8Array ? toBuffer(value) : value))
}

/** The input that `toBuffers` was given. */
export function fromBuffers(input: unknown): unknown {
  return mapMembers(input, (value) =>
    value instanceof ArrayBuffer ? new Uint8Array(value) : value,
  )
}

function toBuffer(bytes: Uint8Array): ArrayBuffer {
  const { buffer } = bytes
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength
  return isWhole ? buffer : new Uint8Array(bytes).buffer
}

function mapMembers(input: unknown, map: (value: unknown) => unknown): unknown {
  if (typeof input !== 'object' || input === null) return input
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, map(value)]))
}
