import { concatBytesCopy } from '../../shared/bytes.ts'
import { runInTimeSlices, type SteppedWork } from '../../shared/time-slices.ts'
import {
  createColumn,
  EPSS_COLUMNS,
  type EpssColumns,
  EXPLOITED,
  type IndexColumns,
  NO_EPSS,
  OVERLAY_COLUMNS,
  type OverlayColumns,
  RANSOMWARE,
  splitIntoParts,
  toColumnBytes,
  toCveNumber,
} from '../index/columns.ts'
import { toEpochDay } from '../index/columns-builder.ts'
import { KEV_SET, type Manifest } from '../index/manifest.ts'
import { createNumberMap } from '../index/number-map.ts'
import { createPartWriter } from '../index/part-writer.ts'
import { readColumn, readParts } from '../index/read-index.ts'
import type { KnownExploited } from '../records.ts'
import type { Load, VulnerabilityStore } from '../store.ts'

/** Data of sources other than NVD. */
export interface SourceRatings {
  readonly epss: EpssColumns | undefined
  readonly kev: readonly KnownExploited[] | undefined
}

/** Reads the ratings that a manifest names. */
export async function readRatings(
  store: VulnerabilityStore,
  manifest: Manifest,
): Promise<SourceRatings> {
  return { epss: await readEpss(store, manifest), kev: await readKev(store, manifest) }
}

/** Reads the EPSS scores that a manifest names. */
export async function readEpss(
  store: VulnerabilityStore,
  { epss }: Manifest,
): Promise<EpssColumns | undefined> {
  if (!epss) return undefined
  const { id, count: length } = epss
  return {
    epssCve: await readColumn(store, { id, name: 'epssCve', length }),
    epssScore: await readColumn(store, { id, name: 'epssScore', length }),
    epssRank: await readColumn(store, { id, name: 'epssRank', length }),
  }
}

/** Reads the known exploited vulnerabilities that a manifest names, by CVE number. */
export async function readKev(
  store: VulnerabilityStore,
  { kev }: Manifest,
): Promise<readonly KnownExploited[] | undefined> {
  if (!kev) return undefined
  const numbers = Array.from({ length: kev.parts }, (_, index) => index)
  const bytes = concatBytesCopy(await readParts(store, { id: kev.id, name: KEV_SET }, numbers))
  // The cast is safe: only `writeKev` writes it.
  return JSON.parse(new TextDecoder().decode(bytes)) as readonly KnownExploited[]
}

/** Writes EPSS scores as separate sets. Their ID is the load's `nextId`. */
export async function writeEpss(
  load: Load,
  columns: EpssColumns,
  source: string,
): Promise<NonNullable<Manifest['epss']>> {
  const writer = createPartWriter(load, load.nextId)
  for (const name of EPSS_COLUMNS) await writer.writeSet(name, toColumnBytes(columns[name]))
  return { id: load.nextId, count: columns.epssCve.length, source }
}

/** Writes known exploited vulnerabilities. Their ID is the load's `nextId`. */
export async function writeKev(
  load: Load,
  entries: readonly KnownExploited[],
  source: string,
): Promise<NonNullable<Manifest['kev']>> {
  const bytes = new TextEncoder().encode(JSON.stringify(entries))
  const writer = createPartWriter(load, load.nextId)
  await writer.writeSet(KEV_SET, bytes)
  const parts = splitIntoParts(bytes).length
  return { id: load.nextId, count: entries.length, parts, source }
}

/** Writes the ratings of each document of an index. Their ID is the load's `nextId`. */
export async function writeOverlay(
  load: Load,
  index: Pick<IndexColumns, 'cve' | 'exploitedDay'>,
  ratings: SourceRatings,
): Promise<NonNullable<Manifest['overlay']>> {
  const overlay = await runInTimeSlices(createOverlay(index, ratings))
  const writer = createPartWriter(load, load.nextId)
  for (const name of OVERLAY_COLUMNS) await writer.writeSet(name, toColumnBytes(overlay[name]))
  return { id: load.nextId }
}

/**
 * Collects the EPSS and KEV data of each document of an index. If CISA's catalogue lacks an entry,
 * or is not loaded, NVD's copy applies, which does not mention ransomware.
 */
function* createOverlay(
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
