import { isCveId } from '../feeds/cve-id.ts'
import { EPSS_STEPS, toCveNumber } from '../index/columns.ts'
import type { EpssScore } from '../records.ts'
import type { VulnerabilityStore } from '../store.ts'
import { createColumnReader } from './index-reader.ts'
import type { CveRatings } from './results.ts'
import type { Snapshot } from './snapshot.ts'

/** Finds the EPSS and KEV data of a CVE ID in the loaded lists. Not cached. */
export async function findRatings(
  store: Pick<VulnerabilityStore, 'readParts'>,
  snapshot: Snapshot,
  id: string,
): Promise<CveRatings> {
  const epss = await findScore(store, snapshot, id)
  const exploited = (await snapshot.readExploited())?.get(id)
  return { ...(epss && { epss }), ...(exploited && { exploited }) }
}

async function findScore(
  store: Pick<VulnerabilityStore, 'readParts'>,
  { manifest: { epss } }: Snapshot,
  id: string,
): Promise<EpssScore | undefined> {
  if (!epss || !isCveId(id)) return undefined
  const readColumn = createColumnReader(store, epss.id, epss.count)
  const row = (await readColumn('epssCve')).indexOf(toCveNumber(id))
  const score = (await readColumn('epssScore'))[row]
  const percentile = (await readColumn('epssRank'))[row]
  if (score === undefined || percentile === undefined) return undefined
  return { id, score: score / EPSS_STEPS, percentile: percentile / EPSS_STEPS }
}
