import type { PackageRow } from './package-rows.ts'
import rows from './vendors.json' with { type: 'json' }

/**
 * The built-in vendors, each with its hosts and client libraries. The file has the format of
 * `scan project --packages`, with one row per line. If rows have the same host or package, the first
 * wins.
 */
// The type of imported JSON has no literal types, so `kind` is any string there; a test parses it.
export const VENDORS = rows as readonly PackageRow[]
