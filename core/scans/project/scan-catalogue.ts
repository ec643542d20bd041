import type { CatalogueStore } from '../../catalogue/store.ts'
import type { Matcher } from '../../matching/matcher.ts'
import type { ScanCatalogue } from './scan-project.ts'
import { domainOf } from './url-hosts.ts'

/**
 * Makes what a scan asks of a catalogue: its matcher, and the vendors by the registrable domains of
 * their homepages, all in memory.
 */
export async function createScanCatalogue(given: {
  readonly matcher: Pick<Matcher, 'match'>
  readonly catalogue: Pick<CatalogueStore, 'searchVendors'>
}): Promise<ScanCatalogue> {
  const { matcher, catalogue } = given
  const vendors = new Map<string, string>()
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { items, total } = await catalogue.searchVendors({}, { page, size: PAGE })
    for (const { name, homepage } of items) {
      const domain = toDomain(homepage)
      if (domain !== undefined && !vendors.has(domain)) vendors.set(domain, name)
    }
    if (items.length === 0 || page * PAGE >= total) break
  }
  return {
    match: (query) => matcher.match(query),
    findVendor: (domain) => vendors.get(domain),
  }
}

const PAGE = 100
const MAX_PAGES = 1000

function toDomain(homepage: string): string | undefined {
  return URL.canParse(homepage) ? domainOf(new URL(homepage).hostname) : undefined
}
