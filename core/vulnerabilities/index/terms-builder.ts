import { writeVarint } from './postings.ts'
import { MAX_WORD } from './words.ts'

/**
 * The terms of added records with their documents, in the order of adding. Strings and postings
 * share a few large arrays, because a million terms would otherwise be millions of objects. The
 * postings of a term are a chain of segments of increasing size. This suits both rare terms and
 * terms of every document.
 */
export interface TermsBuilder {
  readonly count: number
  /** Approximate memory that the current terms need. As much again may be reserved for more. */
  readonly bytes: number
  /** The number of a term, from 0; a new term gets the next number. */
  numberOf(term: string): number
  /** The number of the word, in lower case, that a run of ASCII letters and digits forms. */
  numberOfRun(text: string, start: number, end: number): number
  /** Adds a document to a term; false if it was added before. */
  add(term: number, document: number): boolean
  /** Adds a position of a word in a document. Positions of a document must ascend. */
  addAt(term: number, document: number, position: number): void
  textOf(term: number): string
  /**
   * The packed postings of a term. For each document: the difference from the previous one (the
   * first from -1) as a varint, then for words its positions as in `postings.ts`. The next call
   * overwrites the memory.
   */
  read(term: number): Uint8Array
  /** Removes all terms but keeps the memory for new ones. */
  clear(): void
}

/** Use either `add` or `addAt` for a term, and always the same one; `addAt` for words. */
export function createTermsBuilder(): TermsBuilder {
  // Small at first, because most loads contain few records.
  let slots = new Int32Array(1 << 11).fill(-1)
  let states = new Int32Array(STATE_FIELDS * (1 << 10))
  let texts = new Uint16Array(1 << 13)
  let textEnd = 0
  let count = 0
  const chunks: Uint8Array[] = []
  let memoryEnd = 0
  const units = new Uint16Array(MAX_TERM)
  let scratch = new Uint8Array(1 << 12)

  /** Finds or adds the term whose code units are in `units`; returns its number. */
  function findOrAddTerm(length: number, hash: number): number {
    const mask = slots.length - 1
    const mark = ((hash >>> 16) << 16) | length
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const term = slots[slot] as number
      if (term < 0) return appendTerm(slot, length, hash)
      const at = term * STATE_FIELDS
      if (states[at + MARK] === mark && matchesUnits(states[at + TEXT] as number, length))
        return term
    }
  }

  function matchesUnits(start: number, length: number): boolean {
    for (let index = 0; index < length; index += 1) {
      if (texts[start + index] !== units[index]) return false
    }
    return true
  }

  function appendTerm(slot: number, length: number, hash: number): number {
    if ((count + 1) * STATE_FIELDS > states.length)
      states = copyInto(states, new Int32Array(states.length * 2))
    if (textEnd + length > texts.length) texts = copyInto(texts, new Uint16Array(texts.length * 2))
    const term = count
    const at = term * STATE_FIELDS
    for (let field = 0; field < STATE_FIELDS; field += 1) states[at + field] = 0
    states[at + TEXT] = textEnd
    states[at + MARK] = ((hash >>> 16) << 16) | length
    states[at + LAST] = -1
    states[at + FIRST] = -1
    for (let index = 0; index < length; index += 1) {
      texts[textEnd + index] = units[index] as number
    }
    textEnd += length
    count += 1
    slots[slot] = term
    if (count * 2 > slots.length) rehashTerms()
    return term
  }

  function rehashTerms(): void {
    slots = new Int32Array(slots.length * 2).fill(-1)
    const mask = slots.length - 1
    for (let term = 0; term < count; term += 1) {
      const start = states[term * STATE_FIELDS + TEXT] as number
      const length = (states[term * STATE_FIELDS + MARK] as number) & 0xffff
      let hash = SEED
      for (let index = 0; index < length; index += 1) {
        hash = Math.imul(hash ^ (texts[start + index] as number), PRIME)
      }
      let slot = finishHash(hash) & mask
      while ((slots[slot] as number) >= 0) slot = (slot + 1) & mask
      slots[slot] = term
    }
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
    else writeLink(states[at + LIMIT] as number, start)
    states[at + LIMIT] = start + bytes
    if (level < SEGMENT_BYTES.length - 1) states[at + LEVEL] = level + 1
    return start
  }

  function writeLink(from: number, to: number): void {
    const chunk = chunks[from >>> CHUNK_BITS] as Uint8Array
    for (let index = 0; index < LINK_BYTES; index += 1) {
      chunk[(from & CHUNK_MASK) + index] = (to >>> (8 * index)) & 255
    }
  }

  function readLink(from: number): number {
    const chunk = chunks[from >>> CHUNK_BITS] as Uint8Array
    let to = 0
    for (let index = 0; index < LINK_BYTES; index += 1) {
      to |= (chunk[(from & CHUNK_MASK) + index] as number) << (8 * index)
    }
    return to
  }

  return {
    get count() {
      return count
    },

    get bytes() {
      // Not the reserved memory: `clear` keeps it, so there would be no room for new terms.
      return memoryEnd + 2 * textEnd + count * TERM_BYTES
    },

    numberOf(term) {
      const length = Math.min(term.length, MAX_TERM)
      let hash = SEED
      for (let index = 0; index < length; index += 1) {
        const unit = term.charCodeAt(index)
        units[index] = unit
        hash = Math.imul(hash ^ unit, PRIME)
      }
      return findOrAddTerm(length, finishHash(hash))
    },

    numberOfRun(text, start, end) {
      const length = Math.min(end - start, MAX_WORD)
      let hash = SEED
      for (let index = 0; index < length; index += 1) {
        const code = text.charCodeAt(start + index)
        const unit = code >= 65 && code <= 90 ? code | 32 : code
        units[index] = unit
        hash = Math.imul(hash ^ unit, PRIME)
      }
      return findOrAddTerm(length, finishHash(hash))
    },

    add(term, document) {
      const at = term * STATE_FIELDS
      const last = states[at + LAST] as number
      if (last === document) return false
      writePostingVarint(at, document - last)
      states[at + LAST] = document
      return true
    },

    addAt(term, document, position) {
      const at = term * STATE_FIELDS
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

    textOf(term) {
      const start = states[term * STATE_FIELDS + TEXT] as number
      const length = (states[term * STATE_FIELDS + MARK] as number) & 0xffff
      // Spreading would take five times as long.
      return String.fromCharCode.apply(undefined, texts.subarray(start, start + length) as never)
    },

    read(term) {
      const at = term * STATE_FIELDS
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
        place = readLink(place + slice)
      }
      if (states[at + HAS_POSITIONS] === 1) {
        length = writeVarint(scratch, length, (states[at + PENDING] as number) * 2)
      }
      return scratch.subarray(0, length)
    },

    clear() {
      slots.fill(-1)
      count = 0
      textEnd = 0
      memoryEnd = 0
    },
  }
}

/** Maximum length of a term in UTF-16 code units. A term has up to two names, a prefix and a separator. */
const MAX_TERM = 1024

// Fields of a term's state, in consecutive numbers.
const TEXT = 0
/** High half of the hash, and the length of the string. */
const MARK = 1
const LAST = 2
const POSITION = 3
const PENDING = 4
const FIRST = 5
const WRITE = 6
const LIMIT = 7
const LEVEL = 8
const HAS_POSITIONS = 9
const STATE_FIELDS = 10

/** Bytes per term besides string and postings: its state and two slots. */
const TERM_BYTES = 4 * (STATE_FIELDS + 2)

const CHUNK_BITS = 16
const CHUNK_SIZE = 1 << CHUNK_BITS
const CHUNK_MASK = CHUNK_SIZE - 1
/** Segment sizes of a term in bytes, in order; the last one repeats. */
const SEGMENT_BYTES = [8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]
/** Bytes of the link to the next segment. */
const LINK_BYTES = 4

const SEED = 0x811c9dc5 | 0
const PRIME = 0x01000193

function finishHash(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (mixed ^ (mixed >>> 13)) >>> 0
}

function copyInto<T extends Int32Array | Uint16Array | Uint8Array>(from: T, to: T): T {
  to.set(from)
  return to
}
