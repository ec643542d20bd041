import type { TermUses } from './plan.ts'
import { SURE } from './words.ts'

/** What each of many APIs or endpoints has of each word of a query, row by row in one array. */
export interface WordTable {
  /** Adds a row that has no word yet; gives its number, from 0. */
  addRow(): number
  /** A function that notes in a row that a term of these uses was found, worth 0 to 1. */
  toNote(uses: TermUses): (row: number, value: number) => void
  /** What a row leaves to those below it: a part of what it has. */
  toHeritage(row: number): Heritage
  /**
   * Weighted mean of the words' values times the share of the words that are there, rounded; what is
   * left to the row counts where that is more.
   */
  score(
    row: number,
    by: { readonly rarities: readonly number[]; readonly heritage?: Heritage | undefined },
  ): number
  /** The words that the row has in any way, a bit each from the lowest. */
  wordsOf(row: number): number
  /** True when some word of the row was found by a loose way only. */
  isLoose(row: number): boolean
  /**
   * How telling each word is, from the number of rows that hold the word itself; those with a
   * synonym or longer word count only when there are none. 1 for a word that all rows hold.
   */
  rarities(): readonly number[]
}

/** For each word a value, then how sure it is. */
type Heritage = Float64Array<ArrayBuffer>

export function createWordTable(words: number): WordTable {
  /** For each row first the best values found, then how sure the best way was, 0 to 1. */
  let cells = new Float64Array(64 * 2 * words)
  let rows = 0

  /** What it gives runs for each word of each endpoint. */
  function toNoteOf({ word, factor }: TermUses[number]): (row: number, value: number) => void {
    return (row, value) => {
      const at = row * 2 * words + word
      if (value * factor > (cells[at] ?? 0)) cells[at] = value * factor
      if (factor > (cells[at + words] ?? 0)) cells[at + words] = factor
    }
  }

  return {
    addRow() {
      if ((rows + 1) * 2 * words > cells.length) {
        const grown = new Float64Array(cells.length * 2)
        grown.set(cells)
        cells = grown
      }
      rows += 1
      return rows - 1
    },

    toNote(uses) {
      const [first, ...others] = uses.map(toNoteOf)
      if (first && others.length === 0) return first
      return (row, value) => {
        first?.(row, value)
        for (const note of others) note(row, value)
      }
    },

    toHeritage(row) {
      const start = row * 2 * words
      return Float64Array.from({ length: 2 * words }, (_, index) => {
        return (index < words ? INHERITED : INHERITED_SURENESS) * (cells[start + index] ?? 0)
      })
    },

    score(row, { rarities, heritage }) {
      const start = row * 2 * words
      let sum = 0
      let covered = 0
      let all = 0
      for (let word = 0; word < words; word += 1) {
        const rarity = rarities[word] ?? 0
        let value = cells[start + word] ?? 0
        let sureness = cells[start + words + word] ?? 0
        if (heritage) {
          value = Math.max(value, heritage[word] ?? 0)
          sureness = Math.max(sureness, heritage[words + word] ?? 0)
        }
        all += rarity
        sum += value * rarity
        covered += Math.sqrt(sureness) * rarity
      }
      return all === 0 ? 0 : Math.round((sum / all) * (covered / all) * PRECISION) / PRECISION
    },

    wordsOf(row) {
      const start = row * 2 * words + words
      let bits = 0
      for (let word = 0; word < words; word += 1) {
        if ((cells[start + word] ?? 0) > 0) bits |= 1 << word
      }
      return bits
    },

    isLoose(row) {
      const start = row * 2 * words + words
      return cells.subarray(start, start + words).some((factor) => factor > 0 && factor < SURE)
    },

    rarities() {
      return Array.from({ length: words }, (_, word) => {
        let sure = 0
        let loose = 0
        for (let row = 0; row < rows; row += 1) {
          const factor = cells[row * 2 * words + words + word] ?? 0
          if (factor >= SURE) sure += 1
          else if (factor > 0) loose += 1
        }
        return log2(1 + rows / (sure || loose || 1))
      })
    },
  }
}

/** What a word in the API's own texts counts for each of its endpoints. */
const INHERITED = 0.4
const INHERITED_SURENESS = 0.7
const PRECISION = 1e6

/** Logarithm in straight pieces: of the same bits on every engine, unlike `Math.log2`. */
function log2(value: number): number {
  let rest = value
  let whole = 0
  while (rest >= 2) {
    rest /= 2
    whole += 1
  }
  return whole + rest - 1
}
