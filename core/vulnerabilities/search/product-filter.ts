import { foldCase } from '../index/words.ts'
import type { AffectedProduct } from '../records.ts'
import { coversVersion } from '../versions.ts'
import type { CveFilters } from './query.ts'

/** Conditions on one affected product, at least one of which is set. */
export type ProductFilter = Pick<CveFilters, 'vendor' | 'product' | 'version'>

/** Extracts the conditions on an affected product; undefined if there are none. */
export function toProductFilter(filters: CveFilters): ProductFilter | undefined {
  const { vendor, product, version } = filters
  return (vendor ?? product ?? version) === undefined ? undefined : { vendor, product, version }
}

/**
 * Selects the products that match. With a version, they contain only the versions that cover it.
 */
export function selectProducts(
  products: readonly AffectedProduct[],
  filter: ProductFilter,
): readonly AffectedProduct[] {
  const { version } = filter
  const named = products.filter(
    (each) => matchesName(each.vendor, filter.vendor) && matchesName(each.product, filter.product),
  )
  if (version === undefined) return named
  return named
    .map((each) => {
      return { ...each, versions: each.versions.filter((one) => coversVersion(one, version)) }
    })
    .filter(({ versions }) => versions.length > 0)
}

function matchesName(name: string, wanted: string | undefined): boolean {
  return wanted === undefined || foldCase(name) === foldCase(wanted)
}
