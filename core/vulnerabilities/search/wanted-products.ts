import { foldCase } from '../index/words.ts'
import type { AffectedProduct } from '../records.ts'
import { coversVersion } from '../versions.ts'
import type { CveFilters } from './query.ts'

/** What a query wants of one affected product; at least one is there. */
export type ProductFilter = Pick<CveFilters, 'vendor' | 'product' | 'version'>

/** What the filters want of an affected product; undefined when they want nothing of it. */
export function toProductFilter(filters: CveFilters): ProductFilter | undefined {
  const { vendor, product, version } = filters
  return (vendor ?? product ?? version) === undefined ? undefined : { vendor, product, version }
}

/** The products that pass, with those of their versions that cover the wanted one. */
export function selectProducts(
  products: readonly AffectedProduct[],
  filter: ProductFilter,
): readonly AffectedProduct[] {
  const { version } = filter
  const named = products.filter(
    (each) => isNamed(each.vendor, filter.vendor) && isNamed(each.product, filter.product),
  )
  if (version === undefined) return named
  return named
    .map((each) => {
      return { ...each, versions: each.versions.filter((one) => coversVersion(one, version)) }
    })
    .filter(({ versions }) => versions.length > 0)
}

function isNamed(name: string, wanted: string | undefined): boolean {
  return wanted === undefined || foldCase(name) === foldCase(wanted)
}
