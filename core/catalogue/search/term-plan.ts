import type { ApiPosting, TermQuery } from '../store.ts'
import { MIN_SURE_FACTOR, type QueryWord } from './query-words.ts'

/** The distinct term lookups for some query words. */
export interface TermPlan {
  readonly terms: readonly TermQuery[]
  /** For each term: the words that it is a variant of, with the weight of a match. */
  readonly wordFactors: readonly TermWordFactors[]
}

export type TermWordFactors = readonly { readonly word: number; readonly factor: number }[]

/** A selection of a plan's terms, with their indexes in the plan. */
export interface TermSelection {
  readonly terms: readonly TermQuery[]
  readonly numbers: readonly number[]
}

export function planTerms(words: readonly QueryWord[]): TermPlan {
  const numbers = new Map<string, number>()
  const terms: TermQuery[] = []
  const uses: { word: number; factor: number }[][] = []
  for (const [word, { variants }] of words.entries()) {
    for (const { text, isPrefix, factor } of variants) {
      const key = isPrefix ? `${text}*` : text
      const number = numbers.get(key) ?? terms.push({ text, isPrefix }) - 1
      numbers.set(key, number)
      const list = uses[number] ?? []
      if (!list.some((use) => use.word === word)) list.push({ word, factor })
      uses[number] = list
    }
  }
  return { terms, wordFactors: uses }
}

/** Selects the terms of a plan that pass the predicate. */
export function selectTerms(
  plan: TermPlan,
  passes: (term: TermQuery, uses: TermWordFactors) => boolean,
): TermSelection {
  const numbers: number[] = []
  const terms = plan.terms.filter((term, number) => {
    const isChosen = passes(term, plan.wordFactors[number] ?? [])
    if (isChosen) numbers.push(number)
    return isChosen
  })
  return { terms, numbers }
}

/**
 * Selects the prefixes of a plan that pass. Prefixes of at most `SHORT` characters match most of
 * the index, so only `MAX_SHORT_PREFIXES` are selected: the longest, then the last typed, as a query may end
 * with an unfinished word.
 */
export function selectPrefixes(
  plan: TermPlan,
  passes: (uses: TermWordFactors) => boolean = () => true,
): TermSelection {
  const short = plan.terms
    .filter(({ text, isPrefix }, number) => {
      return (
        isPrefix && text.length <= MAX_SHORT_PREFIX_LENGTH && passes(plan.wordFactors[number] ?? [])
      )
    })
    .reverse()
    .sort((a, b) => b.text.length - a.text.length)
  const excluded = new Set(short.slice(MAX_SHORT_PREFIXES))
  return selectTerms(plan, (term, uses) => term.isPrefix && passes(uses) && !excluded.has(term))
}

const MAX_SHORT_PREFIX_LENGTH = 3
const MAX_SHORT_PREFIXES = 4

/**
 * Returns the words that at least `COMMON` APIs contain exactly. They are not looked up as prefixes
 * of longer words.
 */
export function findCommonWords(
  postings: readonly ApiPosting[],
  plan: TermPlan,
): ReadonlySet<number> {
  const counts = plan.terms.map(() => 0)
  for (const { term } of postings) counts[term] = (counts[term] ?? 0) + 1
  const common = new Set<number>()
  for (const [term, count] of counts.entries()) {
    if (count < COMMON_WORD_APIS) continue
    for (const { word, factor } of plan.wordFactors[term] ?? [])
      if (factor >= MIN_SURE_FACTOR) common.add(word)
  }
  return common
}

const COMMON_WORD_APIS = 200
