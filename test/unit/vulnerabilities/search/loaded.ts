import type {
  CveRecord,
  EpssScore,
  KnownExploited,
} from '../../../../core/vulnerabilities/records.ts'
import type { CveResults } from '../../../../core/vulnerabilities/search/results.ts'
import {
  createVulnerabilities,
  type Vulnerabilities,
} from '../../../../core/vulnerabilities/service.ts'
import type { VulnerabilityStore } from '../../../../core/vulnerabilities/store.ts'
import { createMemoryVulnerabilities } from '../../../helpers/memory-vulnerabilities.ts'

/** Loads records into a store, in memory by default, and returns its queries. */
export async function loadAll(
  data: {
    readonly records: readonly CveRecord[]
    readonly epss?: readonly EpssScore[]
    readonly exploited?: readonly KnownExploited[]
  },
  store: VulnerabilityStore = createMemoryVulnerabilities(),
): Promise<Vulnerabilities> {
  const vulnerabilities = createVulnerabilities({ store, clock: () => 1_700_000_000_000 })
  const { records, epss = [], exploited = [] } = data
  if (records.length > 0) await vulnerabilities.loadRecords(inOne({ records }), { source: 'nvd' })
  if (epss.length > 0) await vulnerabilities.loadEpss(inOne(epss), { source: 'epss' })
  if (exploited.length > 0) await vulnerabilities.loadKnownExploited(exploited, { source: 'kev' })
  return vulnerabilities
}

/** The IDs of all hits of the page, with the product that each shows. */
export async function toHits(
  results: CveResults,
): Promise<readonly { readonly id: string; readonly named: string }[]> {
  const found: { readonly id: string; readonly named: string }[] = []
  for await (const batch of results.hits) {
    for (const { line, named } of batch) {
      const { cve_id: id, vendor, product } = JSON.parse(line) as Readonly<Record<string, string>>
      const shown = named ?? { vendor, product }
      const isNone = shown.vendor === '-'
      found.push({ id: id ?? '', named: isNone ? '' : `${shown.vendor} ${shown.product}` })
    }
  }
  return found
}

async function* inOne<T>(item: T): AsyncIterable<T> {
  yield item
}
