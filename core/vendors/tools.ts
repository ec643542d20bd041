import type { PackageRow } from './package-rows.ts'
import tools from './tools.json' with { type: 'json' }
import { VENDORS } from './vendors.ts'

/**
 * What a scan of code knows: the built-in vendors, then their command-line tools, Terraform
 * providers, CI actions and package namespaces (`tools.json`, in the same format). If rows have the
 * same package, the first wins.
 */
export const VENDORS_WITH_TOOLS = [...VENDORS, ...tools] as readonly PackageRow[]
