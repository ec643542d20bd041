import type { AssessmentRule } from '../records.ts'

/** A rule that searches texts of agreements for a phrase. */
interface PhraseRule extends Omit<AssessmentRule, 'when'> {
  /** Prefilter: every matching sentence contains one of these words; lower case. */
  readonly words: readonly string[]
  /** Matches a sentence in lower case; every repetition is bounded. */
  readonly phrase: RegExp
  /** Match only after words that forbid the reader something. */
  readonly isForbidden?: boolean
  /** Sentences that match one of these are ignored. */
  readonly unless?: RegExp | readonly RegExp[]
  /** Also search the description of the API. */
  readonly andDescription?: boolean
}

/** Creates the rule: the first matching sentence is its evidence. */
export function createPhraseRule(rule: PhraseRule): AssessmentRule {
  const { words, phrase, unless = [], isForbidden = false, andDescription = false, ...about } = rule
  const exceptions = [unless].flat()
  return {
    ...about,
    when: ({ sentences }) => {
      const found = sentences.find(
        ({ lower, kind }) =>
          (andDescription || kind !== 'description') &&
          words.some((word) => lower.includes(word)) &&
          phrase.test(isForbidden ? extractForbidden(lower) : lower) &&
          !exceptions.some((exception) => exception.test(lower.replace(HARMLESS, ' '))),
      )
      return found && { ...found.of, quote: found.text }
    },
  }
}

/** Words that negate a sentence. */
export const NEGATED =
  /\b(?:not|never|no|nor|neither|none|without|cannot|can't|don't|doesn't|won't|prohibited|forbidden)\b/

/** Phrases that resemble a negation or condition but are none. */
const HARMLESS =
  /\bwithout (?:(?:any|prior|further|advance|additional|giving|your|written) ){0,4}(?:notice|notification|limitation|liability|prejudice|cause|reason|approval)\b|\b(?:including,? )?but not limited to\b|\bnot limited to\b|\bwhether or not\b|\bno (?:less|later|fewer|more|longer) than\b|\bnot (?:less|later|fewer|more) than\b|\bany or no reason\b|\bor no reason\b|\bno (?:matter|doubt)\b/g

/** Parties other than the vendor whose actions a text regulates. */
const READERS =
  '\\b(?:you|customers?|clients?|licensees?|developers?|users?|subscribers?|members?|partners?)'

/** Excludes `customer data` and `information for you`, in which the party doesn't act. */
const READER = `(?<!\\b(?:to|by|from|with|for|about|of) )${READERS}\\b(?! (?:data|content|information|accounts?|details)\\b)`

/** Excludes actions of the vendor: `You agree that we will not …`. */
const NO_VENDOR =
  '(?:(?!\\b(?:we|the (?:company|provider|vendor)|that the (?:service|api))\\b)[^.;])'

/** Excludes statements that aren't prohibitions: `You will not be charged for …`. */
const NOT_PROHIBITION =
  '(?! (?:need|have to|lose|receive|required|obliged|obligated|responsible|liable|charged|billed)\\b' +
  '| be (?:able|required|obliged|obligated|responsible|liable|charged|billed|available|accurate|complete|current|suitable|error|uninterrupted|up[ -]to[ -]date|misled)\\b)'

/** Matches up to the verb of a prohibition for readers. */
const FORBIDDEN = new RegExp(
  [
    `${READER}${NO_VENDOR}{0,80}\\b(?:may|must|shall|will|agrees?|are|can) not\\b${NOT_PROHIBITION}`,
    `${READER} (?:agrees? (?:to|that you will) )?(?:cannot|can't|won't|don't|never)\\b${NOT_PROHIBITION}`,
    `\\b(?:may|must|shall|can) not(?= be\\b)${NOT_PROHIBITION} be\\b`,
    "^(?:do not|don't|never)\\b",
    '\\b(?:prohibited|forbidden)\\b',
    '\\bnot (?:permitted|allowed) to\\b',
  ].join('|'),
)

/** Maximum length of the forbidden action within a sentence. */
const MAX_FORBIDDEN = 250

function extractForbidden(lower: string): string {
  const found = FORBIDDEN.exec(lower)
  if (!found) return ''
  const from = found.index + found[0].length
  return lower.slice(from, from + MAX_FORBIDDEN)
}

/** Matches actions of readers with these verbs, as opposed to the vendor: `you may change …`. */
export function byReader(verbs: string): RegExp {
  return new RegExp(`${READERS}(?: [a-z']{1,12}){0,4} (?:${verbs})\\b`)
}
