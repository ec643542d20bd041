import type { AssessmentRule } from '../records.ts'

/** A rule that looks for a phrase in the texts of agreements. */
interface PhraseRule extends Omit<AssessmentRule, 'when'> {
  /** One of these words stands in every sentence that can match; lower case. */
  readonly words: readonly string[]
  /** Of a sentence in lower case; every repetition in it is bounded. */
  readonly phrase: RegExp
  /** A sentence with this is not meant. */
  readonly unless?: RegExp
  /** The description of the API is looked at as well. */
  readonly andDescription?: boolean
}

/** Makes it a rule: the first such sentence is its evidence. */
export function inTexts(rule: PhraseRule): AssessmentRule {
  const { words, phrase, unless, andDescription = false, ...about } = rule
  return {
    ...about,
    when: ({ sentences }) => {
      const found = sentences.find(
        ({ lower, kind }) =>
          (andDescription || kind !== 'description') &&
          words.some((word) => lower.includes(word)) &&
          phrase.test(lower) &&
          !unless?.test(lower),
      )
      return found && { ...found.of, quote: found.text }
    },
  }
}

/** Words that turn a sentence into its opposite. */
export const NEGATED =
  /\b(?:not|never|no|nor|neither|none|without|cannot|can't|don't|doesn't|won't|prohibited|forbidden)\b/
