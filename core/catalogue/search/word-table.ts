import { MIN_SURE_FACTOR } from './query-words.ts'
import type { TermWordFactors } from './term-plan.ts'

/** The values of each query word in many APIs or endpoints, one row each in a single array. */
export interface WordTable {
  /** Adds a row without words and returns its index, from 0. */
  addRow(): number
  /**
   * Returns a function that records a matched term of these words in a row, with a value from 0 to
   * 1.
   */
  createRecorder(uses: TermWordFactors): (row: number, value: number) => void
  /** The values that an API's row passes on to its endpoints: a share of its own. */
  getInheritedValues(row: number): InheritedValues
  /**
   * Weighted mean of the words' values times the share of words found, rounded. Uses the inherited
   * value of a word if it is greater.
   */
  computeScore(
    row: number,
    by: { readonly rarities: readonly number[]; readonly heritage?: InheritedValues | undefined },
  ): number
  /** The words that the row contains through any variant, one bit each from the lowest. */
  getWordBits(row: number): number
  /** True if some word of the row was found only through a loose variant. */
  isLoose(row: number): boolean
  /**
   * Rarity of each word, from the number of rows that contain the word itself. Rows with a synonym
   * or longer word count only if there are none. 1 for a word in all rows.
   */
  computeRarities(): readonly number[]
}

/** First a value for each word, then the sureness of each word. */
type InheritedValues = Float64Array<ArrayBuffer>

export function createWordTable(words: number): WordTable {
  /**
   * For each row: first the best value of each word, then the sureness of its best variant, 0 to 1.
   */
  let cells = new Float64Array(64 * 2 * words)
  let rows = 0

  /** The returned function runs for each word of each endpoint. */
  function createWordRecorder({
    word,
    factor,
  }: TermWordFactors[number]): (row: number, value: number) => void {
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

    createRecorder(uses) {
      const [first, ...others] = uses.map(createWordRecorder)
      if (first && others.length === 0) return first
      return (row, value) => {
        first?.(row, value)
        for (const note of others) note(row, value)
      }
    },

    getInheritedValues(row) {
      const start = row * 2 * words
      return Float64Array.from({ length: 2 * words }, (_, index) => {
        return (index < words ? INHERITED : INHERITED_SURENESS) * (cells[start + index] ?? 0)
      })
    },

    computeScore(row, { rarities, heritage }) {
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

    getWordBits(row) {
      const start = row * 2 * words + words
      let bits = 0
      for (let word = 0; word < words; word += 1) {
        if ((cells[start + word] ?? 0) > 0) bits |= 1 << word
      }
      return bits
    },

    isLoose(row) {
      const start = row * 2 * words + words
      return cells
        .subarray(start, start + words)
        .some((factor) => factor > 0 && factor < MIN_SURE_FACTOR)
    },

    computeRarities() {
      return Array.from({ length: words }, (_, word) => {
        let sure = 0
        let loose = 0
        for (let row = 0; row < rows; row += 1) {
          const factor = cells[row * 2 * words + words + word] ?? 0
          if (factor >= MIN_SURE_FACTOR) sure += 1
          else if (factor > 0) loose += 1
        }
        return approximateLog2(1 + rows / (sure || loose || 1))
      })
    },
  }
}

/** Share of a word's value in the API's own texts that each of its endpoints inherits. */
const INHERITED = 0.4
const INHERITED_SURENESS = 0.7
const PRECISION = 1e6

/**
 * Approximates the logarithm piecewise. The result has the same bits on every engine, unlike
 * `Math.log2`.
 */
function approximateLog2(value: number): number {
  let rest = value
  let whole = 0
  while (rest >= 2) {
    rest /= 2
    whole += 1
  }
  return whole + rest - 1
}
