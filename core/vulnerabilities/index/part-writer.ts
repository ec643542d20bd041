import type { Load, Part } from '../store.ts'
import { splitIntoParts } from './columns.ts'

/** Buffers parts of one version of the index and writes them in batches. */
export interface PartWriter {
  /** Copies the bytes. */
  add(name: string, number: number, bytes: Uint8Array): void
  /** Writes a set that consists of these bytes, without buffering. */
  writeSet(name: string, bytes: Uint8Array): Promise<void>
  /** Writes the buffered parts if they are large enough; returns undefined if it writes nothing. */
  flushWhenLarge(): Promise<void> | undefined
  flush(): Promise<void>
}

/** Writes sets with this ID. */
export function createPartWriter(load: Load, id: number): PartWriter {
  let waiting = new Map<string, Part[]>()
  let bytesWaiting = 0
  // One buffer for all batches: the memory of a million short-lived arrays is not freed in time.
  let buffer = new Uint8Array(FIRST_BYTES)

  async function flush(): Promise<void> {
    const sets = waiting
    waiting = new Map()
    bytesWaiting = 0
    for (const [name, parts] of sets) {
      for (const call of splitIntoBatches(parts)) await load.writeParts({ id, name }, call)
    }
  }

  return {
    add(name, number, bytes) {
      const parts = waiting.get(name) ?? []
      waiting.set(name, parts)
      // Waiting parts refer to the old buffer.
      if (bytesWaiting + bytes.length > buffer.length) {
        buffer = new Uint8Array(2 * (bytesWaiting + bytes.length))
      }
      buffer.set(bytes, bytesWaiting)
      parts.push({ number, bytes: buffer.subarray(bytesWaiting, bytesWaiting + bytes.length) })
      bytesWaiting += bytes.length
    },
    async writeSet(name, bytes) {
      const parts = splitIntoParts(bytes).map((part, number) => ({ number, bytes: part }))
      for (const part of parts) await load.writeParts({ id, name }, [part])
    },
    flushWhenLarge: () => (bytesWaiting < BATCH_BYTES ? undefined : flush()),
    flush,
  }
}

const BATCH_BYTES = 1 << 20
/** Small, because most loads contain few records. */
const FIRST_BYTES = 16 * 1024

/**
 * Allows only two batch sizes: a storage may cache a statement, with its buffers, for each size.
 */
const PARTS_PER_BATCH = 16

function* splitIntoBatches(parts: readonly Part[]): Iterable<readonly Part[]> {
  let start = 0
  for (; start + PARTS_PER_BATCH <= parts.length; start += PARTS_PER_BATCH) {
    yield parts.slice(start, start + PARTS_PER_BATCH)
  }
  for (; start < parts.length; start += 1) yield parts.slice(start, start + 1)
}
