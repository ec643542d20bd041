import { toWords } from '../index/words.ts'
import type { AffectedProduct } from '../records.ts'
import { toVersionText } from '../versions.ts'
import type { NamedProduct } from './results.ts'

/**
 * The affected product whose vendor's and product's names hold most of the words, of equal ones
 * the one with more of them in the product's name, then the first. Undefined when it is the first
 * of the record or none holds any.
 */
export function findBestProduct(
  products: readonly AffectedProduct[],
  words: readonly string[],
): NamedProduct | undefined {
  let best: AffectedProduct | undefined
  let bestRank = 0
  for (const affected of products) {
    const inProduct = countHeld(words, toWords(affected.product))
    const inAll =
      inProduct === words.length
        ? inProduct
        : countHeld(words, [...toWords(affected.vendor), ...toWords(affected.product)])
    const rank = inAll * (words.length + 1) + inProduct
    if (rank > bestRank) {
      best = affected
      bestRank = rank
    }
    if (inProduct === words.length) break
  }
  if (!best || best === products[0]) return undefined
  const [version = '-'] = best.versions
  return { vendor: best.vendor, product: best.product, version: toVersionText(version) }
}

function countHeld(words: readonly string[], names: readonly string[]): number {
  let count = 0
  for (const word of words) if (names.includes(word)) count += 1
  return count
}
