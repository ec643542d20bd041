import { writeVarint } from './postings.ts'
import { copyInto, createTermTable, type TermTable } from './term-table.ts'

/**
 * The terms of added records with their documents, in the order of adding. Postings share a few
 * large arrays, because a million terms would otherwise be millions of objects. The postings of a
 * term are a chain of segments of increasing size. This suits both rare terms and terms of every
 * document.
 */
export interface TermsBuilder extends TermTable {
  /** Adds a document to a term; false if it was added before. */
  add(term: number, document: number): boolean
  /** Adds a position of a word in a document. Positions of a document must ascend. */
  addAt(term: number, document: number, position: number): void
  /**
   * The packed postings of a term. For each document: the difference from the previous one (the
   * first from -1) as a varint, then for words its positions as in `postings.ts`. The next call
   * overwrites the memory.
   */
  read(term: number): Uint8Array
}

/** Use either `add` or `addAt` for a term, and always the same one; `addAt` for words. */
export function createTermsBuilder(): TermsBuilder {
  const table = createTermTable()
  let states: Int32Array = new Int32Array(STATE_FIELDS * (1 << 10))
  /** Number of terms with a state. */
  let known = 0
  const chunks: Uint8Array[] = []
  let memoryEnd = 0
  let scratch = new Uint8Array(1 << 12)

  /** Returns where the state of a term starts. */
  function locate(term: number): number {
    if (term < known) return term * STATE_FIELDS
    states = addStates(states, known, term)
    known = term + 1
    return term * STATE_FIELDS
  }

  function writeByte(at: number, byte: number): void {
    let position = states[at + WRITE] as number
    if (position === (states[at + LIMIT] as number)) position = addSegment(at)
    const chunk = chunks[position >>> CHUNK_BITS] as Uint8Array
    chunk[position & CHUNK_MASK] = byte
    states[at + WRITE] = position + 1
  }

  function writePostingVarint(at: number, value: number): void {
    let rest = value
    while (rest > 127) {
      writeByte(at, (rest & 127) | 128)
      rest >>>= 7
    }
    writeByte(at, rest)
  }

  /** Allocates another segment for a term and links it at the end of the previous one. */
  function addSegment(at: number): number {
    const level = states[at + LEVEL] as number
    const bytes = SEGMENT_BYTES[level] as number
    if ((memoryEnd & CHUNK_MASK) + bytes + LINK_BYTES > CHUNK_SIZE) {
      memoryEnd = ((memoryEnd >>> CHUNK_BITS) + 1) << CHUNK_BITS
    }
    if (memoryEnd >>> CHUNK_BITS >= chunks.length) chunks.push(new Uint8Array(CHUNK_SIZE))
    const start = memoryEnd
    memoryEnd += bytes + LINK_BYTES
    if (states[at + FIRST] === -1) states[at + FIRST] = start
    else writeLink(chunks, states[at + LIMIT] as number, start)
    states[at + LIMIT] = start + bytes
    if (level < SEGMENT_BYTES.length - 1) states[at + LEVEL] = level + 1
    return start
  }

  return {
    get count() {
      return table.count
    },
    get bytes() {
      // Not the reserved memory: `clear` keeps it, so there would be no room for new terms.
      return table.bytes + memoryEnd + known * STATE_BYTES
    },
    numberOf: table.numberOf,
    numberOfRun: table.numberOfRun,
    textOf: table.textOf,

    add(term, document) {
      const at = locate(term)
      const last = states[at + LAST] as number
      if (last === document) return false
      writePostingVarint(at, document - last)
      states[at + LAST] = document
      return true
    },

    addAt(term, document, position) {
      const at = locate(term)
      const last = states[at + LAST] as number
      // A position is written once it is known whether another one follows.
      if (last === document) {
        writePostingVarint(at, (states[at + PENDING] as number) * 2 + 1)
        states[at + PENDING] = position - (states[at + POSITION] as number)
      } else {
        if (last >= 0) writePostingVarint(at, (states[at + PENDING] as number) * 2)
        writePostingVarint(at, document - last)
        states[at + LAST] = document
        states[at + PENDING] = position
      }
      states[at + POSITION] = position
      states[at + HAS_POSITIONS] = 1
    },

    read(term) {
      const at = locate(term)
      let place = states[at + FIRST] as number
      let length = 0
      for (let level = 0; ; level = Math.min(level + 1, SEGMENT_BYTES.length - 1)) {
        const slice = SEGMENT_BYTES[level] as number
        const isLast = place + slice === (states[at + LIMIT] as number)
        const bytes = isLast ? (states[at + WRITE] as number) - place : slice
        const chunk = chunks[place >>> CHUNK_BITS] as Uint8Array
        const start = place & CHUNK_MASK
        if (length + bytes + 5 > scratch.length) {
          scratch = copyInto(scratch, new Uint8Array((length + bytes + 5) * 2))
        }
        scratch.set(chunk.subarray(start, start + bytes), length)
        length += bytes
        if (isLast) break
        place = readLink(chunks, place + slice)
      }
      if (states[at + HAS_POSITIONS] === 1) {
        length = writeVarint(scratch, length, (states[at + PENDING] as number) * 2)
      }
      return scratch.subarray(0, length)
    },

    clear() {
      table.clear()
      known = 0
      memoryEnd = 0
    },
  }
}

// Fields of a term's state, in consecutive numbers.
const LAST = 0
const POSITION = 1
const PENDING = 2
const FIRST = 3
const WRITE = 4
const LIMIT = 5
const LEVEL = 6
const HAS_POSITIONS = 7
const STATE_FIELDS = 8
const STATE_BYTES = 4 * STATE_FIELDS

const CHUNK_BITS = 16
const CHUNK_SIZE = 1 << CHUNK_BITS
const CHUNK_MASK = CHUNK_SIZE - 1
/** Segment sizes of a term in bytes, in order; the last one repeats. */
const SEGMENT_BYTES = [8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]
/** Bytes of the link to the next segment. */
const LINK_BYTES = 4

function writeLink(chunks: readonly Uint8Array[], from: number, to: number): void {
  const chunk = chunks[from >>> CHUNK_BITS] as Uint8Array
  for (let index = 0; index < LINK_BYTES; index += 1) {
    chunk[(from & CHUNK_MASK) + index] = (to >>> (8 * index)) & 255
  }
}

function readLink(chunks: readonly Uint8Array[], from: number): number {
  const chunk = chunks[from >>> CHUNK_BITS] as Uint8Array
  let to = 0
  for (let index = 0; index < LINK_BYTES; index += 1) {
    to |= (chunk[(from & CHUNK_MASK) + index] as number) << (8 * index)
  }
  return to
}

/** Adds states of terms from `first` to `last`. */
function addStates(states: Int32Array, first: number, last: number) {
  const from = first * STATE_FIELDS
  const to = (last + 1) * STATE_FIELDS
  const room = to > states.length ? copyInto(states, new Int32Array(to * 2)) : states
  room.fill(0, from, to)
  for (let at = from; at < to; at += STATE_FIELDS) {
    room[at + LAST] = -1
    room[at + FIRST] = -1
  }
  return room
}
