import type { CatalogueStore } from '../catalogue/store.ts'
import { createBoundedMap } from '../shared/bounded-map.ts'
import { type FactSources, readApiFacts } from './report/api-facts.ts'

/** A used API with its terms and vulnerabilities, for display. */
export interface UsedApi {
  readonly id: number
  readonly encryptedId: string
  readonly name: string
  /** Empty when unknown. */
  readonly version: string
  readonly vendorName: string
  /** Names of the licences and agreements for callers, including the vendor's. */
  readonly terms: readonly string[]
  /** Number of CVEs that match its vendor and product by name. */
  readonly vulnerabilities: number
  /** A few of them at most: CVEs that are known to be exploited. */
  readonly exploited: readonly string[]
}

/** Sources of used APIs. */
export interface UsedApiSources {
  readonly catalogue: FactSources['catalogue'] & Pick<CatalogueStore, 'generation'>
  /** Like `findKnownVulnerabilities`. */
  readonly findVulnerabilities: (request: {
    readonly api: { readonly name: string; readonly vendorName: string }
    readonly limit: number
  }) => Promise<{
    readonly found: readonly { readonly id: string; readonly isExploited: boolean }[]
    readonly count: number
  }>
  /** Changes when the vulnerability data changes. */
  readonly revision: () => Promise<string>
}

/** Creates a reader of used APIs by numeric ID. It caches some until its sources change. */
export function createUsedApiReader(
  sources: UsedApiSources,
): (ids: readonly number[]) => Promise<ReadonlyMap<number, UsedApi>> {
  const { catalogue } = sources
  const known = createBoundedMap<number, { readonly of: string; readonly api: UsedApi }>(MAX_KNOWN)
  return async (ids) => {
    const of = `${await catalogue.generation()} ${await sources.revision()}`
    const found = new Map<number, UsedApi>()
    const wanted: number[] = []
    for (const id of new Set(ids)) {
      const entry = known.get(id)
      if (entry?.of === of) found.set(id, entry.api)
      else wanted.push(id)
    }
    for (const api of await readUsedApis(sources, wanted)) {
      known.set(api.id, { of, api })
      found.set(api.id, api)
    }
    return found
  }
}

const MAX_KNOWN = 2000

async function readUsedApis(
  { catalogue, findVulnerabilities }: UsedApiSources,
  ids: readonly number[],
): Promise<readonly UsedApi[]> {
  if (ids.length === 0) return []
  const counts = new Map<string, number>()
  const facts = await readApiFacts(
    {
      catalogue,
      findVulnerabilities: async (request) => {
        const found = await findVulnerabilities(request)
        counts.set(JSON.stringify(request.api), found.count)
        return found
      },
    },
    ids,
  )
  const apis = await catalogue.findApis(ids)
  return apis.flatMap(({ id, encryptedId, name, vendor }) => {
    const fact = facts.get(id)
    if (!fact) return []
    const { version, vendorName, terms, exploited = [] } = fact
    const vulnerabilities = counts.get(JSON.stringify({ name, vendorName: vendor.name })) ?? 0
    return [{ id, encryptedId, name, version, vendorName, terms, vulnerabilities, exploited }]
  })
}
