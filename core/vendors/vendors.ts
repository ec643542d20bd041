import type { PackageRow } from './package-rows.ts'
import rows from './vendors.json' with { type: 'json' }

/** A vendor with its hosts, without its packages. */
export type VendorRow = Omit<PackageRow, 'packages' | 'imports'>

/**
 * The built-in vendors with their hosts, in the format of `scan project --packages` without
 * packages, which stand apart (`packages.json`): only scans of code need them. If rows have the same
 * host, the first wins.
 */
// The type of imported JSON has no literal types, so `kind` is any string there; a test parses it.
export const VENDORS = rows as readonly VendorRow[]

/** Bases that only stand for a product which people mostly run at hosts of their own. */
export const SELF_HOSTED_BASES: ReadonlySet<string> = new Set(
  VENDORS.flatMap(({ url, selfHosted }) => (selfHosted ? url : [])),
)
