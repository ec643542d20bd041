import type { TermIndex } from './term-index.ts'

/** The weight of a text field. */
export interface FieldWeight {
  readonly weight: number
  /**
   * Typical word count: longer texts weigh less, shorter ones more. Undefined: length does not
   * matter.
   */
  readonly typicalWords?: number
  /**
   * Words beyond this number are ignored; 120 if undefined. The text is also cut to 50 characters
   * per word.
   */
  readonly maxWords?: number
}

/**
 * Sums the weights of one endpoint's terms over its fields, without an allocation for each word.
 */
export interface TermWeights {
  /** Adds the words of a name, such as an `operationId`, each once. */
  addName(text: string, field: FieldWeight): void
  /** Like `addName` for sentences: camel-case words also count as a whole. */
  addProse(text: string, field: FieldWeight): void
  addTerm(term: string, weight: number): void
  /** Passes the number and weight of every term once, then resets the gatherer. */
  drain(visit: (term: number, weight: number) => void): void
}

export function createTermWeights(index: TermIndex): TermWeights {
  const sums: number[] = []
  const lastText: number[] = []
  const touched: number[] = []
  let texts = 0

  function addWeight(term: number, weight: number): void {
    if (lastText[term] === texts) return
    if (!sums[term]) touched.push(term)
    lastText[term] = texts
    sums[term] = (sums[term] ?? 0) + weight
  }

  function addText(text: string, field: FieldWeight, isProse: boolean): void {
    if (text === '') return
    const { maxWords = MAX_WORDS, typicalWords, weight } = field
    const start = text.slice(0, maxWords * CHARACTERS_PER_WORD)
    const { codes, words } = index.analyse(start, { isProse, maxWords })
    const normed =
      typicalWords === undefined ? weight : weight * computeLengthNorm(words, typicalWords)
    texts += 1
    for (const code of codes) {
      if (code >= 0) addWeight(code, normed)
      else addWeight(~code, normed * STEM_SHARE)
    }
  }

  return {
    addName: (text, field) => addText(text, field, false),
    addProse: (text, field) => addText(text, field, true),
    addTerm(term, weight) {
      texts += 1
      addWeight(index.getTermNumber(term), weight)
    },
    drain(visit) {
      for (const term of touched) {
        visit(term, sums[term] ?? 0)
        sums[term] = 0
      }
      touched.length = 0
    },
  }
}

/** Returns 1 for a field of typical length, more for shorter ones, less for longer ones. */
export function computeLengthNorm(words: number, usual: number): number {
  return Math.max(0.4, 1 / (0.6 + (0.4 * words) / usual))
}

/** Weight of a stem relative to the word itself. */
const STEM_SHARE = 0.9
const MAX_WORDS = 120
/** A generous bound: texts can be tens of megabytes long. */
const CHARACTERS_PER_WORD = 50
