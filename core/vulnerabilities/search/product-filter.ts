import { foldCase } from '../index/words.ts'
import { toCpeName, toVendorKey } from '../names.ts'
import type { AffectedProduct } from '../records.ts'
import { createVersionTest } from '../versions.ts'
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
  const vendor = filter.vendor === undefined ? undefined : toVendorKey(filter.vendor)
  const product = filter.product === undefined ? undefined : toCpeName(filter.product)
  const named = products.filter(
    (each) =>
      (vendor === undefined || toVendorKey(each.vendor) === vendor) &&
      (product === undefined || foldCase(each.product) === product),
  )
  if (version === undefined) return named
  const covers = createVersionTest(version)
  return named
    .map((each) => {
      return { ...each, versions: each.versions.filter(covers) }
    })
    .filter(({ versions }) => versions.length > 0)
}
