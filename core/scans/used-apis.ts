import type { CatalogueStore } from '../catalogue/store.ts'
import { createBoundedMap } from '../shared/bounded-map.ts'
import { type FactSources, readApiFacts } from './project/report/api-facts.ts'

/** What a person is told of an API that is used. */
export interface UsedApi {
  readonly id: number
  readonly encryptedId: string
  readonly name: string
  /** Empty when unknown. */
  readonly version: string
  readonly vendorName: string
  /** Names of the licences and agreements that bind who calls it, the vendor's included. */
  readonly terms: readonly string[]
  /** CVEs of its vendor and product, by their names: how many there are. */
  readonly vulnerabilities: number
  /** Those of them that are known to be exploited: at most a few. */
  readonly exploited: readonly string[]
}

/** Where it comes from. */
export interface UsedApiSources {
  readonly catalogue: FactSources['catalogue'] & Pick<CatalogueStore, 'generation'>
  /** As `findKnownVulnerabilities` does. */
  readonly findVulnerabilities: (request: {
    readonly api: { readonly name: string; readonly vendorName: string }
    readonly limit: number
  }) => Promise<{
    readonly found: readonly { readonly id: string; readonly isExploited: boolean }[]
    readonly count: number
  }>
  /** Another text when the vulnerabilities are others. */
  readonly revision: () => Promise<string>
}

/** Creates a reader of used APIs by numeric id that remembers some until what it read has changed. */
export function createUsedApis(
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
    for (const api of await read(sources, wanted)) {
      known.set(api.id, { of, api })
      found.set(api.id, api)
    }
    return found
  }
}

const MAX_KNOWN = 2000

async function read(
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
