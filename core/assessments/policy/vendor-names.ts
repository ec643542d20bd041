import { foldVendorName } from '../../vendors/known-vendors.ts'
import { VENDORS } from '../../vendors/vendors.ts'
import type { Policy } from './policy.ts'

/** Vendor names of a policy, compared with those that are known. */
export interface VendorNameCheck {
  /** Names in `vendors.allow` and `vendors.deny` of no known vendor, each once. */
  readonly unknown: readonly string[]
  /** The given and the built-in names. */
  readonly known: readonly string[]
}

/**
 * Finds vendors of a policy's lists that are neither built in nor among `names`. Such a name may be
 * mistyped, or its vendor may have no API in the catalogue.
 *
 * @example
 * ```ts
 * import { checkVendorNames, parsePolicy } from 'api-discovery/assessments'
 *
 * const policy = parsePolicy('vendors: { allow: [Skycast, Wayfaer] }')
 * checkVendorNames(policy, ['Skycast', 'Wayfare']).unknown // ['Wayfaer']
 * ```
 */
export function checkVendorNames(
  { vendors }: Pick<Policy, 'vendors'>,
  names: readonly string[],
): VendorNameCheck {
  const listed = [...(vendors?.allow ?? []), ...(vendors?.deny ?? [])]
  const known = [...new Set([...names, ...VENDORS.map(({ vendor }) => vendor)])]
  const folded = new Set(known.map(foldVendorName))
  const unknown = listed.filter((name) => !folded.has(foldVendorName(name)))
  return { unknown: [...new Set(unknown)], known }
}
