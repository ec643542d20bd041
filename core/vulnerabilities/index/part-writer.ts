import type { Load, Part } from '../store.ts'
import { toParts } from './columns.ts'

/** Collects parts of one version of the index and writes them in bundles. */
export interface PartWriter {
  add(name: string, number: number, bytes: Uint8Array): void
  /** A set of these bytes alone. */
  addSet(name: string, bytes: Uint8Array): void
  /** To be awaited when enough is collected; undefined before. */
  flushWhenLarge(): Promise<void> | undefined
  flush(): Promise<void>
}

export function createPartWriter(load: Load, id: number): PartWriter {
  let waiting = new Map<string, Part[]>()
  let bytesWaiting = 0

  async function flush(): Promise<void> {
    const sets = waiting
    waiting = new Map()
    bytesWaiting = 0
    for (const [name, parts] of sets) await load.writeParts({ id, name }, parts)
  }

  const writer: PartWriter = {
    add(name, number, bytes) {
      const parts = waiting.get(name) ?? []
      waiting.set(name, parts)
      parts.push({ number, bytes })
      bytesWaiting += bytes.length
    },
    addSet(name, bytes) {
      for (const [number, part] of toParts(bytes).entries()) writer.add(name, number, part)
    },
    flushWhenLarge: () => (bytesWaiting < BUNDLE_BYTES ? undefined : flush()),
    flush,
  }
  return writer
}

const BUNDLE_BYTES = 1 << 20
