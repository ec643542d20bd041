import type { Sentence } from './records.ts'

/** Characters of a sentence that are looked at and quoted; what is longer is cut. */
export const MAX_SENTENCE = 600
/** Characters of all texts of one API that are looked at. */
export const MAX_TEXT = 1024 * 1024
/** Shorter ones say nothing. */
const MIN_SENTENCE = 12

/**
 * Splits a text (plain, Markdown or HTML) into sentences, in time linear to its length: at full
 * stops, question and exclamation marks before a blank, at empty lines, items of lists and tags of
 * blocks.
 */
export function* toSentences(
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
      if (ABBREVIATED.test(before.slice(-8))) continue
      yield* toSentence(line.slice(rest, index + 1), about)
      rest = index + 1
    }
    yield* toSentence(line.slice(rest), about)
  }
}

/** Fenced code of Markdown holds examples, not sentences; after a fence that is never closed, all counts. */
function dropCode(text: string): string {
  const parts = text.split(/^[ \t]{0,3}(?:```|~~~)[^\n`]*$/m)
  const isClosed = parts.length % 2 === 1
  return parts
    .filter((_, at) => at % 2 === 0 || (!isClosed && at === parts.length - 1))
    .join('\n\n')
}

/** A full stop after these ends no sentence. */
const ABBREVIATED = /(?:^|[\s(])(?:e\.g|i\.e|etc|inc|ltd|no|vs|st|mr|ms|dr|[a-z])$/i

function* toSentence(
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
