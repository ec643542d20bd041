import { concatBytesCopy } from '../../shared/bytes.ts'
import { runInTimeSlices } from '../../shared/time-slices.ts'
import {
  EPSS_COLUMNS,
  type EpssColumns,
  type IndexColumns,
  OVERLAY_COLUMNS,
  splitIntoParts,
  toColumnBytes,
} from '../index/columns.ts'
import { KEV_SET, type Manifest } from '../index/manifest.ts'
import { createOverlay } from '../index/overlay.ts'
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
