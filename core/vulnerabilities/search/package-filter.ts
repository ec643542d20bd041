import { ServiceError } from '../../errors.ts'
import {
  findStatedPackage,
  type PackageReference,
  parseWantedPackageUrl,
} from '../../shared/package-urls.ts'
import type { AffectedProduct, ReportedProduct } from '../records.ts'
import { toReportedProducts } from '../reported-products.ts'
import { toPackageScheme } from '../version-schemes.ts'
import { createVersionTest } from '../versions.ts'

/**
 * Parses the package of a query. Throws a `ServiceError` with code `invalid_input` for an invalid
 * package URL.
 */
export function parseWantedPackage(purl: string): PackageReference {
  const { found, issue } = parseWantedPackageUrl(purl)
  if (!found) {
    throw new ServiceError('invalid_input', `Invalid package URL "${purl}": ${issue}`)
  }
  return found
}

/**
 * Selects the reported products of a package. With a version, they contain only the versions that
 * cover it by the rules of the package's type.
 */
export function selectPackageProducts(
  reported: readonly ReportedProduct[],
  { type, key, version }: PackageReference,
): readonly AffectedProduct[] {
  const products = toReportedProducts(reported.filter((one) => findStatedPackage(one)?.key === key))
  if (version === undefined) return products
  const covers = createVersionTest(version, toPackageScheme(type))
  return products
    .map((product) => ({ ...product, versions: product.versions.filter(covers) }))
    .filter(({ versions }) => versions.length > 0)
}
