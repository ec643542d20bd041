import { createHostVendors, type HostVendors } from '../vendors/host-vendors.ts'
import type { Vendor } from './records.ts'
import type { CatalogueStore } from './store.ts'

/** Resolves to the vendors of hosts in the current catalogue. */
export type CurrentHostVendors = () => Promise<HostVendors>

/** Creates a cached reader of host vendors that reloads after a change of the catalogue. */
export function createHostVendorsCache(
  store: Pick<CatalogueStore, 'generation' | 'searchVendors'>,
): CurrentHostVendors {
  let known: { readonly generation: number; readonly vendors: Promise<HostVendors> } | undefined
  return async () => {
    const generation = await store.generation()
    if (!known || known.generation < generation) {
      const vendors = listAllVendors(store).then(createHostVendors)
      const current = { generation, vendors }
      known = current
      vendors.catch(() => {
        if (known === current) known = undefined
      })
    }
    return known.vendors
  }
}

const PAGE = 100
const MAX_PAGES = 1000

async function listAllVendors(
  store: Pick<CatalogueStore, 'searchVendors'>,
): Promise<readonly Vendor[]> {
  const vendors: Vendor[] = []
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { items, total } = await store.searchVendors({}, { page, size: PAGE })
    vendors.push(...items)
    if (items.length === 0 || page * PAGE >= total) break
  }
  return vendors
}
