import { stem } from '../../shared/stem.ts'
import { toTokens } from '../../shared/text.ts'
import type { TermQuery } from '../store.ts'
import {
  isCommonVerb,
  isCommonWord,
  isPlural,
  isReadingVerb,
  isStopWord,
  toCollectionTerm,
  toConcepts,
} from './concepts.ts'
import { findCompound } from './term-index.ts'

/** Query words and characters beyond these numbers are ignored. */
const MAX_WORDS = 16
const MAX_CHARACTERS = 256

/** A query word with the variants to look up. */
export interface QueryWord {
  readonly text: string
  /**
   * True for words that nearly every API contains, if the query has others. They order matches but
   * find none.
   */
  readonly isWeak: boolean
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
  const verbs = used.map(stem).filter(isCommonVerb)
  const isListing = verbs.length > 0 && verbs.every(isReadingVerb)
  const isAllWeak = used.every((token) => isCommonWord(stem(token)))
  return used.map((text) => ({
    text,
    isWeak: !isAllWeak && isCommonWord(stem(text)),
    variants: buildVariants(text, { tokens, isListing }),
  }))
}

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
  text: string,
  { tokens, isListing }: { readonly tokens: readonly string[]; readonly isListing: boolean },
): readonly WordVariant[] {
  const wordStem = stem(text)
  const variants: WordVariant[] = [{ text, isPrefix: false, factor: EXACT }]
  if (wordStem !== text) variants.push({ text: wordStem, isPrefix: false, factor: STEM })
  for (const joined of joinNeighbours(text, tokens)) {
    variants.push({ text: joined, isPrefix: false, factor: EXACT })
  }
  if (isListing && isPlural(text) && !isCommonVerb(wordStem)) {
    variants.push({ text: toCollectionTerm(wordStem), isPrefix: false, factor: EXACT })
  }
  const factor = isCommonVerb(wordStem) ? VERB : NOUN
  for (const concept of toConcepts(wordStem)) {
    variants.push({ text: concept, isPrefix: false, factor })
  }
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
