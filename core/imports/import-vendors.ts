import type { ApiDescription, Vendor } from '../catalogue/records.ts'
import type { CatalogueStore } from '../catalogue/store.ts'
import { foldName } from '../shared/text.ts'
import { classifyClaim } from '../vendors/host-vendors.ts'
import {
  isDomainName,
  isVendorName,
  KNOWN_VENDORS,
  listVendorNames,
} from '../vendors/known-vendors.ts'
import { isSharedDomain, isSharedHost, parseHost } from '../vendors/shared-hosts.ts'
import type { DescriptionKind } from './detect-kind.ts'
import { expandServerUrl, isAbsolute } from './extract/servers.ts'
import type { ImportWarning } from './records.ts'

type VendorStore = Pick<CatalogueStore, 'findVendor' | 'searchVendors' | 'findApisByName'>

/**
 * Returns the catalogued vendors that a name may refer to, best match first: by proper name, by the
 * name as written, then by other domains of a known vendor. A domain also matches the vendor with a
 * similar name and its homepage there.
 */
export async function findNamedVendors(
  catalogue: VendorStore,
  name: string,
): Promise<readonly Vendor[]> {
  const found: Vendor[] = []
  for (const each of listVendorNames(name)) {
    const vendor = await catalogue.findVendor(each)
    if (vendor && !found.some(({ id }) => id === vendor.id)) found.push(vendor)
  }
  return found.length > 0 || !isDomainName(name)
    ? found
    : findVendorsByHomepage(catalogue, name.trim())
}

/** Returns the vendor that already has the API, else the first. */
export async function chooseVendor(
  catalogue: VendorStore,
  choice: {
    readonly vendors: readonly Vendor[]
    readonly api: Pick<ApiDescription, 'name' | 'majorVersion'>
  },
): Promise<Vendor | undefined> {
  const { vendors, api } = choice
  if (vendors.length < 2) return vendors[0]
  for (const vendor of vendors) {
    const names = { apiName: api.name, vendorName: vendor.name }
    const known = await catalogue.findApisByName(names)
    if (known.some(({ majorVersion }) => majorVersion === api.majorVersion)) return vendor
  }
  return vendors[0]
}

/**
 * Returns the homepage of a vendor created from a contact URL; empty if the URL is on a shared
 * host.
 */
export function toVendorHomepage(contactUrl: string): string {
  const { hostname } = parseHost(contactUrl)
  return hostname && isSharedHost(hostname) ? '' : contactUrl
}

/** Creates a warning for each server whose host belongs to another known vendor. */
export function warnOfForeignServers(described: {
  readonly api: Pick<ApiDescription, 'servers'>
  readonly kind: DescriptionKind
  readonly vendorName: string
}): readonly ImportWarning[] {
  const { api, kind, vendorName } = described
  const pointer = kind === 'swagger-2.0' ? '/host' : '/servers'
  const warned = new Map<string, ImportWarning>()
  for (const server of api.servers) {
    const { hostname } = parseHost(expandServerUrl(server))
    if (!hostname || !isAbsolute(server.url)) continue
    const isTemplate = /^[^/]*\/\/[^/]*\{/.test(server.url)
    const owner = KNOWN_VENDORS.findByHost(hostname)?.name
    const claim = classifyClaim({ host: hostname, vendorName, isTemplate })
    if (owner === undefined || claim !== 'foreign' || warned.has(hostname)) continue
    const message = `The host of ${server.url} belongs to ${owner}: its URLs are not matched to this API`
    warned.set(hostname, { pointer, message })
  }
  return [...warned.values()]
}

/** Returns the vendors with a homepage in the domain and a similar name. */
async function findVendorsByHomepage(
  catalogue: VendorStore,
  name: string,
): Promise<readonly Vendor[]> {
  const domain = foldName(name)
  if (isSharedDomain(domain)) return []
  const { items } = await catalogue.searchVendors(
    { q: domain },
    { page: 1, size: MAX_HOMEPAGE_VENDORS },
  )
  return items.filter((vendor) => {
    const isOther = isDomainName(vendor.name) || parseHost(vendor.homepage).domain !== domain
    return !isOther && isVendorName(vendor.name, { vendor: domain, host: domain })
  })
}

const MAX_HOMEPAGE_VENDORS = 20
