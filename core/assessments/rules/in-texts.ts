import type { AssessmentRule } from '../records.ts'

/** A rule that looks for a phrase in the texts of agreements. */
interface PhraseRule extends Omit<AssessmentRule, 'when'> {
  /** One of these words stands in every sentence that can match; lower case. */
  readonly words: readonly string[]
  /** Of a sentence in lower case; every repetition in it is bounded. */
  readonly phrase: RegExp
  /** It counts only after words that forbid the reader something. */
  readonly isForbidden?: boolean
  /** A sentence with one of these is not meant. */
  readonly unless?: RegExp | readonly RegExp[]
  /** The description of the API is looked at as well. */
  readonly andDescription?: boolean
}

/** Makes it a rule: the first such sentence is its evidence. */
export function inTexts(rule: PhraseRule): AssessmentRule {
  const { words, phrase, unless = [], isForbidden = false, andDescription = false, ...about } = rule
  const exceptions = [unless].flat()
  return {
    ...about,
    when: ({ sentences }) => {
      const found = sentences.find(
        ({ lower, kind }) =>
          (andDescription || kind !== 'description') &&
          words.some((word) => lower.includes(word)) &&
          phrase.test(isForbidden ? toForbidden(lower) : lower) &&
          !exceptions.some((exception) => exception.test(lower.replace(HARMLESS, ' '))),
      )
      return found && { ...found.of, quote: found.text }
    },
  }
}

/** Words that turn a sentence into its opposite. */
export const NEGATED =
  /\b(?:not|never|no|nor|neither|none|without|cannot|can't|don't|doesn't|won't|prohibited|forbidden)\b/

/** What looks like a negation or a condition and is none. */
const HARMLESS =
  /\bwithout (?:(?:any|prior|further|advance|additional|giving|your|written) ){0,4}(?:notice|notification|limitation|liability|prejudice|cause|reason|approval)\b|\b(?:including,? )?but not limited to\b|\bnot limited to\b|\bwhether or not\b|\bno (?:less|later|fewer|more|longer) than\b|\bnot (?:less|later|fewer|more) than\b|\bany or no reason\b|\bor no reason\b|\bno (?:matter|doubt)\b/g

/** Whose doings a text rules, beside the vendor's own. */
const READERS =
  '\\b(?:you|customers?|clients?|licensees?|developers?|users?|subscribers?|members?|partners?)'

/** `Customer data`, `information for you`: these do nothing. */
const READER = `(?<!\\b(?:to|by|from|with|for|about|of) )${READERS}\\b(?! (?:data|content|information|accounts?|details)\\b)`

/** What the vendor does itself: `You agree that we will not …`. */
const NO_VENDOR =
  '(?:(?!\\b(?:we|the (?:company|provider|vendor)|that the (?:service|api))\\b)[^.;])'

/** What is told, not forbidden: `You will not be charged for …`, `Answers may not be current …`. */
const TOLD =
  '(?! (?:need|have to|lose|receive|required|obliged|obligated|responsible|liable|charged|billed)\\b' +
  '| be (?:able|required|obliged|obligated|responsible|liable|charged|billed|available|accurate|complete|current|suitable|error|uninterrupted|up[ -]to[ -]date|misled)\\b)'

/** Up to the verb of what readers are told not to do. */
const FORBIDDEN = new RegExp(
  [
    `${READER}${NO_VENDOR}{0,80}\\b(?:may|must|shall|will|agrees?|are|can) not\\b${TOLD}`,
    `${READER} (?:agrees? (?:to|that you will) )?(?:cannot|can't|won't|don't|never)\\b${TOLD}`,
    `\\b(?:may|must|shall|can) not(?= be\\b)${TOLD} be\\b`,
    "^(?:do not|don't|never)\\b",
    '\\b(?:prohibited|forbidden)\\b',
    '\\bnot (?:permitted|allowed) to\\b',
  ].join('|'),
)

/** How much of a sentence what is forbidden may take. */
const MAX_FORBIDDEN = 250

function toForbidden(lower: string): string {
  const found = FORBIDDEN.exec(lower)
  if (!found) return ''
  const from = found.index + found[0].length
  return lower.slice(from, from + MAX_FORBIDDEN)
}

/** What readers do by these verbs is no doing of the vendor's: `you may change …`. */
export function byReader(verbs: string): RegExp {
  return new RegExp(`${READERS}(?: [a-z']{1,12}){0,4} (?:${verbs})\\b`)
}
