import type { IndexColumns } from '../index/columns.ts'
import type { Manifest } from '../index/manifest.ts'
import { type LoadDeps, listNumbers, publishManifest } from '../loading/load-lease.ts'
import { readRatings, writeOverlay } from '../loading/ratings.ts'
import type { Stager } from '../loading/stager.ts'
import type { Load, SourceState } from '../store.ts'
import type { OnSyncEvent } from '../sync/events.ts'
import type { ArchiveHead } from './archive.ts'
import type { Frame } from './frames.ts'
import { mergeSources, type RatingChoice } from './merge-sources.ts'
import { formatPullState, type LoadedArchive, PULL_SOURCE } from './pull.ts'

/** An archive that is being loaded, and the state of the database before. */
export interface ArchiveRun {
  readonly deps: LoadDeps
  readonly load: Load
  readonly stager: Stager
  readonly head: ArchiveHead
  /** The frames after the head. */
  readonly frames: AsyncGenerator<Frame, void, undefined>
  readonly archive: LoadedArchive
  /** The current manifest, or an empty one if its format is foreign. */
  readonly manifest: Manifest
  readonly isForeign: boolean
  /** Of the current index. */
  readonly columns: IndexColumns
  /** States of all sources except archives. */
  readonly sources: readonly SourceState[]
  /** Which ratings of the archive replace the stored ones. */
  readonly choice: RatingChoice
  /** First row ID of the records that this load stages. */
  readonly firstRowId: number
  /** Loads even if stored records are newer. */
  readonly allowsOlder: boolean
  readonly onEvent?: OnSyncEvent | undefined
}

/** Numbers of records, compared with those before. */
export interface RecordCounts {
  readonly read: number
  readonly added: number
  readonly changed: number
  readonly removed: number
}

/** Writes the ratings of each document of an unpublished index. */
export async function writeRunOverlay(
  { deps, load }: ArchiveRun,
  manifest: Manifest,
  index: Pick<IndexColumns, 'cve' | 'exploitedDay'>,
): Promise<Manifest> {
  const overlay = await writeOverlay(load, index, await readRatings(deps.store, manifest))
  return { ...manifest, overlay }
}

/**
 * Publishes the manifest, together with the states of the sources. With `replacesRecords`, also
 * removes the staged records of loads before.
 */
export async function publishArchive(
  run: ArchiveRun,
  result: {
    readonly manifest: Manifest
    readonly dropped: readonly number[]
    readonly replacesRecords: boolean
  },
): Promise<void> {
  const { deps, load, firstRowId, isForeign } = run
  const { manifest, dropped, replacesRecords } = result
  const before = replacesRecords ? listNumbers(isForeign ? 1 : load.firstRowId, firstRowId) : []
  await publishManifest(load, {
    manifest,
    dropped: [...dropped, ...before],
    takesStaged: replacesRecords,
    source: toPullSource(run.archive, deps.clock()),
    allSources: mergeSources(run, { replacesRecords }),
  })
}

/** Returns the state of archives after a successful load. */
export function toPullSource(archive: LoadedArchive, loadedAt: number): SourceState {
  return { name: PULL_SOURCE, checkpoint: formatPullState({ archive }), loadedAt }
}
