import { MAX_WORD } from './words.ts'

/**
 * Numbers terms in the order in which they appear. Their texts share one array, because a million
 * strings would need much more memory.
 */
export interface TermTable {
  readonly count: number
  /** Approximate memory that the current terms need. As much again may be reserved for more. */
  readonly bytes: number
  /** The number of a term, from 0; a new term gets the next number. */
  numberOf(term: string): number
  /** The number of the word, in lower case, that a run of ASCII letters and digits forms. */
  numberOfRun(text: string, start: number, end: number): number
  textOf(term: number): string
  /** Removes all terms but keeps the memory for new ones. */
  clear(): void
}

/** Creates a table without terms. */
export function createTermTable(): TermTable {
  // Small at first, because most loads contain few records.
  let slots = new Int32Array(1 << 11).fill(-1)
  let states = new Int32Array(STATE_FIELDS * (1 << 10))
  let texts = new Uint16Array(1 << 13)
  let textEnd = 0
  let count = 0
  const units = new Uint16Array(MAX_TERM)

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
    states[at + TEXT] = textEnd
    states[at + MARK] = ((hash >>> 16) << 16) | length
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

  return {
    get count() {
      return count
    },

    get bytes() {
      return 2 * textEnd + count * TERM_BYTES
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

    textOf(term) {
      const start = states[term * STATE_FIELDS + TEXT] as number
      const length = (states[term * STATE_FIELDS + MARK] as number) & 0xffff
      // Spreading would take five times as long.
      return String.fromCharCode.apply(undefined, texts.subarray(start, start + length) as never)
    },

    clear() {
      slots.fill(-1)
      count = 0
      textEnd = 0
    },
  }
}

/** Maximum length of a term in UTF-16 code units. A term has up to two names, a prefix and a separator. */
const MAX_TERM = 1024

// Fields of a term's state, in consecutive numbers.
const TEXT = 0
/** High half of the hash, and the length of the string. */
const MARK = 1
const STATE_FIELDS = 2

/** Bytes per term besides its string: its state and two slots. */
const TERM_BYTES = 4 * (STATE_FIELDS + 2)

const SEED = 0x811c9dc5 | 0
const PRIME = 0x01000193

function finishHash(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (mixed ^ (mixed >>> 13)) >>> 0
}

/** Copies numbers to a larger array, which it returns. */
export function copyInto<T extends Int32Array | Uint16Array | Uint8Array>(from: T, to: T): T {
  to.set(from)
  return to
}
