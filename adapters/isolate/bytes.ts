/**
 * Copies byte arrays in the input to separate buffers that a message can transfer, to avoid further
 * copies. Deno traverses received messages, and takes a second for each 6 MB of a `Uint8Array`
 * (2.9, node:worker_threads).
 */
export function toBuffers(input: unknown): {
  readonly input: unknown
  readonly buffers: readonly ArrayBuffer[]
} {
  const buffers: ArrayBuffer[] = []
  const copy = (bytes: Uint8Array) => {
    const { buffer } = new Uint8Array(bytes)
    buffers.push(buffer)
    return buffer
  }
  return {
    input: mapMembers(input, (value) => (value instanceof Uint8Array ? copy(value) : value)),
    buffers,
  }
}

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
