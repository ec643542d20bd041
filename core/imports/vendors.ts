import type { ApiDescription, Vendor } from '../catalogue/records.ts'
import type { CatalogueStore } from '../catalogue/store.ts'
import { foldName } from '../shared/text.ts'
import { isDomainName, isNameOf, KNOWN_VENDORS, listVendorNames } from '../vendors/known-vendors.ts'
import { isSharedDomain, isSharedHost, parseHost } from '../vendors/shared-hosts.ts'
import { judgeClaim } from '../vendors/vendor-of-host.ts'
import { fillServer, isAbsolute } from './extract/servers.ts'
import type { DescriptionKind } from './kind.ts'
import type { ImportWarning } from './records.ts'

type VendorReads = Pick<CatalogueStore, 'findVendor' | 'searchVendors' | 'findApisByName'>

/**
 * The catalogued vendors that a name means, the best first: under its proper name, as it is, under
 * other domains of a known vendor, and of a domain the vendor that has its name and homepage there.
 */
export async function findNamedVendors(
  catalogue: VendorReads,
  name: string,
): Promise<readonly Vendor[]> {
  const found: Vendor[] = []
  for (const each of listVendorNames(name)) {
    const vendor = await catalogue.findVendor(each)
    if (vendor && !found.some(({ id }) => id === vendor.id)) found.push(vendor)
  }
  return found.length > 0 || !isDomainName(name) ? found : findHomes(catalogue, name.trim())
}

/** Of several vendors the one that has the API already, else the first. */
export async function chooseVendor(
  catalogue: VendorReads,
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

/** The homepage of a vendor whose contact has a page; empty for a page at a host of many owners. */
export function toHomepage(contactUrl: string): string {
  const { hostname } = parseHost(contactUrl)
  return hostname && isSharedHost(hostname) ? '' : contactUrl
}

/** A warning for each server whose host is known to be another vendor's. */
export function warnOfForeignServers(described: {
  readonly api: Pick<ApiDescription, 'servers'>
  readonly kind: DescriptionKind
  readonly vendorName: string
}): readonly ImportWarning[] {
  const { api, kind, vendorName } = described
  const pointer = kind === 'swagger-2.0' ? '/host' : '/servers'
  const warned = new Map<string, ImportWarning>()
  for (const server of api.servers) {
    const { hostname } = parseHost(fillServer(server))
    if (!hostname || !isAbsolute(server.url)) continue
    const isTemplate = /^[^/]*\/\/[^/]*\{/.test(server.url)
    const owner = KNOWN_VENDORS.findByHost(hostname)?.name
    const claim = judgeClaim({ host: hostname, vendorName, isTemplate })
    if (owner === undefined || claim !== 'foreign' || warned.has(hostname)) continue
    const message = `The host of ${server.url} belongs to ${owner}: its URLs are not matched to this API`
    warned.set(hostname, { pointer, message })
  }
  return [...warned.values()]
}

/** Vendors that have their homepage in a domain and a name like it. */
async function findHomes(catalogue: VendorReads, name: string): Promise<readonly Vendor[]> {
  const domain = foldName(name)
  if (isSharedDomain(domain)) return []
  const { items } = await catalogue.searchVendors({ q: domain }, { page: 1, size: MAX_HOMES })
  return items.filter((vendor) => {
    const isOther = isDomainName(vendor.name) || parseHost(vendor.homepage).domain !== domain
    return !isOther && isNameOf(vendor.name, { vendor: domain, host: domain })
  })
}

const MAX_HOMES = 20
