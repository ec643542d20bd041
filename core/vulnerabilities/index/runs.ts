import type { Load, PartSet, VulnerabilityStore } from '../store.ts'
import { measureVarint, writeVarint } from './postings.ts'
import { readParts } from './read.ts'

// A run holds terms of a draft in the order of `<` with what `DraftTerms.read` gives of each, so
// that memory does not grow with the load. It is a set of parts of the load that is never
// published. A part: for each term varints for the bytes of its UTF-8 and of its postings, then
// both. A part of no bytes is the last.

/** Writes a run. */
export interface RunWriter {
  add(term: string, postings: Uint8Array): void
  /** To be awaited when a part is full. */
  flushWhenLarge(): Promise<void> | undefined
  /** Ends the run. */
  flush(): Promise<void>
}

/** Writes the run of that number. */
export function createRunWriter(load: Load, run: number): RunWriter {
  const set = toRunSet(load, run)
  let memory = new Uint8Array(FIRST_BYTES)
  let length = 0
  let number = 0

  async function write(): Promise<void> {
    const part = { number, bytes: memory.subarray(0, length) }
    number += 1
    length = 0
    await load.writeParts(set, [part])
  }

  return {
    add(term, postings) {
      const text = encoder.encode(term)
      const bytes =
        measureVarint(text.length) + measureVarint(postings.length) + text.length + postings.length
      if (length + bytes > memory.length) {
        const grown = new Uint8Array((length + bytes) * 2)
        grown.set(memory.subarray(0, length))
        memory = grown
      }
      length = writeVarint(memory, length, text.length)
      length = writeVarint(memory, length, postings.length)
      memory.set(text, length)
      memory.set(postings, length + text.length)
      length += text.length + postings.length
    },
    flushWhenLarge: () => (length < PART_BYTES ? undefined : write()),
    async flush() {
      if (length > 0) await write()
      await write()
    },
  }
}

/** Goes through terms in the order of `<`. */
export interface TermCursor {
  /** The present term; undefined after the last. */
  readonly term: string | undefined
  /** As `DraftTerms.read` gives it; holds until the next `advance`. */
  readonly postings: Uint8Array
  /** Goes to the next term, at first to the first; to be awaited where it gives a promise. */
  advance(): Promise<void> | undefined
}

/** Goes through a run, a part at a time; `advance` throws as `readParts` does. */
export function createRunCursor(store: VulnerabilityStore, set: PartSet): TermCursor {
  let part = new Uint8Array(0)
  let at = 0
  let number = 0
  let term: string | undefined
  let postings = part

  function take(): void {
    const [textBytes, afterText] = readVarint(part, at)
    const [postingBytes, start] = readVarint(part, afterText)
    term = decoder.decode(part.subarray(start, start + textBytes))
    at = start + textBytes + postingBytes
    postings = part.subarray(start + textBytes, at)
  }

  async function takeFromNext(): Promise<void> {
    const [next = part] = await readParts(store, set, [number])
    part = new Uint8Array(next)
    at = 0
    number += 1
    if (part.length > 0) take()
    else term = undefined
  }

  return {
    get term() {
      return term
    },
    get postings() {
      return postings
    },
    advance() {
      if (at < part.length) take()
      else return takeFromNext()
    },
  }
}

/** The set of a run of a load. */
export function toRunSet(load: Pick<Load, 'next'>, run: number): PartSet {
  return { id: load.next, name: `run-${run}` }
}

const PART_BYTES = 256 * 1024
/** Most runs are short. */
const FIRST_BYTES = 16 * 1024
const encoder = new TextEncoder()
const decoder = new TextDecoder()

function readVarint(bytes: Uint8Array, from: number): readonly [value: number, after: number] {
  let at = from
  let byte = bytes[at++] ?? 0
  let value = byte & 127
  for (let shift = 7; byte > 127; shift += 7) {
    byte = bytes[at++] ?? 0
    value |= (byte & 127) << shift
  }
  return [value, at]
}
