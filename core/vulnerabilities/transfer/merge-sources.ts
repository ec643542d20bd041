import { concatBytesCopy } from '../../shared/bytes.ts'
import { toSha256Hex } from '../../shared/digests.ts'
import { EPSS_COLUMNS, toColumnBytes } from '../index/columns.ts'
import { KEV_SET, type Manifest } from '../index/manifest.ts'
import { readEpss } from '../loading/ratings.ts'
import type { SourceState, VulnerabilityStore } from '../store.ts'
import type { ArchiveHead } from './archive.ts'
import { readAllParts } from './set-frames.ts'

/** Sources of ratings; all others are sources of records. */
const RATINGS = ['kev', 'epss'] as const

/** For each source of ratings: whether those of the archive replace the stored ones. */
export type RatingChoice = Readonly<Record<(typeof RATINGS)[number], boolean>>

interface SourceLists {
  readonly head: Pick<ArchiveHead, 'kev' | 'epss' | 'sources'>
  readonly sources: readonly SourceState[]
}

/** Describes the stored ratings as the head of an archive does. */
export async function describeRatings(
  store: VulnerabilityStore,
  manifest: Manifest,
): Promise<Pick<ArchiveHead, 'kev' | 'epss'>> {
  const { kev } = manifest
  const epss = await readEpss(store, manifest)
  const found: Pick<ArchiveHead, 'kev' | 'epss'> = {}
  if (kev) {
    const parts = await readAllParts(store, { id: kev.id, name: KEV_SET })
    const digest = await toSha256Hex(concatBytesCopy(parts))
    found.kev = { count: kev.count, parts: kev.parts, digest }
  }
  if (epss) {
    const columns = EPSS_COLUMNS.map((name) => toColumnBytes(epss[name]))
    found.epss = { count: epss.epssCve.length, digest: await toSha256Hex(concatBytesCopy(columns)) }
  }
  return found
}

/** Chooses the ratings of the archive that differ from the stored ones and are not older. */
export async function chooseRatings(
  { head, sources }: SourceLists,
  state: { readonly store: VulnerabilityStore; readonly manifest: Manifest },
): Promise<RatingChoice> {
  const stored = await describeRatings(state.store, state.manifest)
  const choose = (name: (typeof RATINGS)[number]) =>
    head[name] !== undefined &&
    head[name].digest !== stored[name]?.digest &&
    (stored[name] === undefined || findAge(head.sources, name) >= findAge(sources, name))
  return { kev: choose('kev'), epss: choose('epss') }
}

/**
 * Merges the states of the sources. With `replacesRecords`, those of records are the archive's
 * alone. Otherwise, the state that was loaded later wins.
 */
export function mergeSources(
  { head, sources }: SourceLists,
  { replacesRecords }: { readonly replacesRecords: boolean },
): readonly SourceState[] {
  const isRating = (name: string) => RATINGS.some((rating) => rating === name)
  const merged = new Map<string, SourceState>()
  for (const state of sources) {
    if (!replacesRecords || isRating(state.name)) merged.set(state.name, state)
  }
  for (const state of head.sources) {
    const { name, loadedAt = 0 } = state
    if (!merged.has(name) || loadedAt >= findAge(sources, name)) merged.set(name, state)
  }
  return [...merged.values()]
}

/** Returns when a source was last loaded; 0 if it never was. */
function findAge(sources: readonly SourceState[], name: string): number {
  return sources.find((source) => source.name === name)?.loadedAt ?? 0
}
