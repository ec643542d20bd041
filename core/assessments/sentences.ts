import type { Sentence } from './records.ts'

/** Maximum length of a sentence in characters; longer ones are truncated. */
export const MAX_SENTENCE = 600
/** Maximum total length of an API's texts in characters. */
export const MAX_TEXT = 1024 * 1024
/** Shorter sentences are ignored. */
const MIN_SENTENCE = 12

/**
 * Splits a text (plain, Markdown or HTML) into sentences, in linear time. Splits at full stops,
 * question and exclamation marks before white space, at empty lines, list items and block tags.
 *
 * @example
 * ```ts
 * import { splitSentences } from 'api-discovery/assessments'
 *
 * const text = 'Do not sell the data. Store it for at most a day.'
 * const of = { source: 'Terms of service', link: '', at: Date.now() }
 * const sentences = [...splitSentences(text, { of, kind: 'TermsOfService' })]
 * sentences.map(({ text }) => text) // ['Do not sell the data.', 'Store it for at most a day.']
 * ```
 */
export function* splitSentences(
  text: string,
  about: Pick<Sentence, 'of' | 'kind'>,
): Generator<Sentence, void, undefined> {
  const lines = dropCode(text.slice(0, MAX_TEXT))
    .replace(/<\/?(?:p|div|li|ul|ol|br|h[1-6]|td|tr|table|section)\b[^<>]{0,200}>/gi, '\n\n')
    .replace(/<[/a-z][^<>]{0,200}>/gi, ' ')
    .split(/\n[ \t\r]*(?=\n|[-*+#|>]|\d{1,3}[.)] )/)
  for (const line of lines) {
    let rest = 0
    for (const { index } of line.matchAll(/[.!?](?=["')\]]?\s)/g)) {
      const before = line.slice(rest, index)
      if (ABBREVIATION.test(before.slice(-8))) continue
      yield* createSentence(line.slice(rest, index + 1), about)
      rest = index + 1
    }
    yield* createSentence(line.slice(rest), about)
  }
}

/**
 * Removes fenced code of Markdown, which contains no sentences. The text after an unclosed fence
 * stays.
 */
function dropCode(text: string): string {
  const parts = text.split(/^[ \t]{0,3}(?:```|~~~)[^\n`]*$/m)
  const isClosed = parts.length % 2 === 1
  return parts
    .filter((_, at) => at % 2 === 0 || (!isClosed && at === parts.length - 1))
    .join('\n\n')
}

/** A full stop after these does not end a sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|inc|ltd|no|vs|st|mr|ms|dr|[a-z])$/i

function* createSentence(
  part: string,
  about: Pick<Sentence, 'of' | 'kind'>,
): Generator<Sentence, void, undefined> {
  const text = part
    .slice(0, MAX_SENTENCE * 4)
    .replace(/\s+/g, ' ')
    .replace(/^[\s\-*+#|>"')\]]+/, '')
    .trim()
    .slice(0, MAX_SENTENCE)
  if (text.length < MIN_SENTENCE) return
  yield { ...about, text, lower: text.toLowerCase().replace(/[\u2018\u2019]/g, "'") }
}
