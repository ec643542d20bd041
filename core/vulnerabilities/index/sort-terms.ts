import type { SteppedWork } from '../../shared/time-slices.ts'
import { sortNumbers } from './sorting.ts'
import type { TermsBuilder } from './terms-builder.ts'

/** Terms by number, and their numbers in the order of `<`. */
export interface TermOrder {
  readonly texts: readonly string[]
  readonly order: Uint32Array
}

/** Sorts the terms of an index builder. */
export function* sortTerms(terms: Pick<TermsBuilder, 'count' | 'textOf'>): SteppedWork<TermOrder> {
  const texts: string[] = []
  for (let term = 0; term < terms.count; term += 1) {
    texts.push(terms.textOf(term))
    if (term % TERMS_PER_SLICE === 0) yield
  }
  const order = Uint32Array.from(texts.keys())
  yield* sortNumbers(order, (a, b) => ((texts[a] as string) < (texts[b] as string) ? -1 : 1))
  return { texts, order }
}

const TERMS_PER_SLICE = 1024
