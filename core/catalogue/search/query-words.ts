import { toTokens } from '../../shared/text.ts'
import type { TermQuery } from '../store.ts'
import {
  type CollectionConcept,
  getContext,
  isCommonVerb,
  isCommonWord,
  isCreatingVerb,
  isPlural,
  isPossessive,
  isQualifier,
  isReadingVerb,
  isStopWord,
  toCollectionTerm,
  toConcepts,
  toQueryStem,
} from './concepts.ts'
import { findCompound } from './term-index.ts'

/** Query words and characters beyond these numbers are ignored. */
const MAX_WORDS = 16
const MAX_CHARACTERS = 256

/** A query word with the variants to look up. */
export interface QueryWord {
  readonly text: string
  /**
   * Fixed rarity of a weak word, such as a verb that nearly every API contains. Weak words order
   * the matches of others but find none. Undefined for a word that finds matches.
   */
  readonly weakRarity: number | undefined
  readonly variants: readonly WordVariant[]
}

/** One lookup for a word. */
export interface WordVariant extends TermQuery {
  /** Weight of a match, relative to 1 for the exact word. */
  readonly factor: number
}

/**
 * Returns the distinct words of a query, without stop words unless there are no others. Variants of
 * a word, from the surest to the loosest: the exact word, its stem, compounds with its neighbours
 * (`pod casts`), its concepts, and the word as a prefix.
 */
export function parseQueryWords(q: string): readonly QueryWord[] {
  const tokens = toTokens(q.slice(0, MAX_CHARACTERS))
  const telling = tokens.filter((token) => !isStopWord(token))
  const used = [...new Set(telling.length > 0 ? telling : tokens)].slice(0, MAX_WORDS)
  const stems = used.map((word) => toQueryStem(word, tokens[tokens.indexOf(word) - 1]))
  const verbs = stems.filter(isCommonVerb)
  const action = findAction(verbs, stems)
  const isAllWeak = stems.every(isCommonWord)
  const words = used.map((text, index) => ({
    text,
    weakRarity: isAllWeak ? undefined : getWeakRarity(stems[index] ?? ''),
    variants: buildVariants({ text, wordStem: stems[index] ?? text }, { tokens, action }),
  }))
  const contexts = new Set(stems.flatMap((each) => getContext(each) ?? []))
  for (const text of contexts) {
    words.push({
      text,
      weakRarity: CONTEXT_RARITY,
      variants: [{ text, isPrefix: false, factor: STEM }],
    })
  }
  return words
}

/** Returns what all verbs do with a collection: `get` lists it, `create` adds to it. */
function findAction(
  verbs: readonly string[],
  stems: readonly string[],
): CollectionConcept | undefined {
  if (verbs.length === 0) return stems.some(isPossessive) ? '+get' : undefined
  if (verbs.every(isReadingVerb)) return '+get'
  return verbs.every(isCreatingVerb) ? '+create' : undefined
}

function getWeakRarity(wordStem: string): number | undefined {
  if (isPossessive(wordStem)) return POSSESSIVE_RARITY
  if (isQualifier(wordStem)) return QUALIFIER_RARITY
  return isCommonVerb(wordStem) ? VERB_RARITY : undefined
}

const VERB_RARITY = 0.8
const POSSESSIVE_RARITY = 0.3
const QUALIFIER_RARITY = 0.1
const CONTEXT_RARITY = 0.65

/** Minimum factor of a variant that counts as the word itself; others are loose. */
export const MIN_SURE_FACTOR = 0.9

const EXACT = 1
const STEM = 0.95
const VERB = 0.85
const NOUN = 0.55
/** By number of characters typed; the last applies to all longer words. */
const PREFIX = [0, 0.2, 0.22, 0.3, 0.38, 0.42]
const MIN_PREFIX = 2
/** Longer queries are sentences, whose words are not joined. */
const MAX_JOINED_WORDS = 6

function buildVariants(
  { text, wordStem }: { readonly text: string; readonly wordStem: string },
  query: { readonly tokens: readonly string[]; readonly action: CollectionConcept | undefined },
): readonly WordVariant[] {
  const { tokens, action } = query
  const variants: WordVariant[] = [{ text, isPrefix: false, factor: EXACT }]
  if (wordStem !== text) variants.push({ text: wordStem, isPrefix: false, factor: STEM })
  for (const joined of joinNeighbours(text, tokens)) {
    variants.push({ text: joined, isPrefix: false, factor: EXACT })
  }
  const isNoun = action === '+create' || isPlural(text)
  if (action !== undefined && isNoun && !isCommonWord(wordStem)) {
    variants.push({ text: toCollectionTerm(action, wordStem), isPrefix: false, factor: EXACT })
  }
  const factor = isCommonWord(wordStem) ? VERB : NOUN
  for (const concept of toConcepts(wordStem)) {
    variants.push({ text: concept, isPrefix: false, factor })
  }
  if (isPossessive(wordStem)) return variants
  const length = [...text].length
  if (length >= MIN_PREFIX || /[^\x20-\x7e]/.test(text)) {
    const worth = PREFIX[Math.min(length, PREFIX.length - 1)] ?? 0
    variants.push({ text, isPrefix: true, factor: worth })
  }
  return variants
}

/**
 * Returns the word joined with its neighbours, two or three words in a row: `top up`, `xml to
 * json`.
 */
function joinNeighbours(text: string, tokens: readonly string[]): readonly string[] {
  if (tokens.length > MAX_JOINED_WORDS) return []
  const joined = new Set<string>()
  for (const index of tokens.keys()) {
    const [first = '', second, third] = tokens.slice(index, index + 3)
    if (second === undefined) continue
    if (text === first || text === second) joined.add(findCompound(first, second) ?? first + second)
    if (third === undefined) continue
    if ([first, second, third].includes(text)) joined.add(first + second + third)
  }
  joined.delete(text)
  return [...joined]
}
