import { CATEGORIES } from '../catalogue/categories.ts'
import type { Api } from '../catalogue/records.ts'
import { foldName, truncateText } from '../shared/text.ts'
import { isVendorName, KNOWN_VENDORS } from '../vendors/known-vendors.ts'
import { findOwnDomain, isSharedDomain } from '../vendors/shared-hosts.ts'
import type { CatalogEntry } from './wire.ts'

const MAX_DESCRIPTION = 1000
const MAX_TAGS = 50
const MAX_SLUG = 60

/** Builds the AI Catalog entry of an API; `base` is the address of the operations. */
export function toCatalogEntry(api: Api, base: string): CatalogEntry {
  const description = truncateText(api.description.replace(/\s+/g, ' ').trim(), MAX_DESCRIPTION)
  const category = getCategoryName(api)
  return {
    identifier: toIdentifier(api),
    displayName: api.name,
    type: getEntryType(api),
    ...(hasDescription(api)
      ? { url: toDescriptionUrl(api, base) }
      : { data: { name: api.name, vendor: api.vendor.name } }),
    ...(description === '' ? {} : { description }),
    ...(api.tags.length === 0 ? {} : { tags: api.tags.slice(0, MAX_TAGS) }),
    ...(api.version === '' ? {} : { version: api.version }),
    updatedAt: new Date(api.updatedAt).toISOString(),
    metadata: { vendor: api.vendor.name, ...(category === '' ? {} : { category }) },
  }
}

/** Returns the media type of the resource that an entry describes. */
export function getEntryType(api: Api): string {
  return hasDescription(api) ? ENTRY_TYPES[api.kind] : 'application/json'
}

const ENTRY_TYPES = {
  http: 'application/openapi+json',
  mcp: 'application/mcp-server-card+json',
  a2a: 'application/a2a-agent-card+json',
} as const

/** Whether the document that the API was imported from is stored. */
export function hasDescription({ sourceDigest }: Api): boolean {
  return sourceDigest !== ''
}

/** Returns the address of the document that the API was imported from. */
export function toDescriptionUrl({ encryptedId }: Api, base: string): string {
  return `${base}/apis/description?api_id=${encryptedId}`
}

/** Returns the name of the API's category; empty without one. */
export function getCategoryName({ categoryId }: Api): string {
  return categoryId === undefined ? '' : (CATEGORIES[categoryId - 1] ?? '')
}

/**
 * Builds the URN of an API: the vendor's domain, then the name with the API's ID, which makes it
 * unique. The URN is this service's name for the API, and not the vendor's.
 */
export function toIdentifier(api: Api, publisher: string = findPublisher(api)): string {
  return `urn:air:${publisher}:${toSlug(api.name, 'api')}.${api.encryptedId}`
}

/**
 * Finds the domain of an API's vendor: that of the homepage, the name if it is a domain, or that of
 * the first server. Domains of many owners count only for their own vendor. Without one, a reserved
 * name (RFC 2606).
 */
export function findPublisher({ vendor, servers }: Pick<Api, 'vendor' | 'servers'>): string {
  const name = vendor.name.toLowerCase()
  const named = IS_DOMAIN.test(name) ? [`https://${name}`] : []
  for (const url of [vendor.homepage, ...named, ...servers.map((server) => server.url)]) {
    const host = URL.canParse(url) ? new URL(url).hostname : ''
    const domain = findOwnDomain(host)
    if (domain === undefined || !IS_DOMAIN.test(domain)) continue
    const owner = KNOWN_VENDORS.findByHost(host)
    const isOwn = owner && isVendorName(vendor.name, { vendor: owner.name, host })
    if (isOwn || !isSharedDomain(domain)) return domain
  }
  return `${toSlug(vendor.name, 'vendor')}.invalid`
}

const IS_DOMAIN = /^[a-z\d-]+(?:\.[a-z\d-]+)+$/

/** Folds a name to lower-case letters, digits and hyphens, at most 60 characters. */
export function toSlug(name: string, fallback: string): string {
  const words = foldName(name).match(/[a-z\d]+/g) ?? []
  return words.join('-').slice(0, MAX_SLUG).replace(/-$/, '') || fallback
}
