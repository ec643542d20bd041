import type { SteppedWork } from '../../shared/time-slices.ts'
import type { KnownExploited } from '../records.ts'
import {
  createColumn,
  type EpssColumns,
  EXPLOITED,
  type IndexColumns,
  NO_EPSS,
  type OverlayColumns,
  RANSOMWARE,
  toCveNumber,
} from './columns.ts'
import { toEpochDay } from './columns-builder.ts'
import { createNumberMap } from './number-map.ts'

/**
 * Collects the EPSS and KEV data of each document of an index. If CISA's catalogue lacks an entry,
 * or is not loaded, NVD's copy applies, which does not mention ransomware.
 */
export function* createOverlay(
  index: Pick<IndexColumns, 'cve' | 'exploitedDay'>,
  sources: {
    readonly epss: EpssColumns | undefined
    readonly kev: readonly KnownExploited[] | undefined
  },
): SteppedWork<OverlayColumns> {
  const { cve, exploitedDay } = index
  const { epss, kev } = sources
  const overlay: OverlayColumns = {
    epss: createColumn('epss', cve.length).fill(NO_EPSS),
    percentile: createColumn('percentile', cve.length).fill(NO_EPSS),
    kevDay: createColumn('kevDay', cve.length),
    overlayFlags: createColumn('overlayFlags', cve.length),
  }
  const documents = createNumberMap(epss || kev ? cve.length : 0)
  for (let document = 0; document < cve.length; document += 1) {
    if (document % DOCUMENTS_PER_SLICE === 0) yield
    if (epss || kev) documents.set(cve[document] as number, document)
    const day = exploitedDay[document] as number
    if (day === 0) continue
    overlay.kevDay[document] = day
    overlay.overlayFlags[document] = EXPLOITED
  }
  for (let index = 0; epss && index < epss.epssCve.length; index += 1) {
    if (index % DOCUMENTS_PER_SLICE === 0) yield
    const document = documents.get(epss.epssCve[index] as number)
    if (document === undefined) continue
    overlay.epss[document] = epss.epssScore[index] as number
    overlay.percentile[document] = epss.epssRank[index] as number
  }
  for (const entry of kev ?? []) {
    const document = documents.get(toCveNumber(entry.id))
    if (document === undefined) continue
    overlay.kevDay[document] = toEpochDay(entry.addedOn)
    overlay.overlayFlags[document] = EXPLOITED + (entry.isRansomware ? RANSOMWARE : 0)
  }
  return overlay
}

const DOCUMENTS_PER_SLICE = 4096
