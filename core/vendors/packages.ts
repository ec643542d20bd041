import type { PackageRow } from './package-rows.ts'
import rows from './packages.json' with { type: 'json' }

/**
 * What a scan of code knows of the built-in vendors: client libraries, command-line tools, Terraform
 * providers, CI actions and package namespaces. The file has the format of `scan project
 * --packages`, with one row per line. If rows have the same package, the first wins.
 */
// The type of imported JSON has no literal types, so `kind` is any string there; a test parses it.
export const VENDOR_PACKAGES = rows as readonly PackageRow[]
