import { isAuthentication } from '../catalogue/auth-types.ts'
import type { AgreementLink, Api } from '../catalogue/records.ts'
import type { CatalogueStore } from '../catalogue/store.ts'
import { isBindingKind } from '../shared/agreement-kinds.ts'
import { parseUrlHost } from '../shared/urls.ts'
import { findRegistrableDomain } from './hosts.ts'
import type { BomReference, BomService } from './model.ts'

/** The data of a catalogued API in a BOM: everything but its usage. */
export type ApiDetails = Omit<BomService, 'endpoints' | 'captures'> & {
  /** Base URL for usages without a known URL or host; empty without an absolute server. */
  readonly base: string
}

type ApiDetailsStore = Pick<
  CatalogueStore,
  'findApis' | 'listAgreementsOf' | 'listVendorAgreements'
>

/** Reads the details of several APIs; omits APIs that are no longer in the catalogue. */
export async function readApiDetails(
  catalogue: ApiDetailsStore,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ApiDetails>> {
  const found = new Map<number, ApiDetails>()
  if (ids.length === 0) return found
  const ofVendors = new Map<number, readonly AgreementLink[]>()
  const apis = await catalogue.findApis([...new Set(ids)])
  const agreements = await catalogue.listAgreementsOf(apis.map(({ id }) => id))
  for (const api of apis) {
    const own = agreements.get(api.id) ?? []
    const ofVendor =
      ofVendors.get(api.vendor.id) ?? (await catalogue.listVendorAgreements(api.vendor.id))
    ofVendors.set(api.vendor.id, ofVendor)
    found.set(api.id, toApiDetails(api, [...own, ...ofVendor]))
  }
  return found
}

function toApiDetails(api: Api, agreements: readonly AgreementLink[]): ApiDetails {
  const base = resolveBaseUrl(api)
  const homepage = api.homepage || api.vendor.homepage
  return {
    ref: `api:${api.encryptedId}`,
    name: api.name,
    isMatched: true,
    provider: {
      name: api.vendor.name,
      urls: api.vendor.homepage === '' ? [] : [api.vendor.homepage],
    },
    group: base === '' ? '' : findRegistrableDomain(parseUrlHost(base)),
    version: api.version,
    description: api.description,
    isAuthenticated: isAuthenticated(api),
    references: removeDuplicateReferences([
      ...(homepage === '' ? [] : [{ type: 'url' as const, url: homepage }]),
      ...api.licenses.map(({ url }) => ({ type: 'license' as const, url })),
      ...agreements.map(({ kind, link }) => ({
        type: isBindingKind(kind) ? ('license' as const) : ('documentation' as const),
        url: link,
      })),
    ]),
    licenses: collectLicenses(api, agreements),
    base,
  }
}

/**
 * Checks whether calls require authentication; undefined if the description does not declare it.
 */
function isAuthenticated({ authTypes }: Api): boolean | undefined {
  if (authTypes.some(isAuthentication)) return true
  return authTypes.length > 0 && !authTypes.includes('undeclared') ? false : undefined
}

/** Returns the licences of the description, then other agreements that bind the caller. */
function collectLicenses(api: Api, agreements: readonly AgreementLink[]) {
  const known = new Set<string>()
  const all = [
    ...api.licenses,
    ...agreements
      .filter(({ kind }) => isBindingKind(kind))
      .map(({ name, link }) => ({ name, url: link })),
  ]
  return all.filter(({ name, url }) => {
    const key = url || name
    if (name === '' || known.has(key)) return false
    known.add(key)
    return true
  })
}

function removeDuplicateReferences(references: readonly BomReference[]): readonly BomReference[] {
  const known = new Set<string>()
  return references.filter(({ type, url }) => {
    const key = `${type} ${url}`
    if (url === '' || known.has(key)) return false
    known.add(key)
    return true
  })
}

/** Returns the first absolute server with the default values of its variables. */
function resolveBaseUrl(api: Api): string {
  const server = api.servers.find(({ url }) => /^https?:\/\//i.test(url))
  if (!server) return ''
  return server.url.replace(
    /\{([^}]*)\}/g,
    (whole, name) => server.variables.find((variable) => variable.name === name)?.default ?? whole,
  )
}
