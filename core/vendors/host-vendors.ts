import type { Vendor } from '../catalogue/records.ts'
import { foldName } from '../shared/text.ts'
import { isDomainName, isInstitutionDomain, isVendorName, KNOWN_VENDORS } from './known-vendors.ts'
import { findOwnDomain, isExampleHost, isSharedDomain, isSharedHost } from './shared-hosts.ts'

/*
 * Assigns hosts to vendors, for scanner, network scan, matcher, console, BOM and policy.
 *
 * Evidence, strongest first:
 *
 * 1. A catalogued API with the host: its server has the host, or is a template in a domain of
 *    no other vendor (`classifyClaim` decides which servers count).
 * 2. A known vendor: by the host of its API (`api.github.com`), then by its domain (`github.com`).
 * 3. A catalogued vendor named after the host's registrable domain.
 * 4. The only catalogued vendor with a homepage in that domain.
 *
 * Shared hosts and domains (`isSharedHost`) are no evidence in 3 and 4. A vendor has one name: the
 * one in the catalogue, even if the catalogue stores a known vendor by its domain.
 */

/** Finds vendors of hosts. */
export interface HostVendors {
  /**
   * The vendor of a host that belongs to no catalogued API; undefined if unknown. The host is in
   * lower case and without port; `{}` replaces unknown labels.
   */
  findVendor(host: string): string | undefined
}

/** Creates the finder for the vendors of a catalogue. */
export function createHostVendors(
  vendors: Iterable<Pick<Vendor, 'name' | 'homepage'>> = [],
): HostVendors {
  const spellings = new Map<string, string>()
  const named = new Map<string, string>()
  const homes = new Map<string, string | undefined>()
  for (const { name, homepage } of vendors) {
    const vendor = KNOWN_VENDORS.findByName(name)
    if (vendor !== undefined && (!spellings.has(vendor) || foldName(name) === foldName(vendor))) {
      spellings.set(vendor, name)
    }
    if (isDomainName(name)) named.set(findOwnDomain(name.trim()) ?? name, name)
    const home = toHomeDomain(homepage)
    if (home === undefined || isSharedDomain(home)) continue
    homes.set(home, homes.has(home) && homes.get(home) !== name ? undefined : name)
  }
  return {
    findVendor(host) {
      const vendor = KNOWN_VENDORS.findByHost(host)?.name
      if (vendor !== undefined) return spellings.get(vendor) ?? vendor
      const domain = findOwnDomain(host)
      if (domain === undefined || isSharedHost(host)) return undefined
      return named.get(domain) ?? homes.get(domain)
    },
  }
}

/**
 * Evidence of a description's server for the owner of a host. `own`: the host belongs to the API.
 * `shared`: the API is one of many on the host, so only its exact endpoints match. `foreign`: the
 * host belongs to another vendor.
 */
export type HostClaim = 'own' | 'shared' | 'foreign'

/** Classifies the claim of an API's vendor to a server's host. */
export function classifyClaim(claim: {
  readonly host: string
  readonly vendorName: string
  /** True if the host has labels that the description leaves open. */
  readonly isTemplate: boolean
}): HostClaim {
  const { host, vendorName, isTemplate } = claim
  const known = KNOWN_VENDORS.findByHost(host)
  if (known && !isInstitutionDomain(findOwnDomain(host) ?? '')) {
    const isTenantHost = known.by === 'tenant' && !isTemplate
    return isTenantHost || isVendorName(vendorName, { vendor: known.name, host })
      ? 'own'
      : 'foreign'
  }
  if (isSharedHost(host)) return isTemplate && !isExampleHost(host) ? 'foreign' : 'shared'
  const suffix = isTemplate ? findFixedSuffix(host) : undefined
  return suffix !== undefined && isSharedHost(suffix) ? 'foreign' : 'own'
}

/** Returns the labels after the last open one: `acme.com` for `{tenant}.acme.com`. */
function findFixedSuffix(host: string): string {
  const open = Math.max(host.lastIndexOf('\0'), host.lastIndexOf('}'))
  return host.slice(host.indexOf('.', open) + 1)
}

function toHomeDomain(homepage: string): string | undefined {
  return URL.canParse(homepage) ? findOwnDomain(new URL(homepage).hostname) : undefined
}
