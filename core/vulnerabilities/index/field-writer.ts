import type { TermsBuilder } from './terms-builder.ts'
import { splitWords } from './words.ts'

/**
 * Adds the words of documents with their positions. Positions count the words of a document's
 * fields, with a gap of one after each field.
 */
export interface FieldWriter {
  /** Starts a document. Document numbers must ascend. */
  begin(document: number): void
  /** Adds the words of a text as a field. */
  addText(text: string): void
  /** Adds words by their numbers as a field. */
  addWords(words: readonly number[]): void
}

/** Creates a writer that adds words to `terms`. */
export function createFieldWriter(
  terms: Pick<TermsBuilder, 'numberOf' | 'numberOfRun' | 'addAt'>,
): FieldWriter {
  let document = 0
  let position = 0

  /**
   * Adds the words from `start` to the next ASCII character between words; returns its position.
   */
  function addNonAsciiText(text: string, start: number): number {
    let end = start
    while (end < text.length) {
      const code = text.charCodeAt(end)
      if (code <= 127 && !isAsciiWord(code)) break
      end += 1
    }
    for (const word of splitWords(text.slice(start, end))) {
      terms.addAt(terms.numberOf(word), document, position)
      position += 1
    }
    return end
  }

  return {
    begin(next) {
      document = next
      position = 0
    },
    addText(text) {
      let start = -1
      for (let at = 0; at <= text.length; at += 1) {
        const code = at === text.length ? SPACE : text.charCodeAt(at)
        if (isAsciiWord(code)) {
          if (start < 0) start = at
        } else if (code > 127) {
          at = addNonAsciiText(text, start < 0 ? at : start) - 1
          start = -1
        } else if (start >= 0) {
          terms.addAt(terms.numberOfRun(text, start, at), document, position)
          position += 1
          start = -1
        }
      }
      position += 1
    },
    addWords(words) {
      for (const word of words) {
        terms.addAt(word, document, position)
        position += 1
      }
      position += 1
    },
  }
}

const SPACE = 32

function isAsciiWord(code: number): boolean {
  const letter = code | 32
  return (code >= 48 && code <= 57) || (letter >= 97 && letter <= 122)
}
