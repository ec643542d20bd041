import type { AgreementLink } from '../../catalogue/records.ts'
import type { CatalogueStore } from '../../catalogue/store.ts'
import { isBindingKind } from '../../shared/agreement-kinds.ts'

/** What is known of an API that a project uses, besides its use. */
export interface ApiFacts {
  readonly id: number
  readonly name: string
  /** Empty when unknown. */
  readonly version: string
  readonly vendorName: string
  /** Names of the licences and agreements that bind who calls it, the vendor's included. */
  readonly terms: readonly string[]
  /**
   * CVEs of its vendor and product, by their names, that are known to be exploited: at most a few.
   * Undefined when it was not asked for.
   */
  readonly exploited: readonly string[] | undefined
}

/** Where the facts come from. */
export interface FactSources {
  readonly catalogue: Pick<CatalogueStore, 'findApis' | 'listAgreements' | 'listVendorAgreements'>
  /** Finds CVEs by names, the exploited ones first; `findKnownVulnerabilities` does. */
  readonly findVulnerabilities?:
    | ((request: {
        readonly api: { readonly name: string; readonly vendorName: string }
        readonly limit: number
      }) => Promise<{
        readonly found: readonly { readonly id: string; readonly isExploited: boolean }[]
      }>)
    | undefined
}

/**
 * Reads the facts of APIs by numeric id; those that are not in the catalogue are left out.
 *
 * @example
 * ```ts
 * import { readApiFacts } from 'api-discovery/scans'
 *
 * const ids = found.findings.flatMap(({ apiId }) => (apiId === undefined ? [] : [apiId]))
 * const facts = await readApiFacts({ catalogue: storage.catalogue }, ids)
 * for (const { name, terms } of facts.values()) console.log(name, terms)
 * ```
 */
export async function readApiFacts(
  sources: FactSources,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, ApiFacts>> {
  const { catalogue, findVulnerabilities } = sources
  const facts = new Map<number, ApiFacts>()
  const ofVendors = new Map<number, readonly AgreementLink[]>()
  const wanted = [...new Set(ids)]
  for (let start = 0; start < wanted.length; start += PAGE) {
    for (const api of await catalogue.findApis(wanted.slice(start, start + PAGE))) {
      const { id, name, version, vendor } = api
      const own = await catalogue.listAgreements(id)
      const shared = ofVendors.get(vendor.id) ?? (await catalogue.listVendorAgreements(vendor.id))
      ofVendors.set(vendor.id, shared)
      const known = await findVulnerabilities?.({
        api: { name, vendorName: vendor.name },
        limit: MAX_EXPLOITED,
      })
      facts.set(id, {
        id,
        name,
        version,
        vendorName: vendor.name,
        terms: toTerms([
          ...api.licenses,
          ...[...own, ...shared].filter(({ kind }) => isBindingKind(kind)),
        ]),
        exploited: known?.found.filter(({ isExploited }) => isExploited).map((cve) => cve.id),
      })
    }
  }
  return facts
}

const PAGE = 200

/** CVEs that are told of one API. */
const MAX_EXPLOITED = 20

function toTerms(named: readonly { readonly name: string }[]): readonly string[] {
  return [...new Set(named.map(({ name }) => name.trim()).filter((name) => name !== ''))]
}
