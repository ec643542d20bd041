import type { TermIndex } from './terms.ts'

/** How a field of a text counts. */
export interface Field {
  readonly weight: number
  /** Texts of more words than this count less, shorter ones more; undefined: length is no matter. */
  readonly usual?: number
  /** The rest of a longer text is left out, and so is what stands far behind; 120 when undefined. */
  readonly maxWords?: number
}

/** Sums up weights of one endpoint's terms over its fields, without an allocation for each word. */
export interface Gatherer {
  /** Adds the words of a name, such as an `operationId`, each once. */
  addName(text: string, field: Field): void
  /** The same for sentences: whole camel-case words count too. */
  addProse(text: string, field: Field): void
  addTerm(term: string, weight: number): void
  /** Hands over the number of every term once and starts anew. */
  drain(visit: (term: number, weight: number) => void): void
}

export function createGatherer(index: TermIndex): Gatherer {
  const sums: number[] = []
  const lastText: number[] = []
  const touched: number[] = []
  let texts = 0

  function addTo(term: number, weight: number): void {
    if (lastText[term] === texts) return
    if (!sums[term]) touched.push(term)
    lastText[term] = texts
    sums[term] = (sums[term] ?? 0) + weight
  }

  function addText(text: string, field: Field, isProse: boolean): void {
    if (text === '') return
    const { maxWords = MAX_WORDS, usual, weight } = field
    const start = text.slice(0, maxWords * CHARACTERS_PER_WORD)
    const { codes, words } = index.analyse(start, { isProse, maxWords })
    const normed = usual === undefined ? weight : weight * toLengthNorm(words, usual)
    texts += 1
    for (const code of codes) {
      if (code >= 0) addTo(code, normed)
      else addTo(~code, normed * STEM_SHARE)
    }
  }

  return {
    addName: (text, field) => addText(text, field, false),
    addProse: (text, field) => addText(text, field, true),
    addTerm(term, weight) {
      texts += 1
      addTo(index.numberOf(term), weight)
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

/** 1 for a field of the usual number of words, more for shorter ones, less for longer ones. */
export function toLengthNorm(words: number, usual: number): number {
  return Math.max(0.4, 1 / (0.6 + (0.4 * words) / usual))
}

/** What a stem counts beside the very word. */
const STEM_SHARE = 0.9
const MAX_WORDS = 120
/** Many more than any words take that are worth reading: a text may have tens of megabytes. */
const CHARACTERS_PER_WORD = 50
