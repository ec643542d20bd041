import { splitWords } from '../index/words.ts'
import type { AffectedProduct } from '../records.ts'
import { toVersionText } from '../versions.ts'
import { type ProductFilter, selectProducts } from './product-filter.ts'
import type { NamedProduct } from './results.ts'

/**
 * Finds the affected product whose vendor and product names contain most of the words. Among equal
 * ones, the product name with more words wins, then the first. With a filter, only matching
 * products count. Returns undefined if the result equals the record's first product.
 */
export function findBestProduct(
  products: readonly AffectedProduct[],
  wanted: { readonly words: readonly string[]; readonly filter: ProductFilter | undefined },
): NamedProduct | undefined {
  const { words, filter } = wanted
  const selected = filter ? selectProducts(products, filter) : products
  // The filter may match only reported products, which are not listed.
  const candidates = selected.length > 0 ? selected : products
  let best = candidates[0]
  let bestRank = 0
  for (const affected of candidates) {
    const inProduct = countContained(words, splitWords(affected.product))
    const inAll =
      inProduct === words.length
        ? inProduct
        : countContained(words, [...splitWords(affected.vendor), ...splitWords(affected.product)])
    const rank = inAll * (words.length + 1) + inProduct
    if (rank > bestRank) {
      best = affected
      bestRank = rank
    }
    if (inProduct === words.length) break
  }
  const named = best && toNamedProduct(best)
  const first = products[0] && toNamedProduct(products[0])
  const isFirst =
    named?.vendor === first?.vendor &&
    named?.product === first?.product &&
    named?.version === first?.version
  return isFirst ? undefined : named
}

/** Names a product with its first version. */
export function toNamedProduct({ vendor, product, versions }: AffectedProduct): NamedProduct {
  return { vendor, product, version: toVersionText(versions[0] ?? '-') }
}

function countContained(words: readonly string[], names: readonly string[]): number {
  let count = 0
  for (const word of words) if (names.includes(word)) count += 1
  return count
}
