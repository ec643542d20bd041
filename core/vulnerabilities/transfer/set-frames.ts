import { concatBytesCopy } from '../../shared/bytes.ts'
import { createPartWriter } from '../index/part-writer.ts'
import type { Load, PartSet, VulnerabilityStore } from '../store.ts'
import { createBrokenError } from './archive.ts'
import type { Frame } from './frames.ts'

/** Writes the sets of an archive to the store. Their ID is the load's `nextId`. */
export interface SetWriter {
  /** Writes the parts of a frame, which must follow those of the set's previous frame. */
  add(frame: Frame): Promise<void>
  /** Writes a set that consists of these bytes. */
  writeSet(name: string, bytes: Uint8Array): Promise<void>
  /**
   * Checks the size of a set. Throws a `ServiceError` with code `invalid_body` if it differs.
   */
  requireSize(name: string, size: { readonly bytes?: number; readonly parts?: number }): void
  flush(): Promise<void>
}

/** Creates a writer of sets. */
export function createSetWriter(load: Load): SetWriter {
  const writer = createPartWriter(load, load.nextId)
  const written = new Map<string, { readonly bytes: number; readonly parts: number }>()
  return {
    async add(frame) {
      const { set = '', first } = frame.head
      const { bytes, parts } = written.get(set) ?? { bytes: 0, parts: 0 }
      if (first !== parts) throw createSizeError(set)
      let number = parts
      for (const part of splitParts(frame)) {
        writer.add(set, number, part)
        number += 1
        await writer.flushWhenLarge()
      }
      written.set(set, { bytes: bytes + frame.body.length, parts: number })
    },
    writeSet: (name, bytes) => writer.writeSet(name, bytes),
    requireSize(name, size) {
      const { bytes, parts } = written.get(name) ?? { bytes: 0, parts: 0 }
      if ((size.bytes ?? bytes) !== bytes || (size.parts ?? parts) !== parts) {
        throw createSizeError(name)
      }
    },
    flush: () => writer.flush(),
  }
}

/** Splits the body of a frame into the parts of its set. */
export function splitParts({ head: { set = '', sizes = [] }, body }: Frame): readonly Uint8Array[] {
  let end = 0
  const parts = sizes.map((size) => {
    end += size
    return body.subarray(end - size, end)
  })
  if (end !== body.length) throw createSizeError(set)
  return parts
}

/** Reads a set and packs its parts. */
export async function* packSet(store: VulnerabilityStore, set: PartSet): AsyncGenerator<Frame> {
  let parts: Uint8Array[] = []
  let first = 0
  let bytes = 0
  const toFrame = (): Frame => ({
    head: { type: 'set', set: set.name, first, sizes: parts.map(({ length }) => length) },
    body: concatBytesCopy(parts),
  })
  for await (const part of listParts(store, set)) {
    parts.push(part)
    bytes += part.length
    if (bytes < FRAME_BYTES) continue
    yield toFrame()
    first += parts.length
    parts = []
    bytes = 0
  }
  if (parts.length > 0) yield toFrame()
}

/** Reads all parts of a set. */
export async function readAllParts(
  store: VulnerabilityStore,
  set: PartSet,
): Promise<readonly Uint8Array[]> {
  const parts: Uint8Array[] = []
  for await (const part of listParts(store, set)) parts.push(part)
  return parts
}

const FRAME_BYTES = 4 * 1024 * 1024
const PARTS_AT_ONCE = 16

async function* listParts(store: VulnerabilityStore, set: PartSet): AsyncGenerator<Uint8Array> {
  for (let first = 0; ; first += PARTS_AT_ONCE) {
    const numbers = Array.from({ length: PARTS_AT_ONCE }, (_, index) => first + index)
    for (const part of await store.readParts(set, numbers)) {
      if (!part) return
      yield part
    }
  }
}

function createSizeError(set: string) {
  return createBrokenError(`the size of its set "${set}" is wrong`)
}
