import type { ApiPosting, TermQuery } from '../store.ts'
import { type QueryWord, SURE } from './words.ts'

/** The look-ups of some words, each once. */
export interface TermPlan {
  readonly terms: readonly TermQuery[]
  /** For each term: which words it is a way to find, and what that is worth. */
  readonly uses: readonly TermUses[]
}

export type TermUses = readonly { readonly word: number; readonly factor: number }[]

/** Some of a plan's terms, with their numbers in the plan. */
export interface TermChoice {
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
  return { terms, uses }
}

/** The terms of a plan that pass. */
export function chooseTerms(
  plan: TermPlan,
  passes: (term: TermQuery, uses: TermUses) => boolean,
): TermChoice {
  const numbers: number[] = []
  const terms = plan.terms.filter((term, number) => {
    const isChosen = passes(term, plan.uses[number] ?? [])
    if (isChosen) numbers.push(number)
    return isChosen
  })
  return { terms, numbers }
}

/**
 * The prefixes of a plan that pass. Of those of at most `SHORT` characters, which match most of the
 * index, only `MAX_SHORT`: the longest, then the last typed, as an unfinished word ends a query.
 */
export function chooseStarts(
  plan: TermPlan,
  passes: (uses: TermUses) => boolean = () => true,
): TermChoice {
  const short = plan.terms
    .filter(({ text, isPrefix }, number) => {
      return isPrefix && text.length <= SHORT && passes(plan.uses[number] ?? [])
    })
    .reverse()
    .sort((a, b) => b.text.length - a.text.length)
  const excluded = new Set(short.slice(MAX_SHORT))
  return chooseTerms(plan, (term, uses) => term.isPrefix && passes(uses) && !excluded.has(term))
}

const SHORT = 3
const MAX_SHORT = 4

/**
 * The words that so many APIs hold as they stand that they are no starts of words: longer words
 * are not looked for.
 */
export function findCommonWords(
  postings: readonly ApiPosting[],
  plan: TermPlan,
): ReadonlySet<number> {
  const counts = plan.terms.map(() => 0)
  for (const { term } of postings) counts[term] = (counts[term] ?? 0) + 1
  const common = new Set<number>()
  for (const [term, count] of counts.entries()) {
    if (count < COMMON) continue
    for (const { word, factor } of plan.uses[term] ?? []) if (factor >= SURE) common.add(word)
  }
  return common
}

const COMMON = 200
