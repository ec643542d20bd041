import { EPSS_STEPS, NO_EPSS } from '../index/columns.ts'
import type { CveRecord, EpssScore, KnownExploited } from '../records.ts'
import type { ExtendedRecord } from './results.ts'
import type { Snapshot } from './snapshot.ts'

/** Creates a function that adds EPSS and KEV data to a document's record. */
export async function createExtender(
  snapshot: Snapshot,
): Promise<(record: CveRecord, document: number) => ExtendedRecord> {
  const scores = await snapshot.overlay('epss')
  const percentiles = await snapshot.overlay('percentile')
  const exploited = await snapshot.readExploited()
  return (record, document) => {
    const score = scores[document] ?? NO_EPSS
    const epss: EpssScore | undefined =
      score === NO_EPSS
        ? undefined
        : {
            id: record.id,
            score: score / EPSS_STEPS,
            percentile: (percentiles[document] ?? 0) / EPSS_STEPS,
          }
    const known = exploited?.get(record.id) ?? toNvdExploited(record)
    return { record, ...(epss && { epss }), ...(known && { exploited: known }) }
  }
}

function toNvdExploited({ id, exploited }: CveRecord): KnownExploited | undefined {
  return exploited && { id, ...exploited, isRansomware: false }
}
