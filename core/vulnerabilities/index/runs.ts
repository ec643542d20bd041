import type { Load, PartSet, VulnerabilityStore } from '../store.ts'
import { measureVarint, writeVarint } from './postings.ts'
import { readParts } from './read-index.ts'

// An index builder whose terms use too much memory writes them to the store as a sorted run. After
// the last record, all runs are merged into the index. A run is a set of parts that is never
// published.
//
// A run contains terms in the order of `<`, each as four fields: two varints with the sizes of the
// term (in UTF-8) and of its postings, the term, and the postings as `TermsBuilder.read` returns
// them. A term never spans two parts. An empty part marks the end of the run.

export interface RunWriter {
  add(term: string, postings: Uint8Array): void
  /** Writes a part if enough terms are buffered; otherwise returns undefined. */
  flushWhenLarge(): Promise<void> | undefined
  /** Writes the buffered terms and the part that marks the end. */
  flush(): Promise<void>
}

/** Creates a writer for a run. `run` is its number within the load, from 0. */
export function createRunWriter(load: Load, run: number): RunWriter {
  const set = toRunSet(load, run)
  let memory = new Uint8Array(FIRST_BYTES)
  let length = 0
  let number = 0

  async function writePart(): Promise<void> {
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
    flushWhenLarge: () => (length < RUN_PART_BYTES ? undefined : writePart()),
    async flush() {
      if (length > 0) await writePart()
      await writePart()
    },
  }
}

/** Iterates over terms in the order of `<`. */
export interface TermCursor {
  /** The current term; undefined after the last one. */
  readonly term: string | undefined
  /** Postings of the current term, as `TermsBuilder.read` returns them; valid until `advance`. */
  readonly postings: Uint8Array
  /** Moves to the first or next term. If it returns a promise, await it before reading `term`. */
  advance(): Promise<void> | undefined
}

/** Creates a cursor over a run. It buffers one part. `advance` throws the errors of `readParts`. */
export function createRunCursor(store: VulnerabilityStore, set: PartSet): TermCursor {
  let part = new Uint8Array(0)
  let at = 0
  let number = 0
  let term: string | undefined
  let postings = part

  function readTerm(): void {
    const [textBytes, afterText] = readVarint(part, at)
    const [postingBytes, start] = readVarint(part, afterText)
    term = decoder.decode(part.subarray(start, start + textBytes))
    at = start + textBytes + postingBytes
    postings = part.subarray(start + textBytes, at)
  }

  async function readNextPart(): Promise<void> {
    const [next = part] = await readParts(store, set, [number])
    part = new Uint8Array(next)
    at = 0
    number += 1
    if (part.length > 0) readTerm()
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
      if (at < part.length) readTerm()
      else return readNextPart()
    },
  }
}

/** Identifies the set of parts that stores a run. */
export function toRunSet(load: Pick<Load, 'nextId'>, run: number): PartSet {
  return { id: load.nextId, name: `run-${run}` }
}

/** Number of buffered bytes from which a part is written. */
const RUN_PART_BYTES = 256 * 1024
/** Initial size of the buffer; small, because most runs are short. */
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
