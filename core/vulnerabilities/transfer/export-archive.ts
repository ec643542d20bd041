import { ServiceError } from '../../errors.ts'
import { EPSS_COLUMNS } from '../index/columns.ts'
import { KEV_SET, listSets, type Manifest } from '../index/manifest.ts'
import { readIndexColumns } from '../index/read-index.ts'
import { type LoadDeps, readCurrentManifest, withLoadLease } from '../loading/load-lease.ts'
import type { PartSet, SourceState } from '../store.ts'
import type { OnSyncEvent } from '../sync/events.ts'
import { type ArchiveHead, type Compression, packArchiveHead } from './archive.ts'
import { type ArchiveBase, DIGEST_COLUMNS, findChanges, packChangeSets } from './changes.ts'
import { type Frame, writeFrames } from './frames.ts'
import { describeRatings } from './merge-sources.ts'
import { PULL_SOURCE } from './pull.ts'
import { packRecords } from './record-frames.ts'
import { digestRecordPairs, toRecordPairs } from './record-pairs.ts'
import { packSet } from './set-frames.ts'

export interface ExportOptions {
  readonly compression: Compression
  /** Writes only the changes since this archive, as from `readArchiveBase`. */
  readonly base?: ArchiveBase | undefined
  readonly signal?: AbortSignal | undefined
  readonly onEvent?: OnSyncEvent | undefined
}

/** An archive that is being written. */
export interface ArchiveExport {
  readonly head: ArchiveHead
  /** Number of records in the archive. */
  readonly stored: number
  /** Its content. Throws a `ServiceError` with code `conflict` if reading takes ten minutes. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Starts to export the current generation; see `VulnerabilityArchives`. */
export async function exportArchive(
  deps: LoadDeps,
  options: ExportOptions,
): Promise<ArchiveExport> {
  const { store } = deps
  const { manifest, sources } = await readConsistentState(deps)
  const { index } = manifest
  if (!index) throw new ServiceError('not_found', 'Cannot export: the database contains no records')
  const columns = await readIndexColumns(store, index)
  const pairs = toRecordPairs(columns)
  const changes = options.base && findChanges(pairs, options.base)
  const { id: _, ...counts } = index
  const head: ArchiveHead = {
    kind: changes ? 'changes' : 'full',
    exportedAt: deps.clock(),
    records: {
      count: index.documents,
      digest: await digestRecordPairs(pairs),
      newestAt: findNewest(columns.modifiedAt),
    },
    ...(await describeRatings(store, manifest)),
    sources: sources.map(({ name, checkpoint, loadedAt }) => ({ name, checkpoint, loadedAt })),
    ...(changes
      ? {
          base: { name: changes.base.name, exportedAt: changes.base.exportedAt },
          changes: { stored: changes.documents.length, removed: changes.removed.length },
        }
      : { index: counts }),
  }
  const documents = changes?.documents ?? Uint32Array.from(columns.rowId.keys())
  const rowIds = documents.map((document) => columns.rowId[document] as number)
  async function* listFrames(): AsyncGenerator<Frame> {
    yield { head: { type: 'head' }, body: new TextEncoder().encode(packArchiveHead(head)) }
    for (const set of listRatingSets(manifest)) yield* packSet(store, set)
    if (changes) yield* packChangeSets(changes)
    else for (const set of listIndexSets(manifest)) yield* packSet(store, set)
    yield* packRecords(store, { rowIds, signal: options.signal, onEvent: options.onEvent })
    yield { head: { type: 'end' }, body: new Uint8Array(0) }
  }
  const bytes = writeFrames(listFrames(), options.compression)
  return { head, stored: rowIds.length, bytes }
}

/** Returns the last time that a record was modified; 0 if there is none. */
export function findNewest(modifiedAt: Float64Array): number {
  return modifiedAt.reduce((newest, time) => Math.max(newest, time), 0)
}

/** Reads manifest and sources while no load can change them. */
async function readConsistentState({ store }: LoadDeps): Promise<{
  readonly manifest: Manifest
  readonly sources: readonly SourceState[]
}> {
  return withLoadLease(store, { source: 'export' }, async (load) => {
    const [staged] = await load.listStaged(load.firstRowId, 1)
    if (staged) {
      const reason = 'a load was interrupted; run "sync" again to finish it'
      throw new ServiceError('invalid_input', `Cannot export the vulnerabilities: ${reason}`)
    }
    const { manifest } = await readCurrentManifest(store)
    const sources = (await store.listSources()).filter(({ name }) => name !== PULL_SOURCE)
    return { manifest, sources }
  })
}

function listRatingSets({ kev, epss }: Manifest): readonly PartSet[] {
  return [
    ...(kev ? [{ id: kev.id, name: KEV_SET }] : []),
    ...(epss ? EPSS_COLUMNS.map((name) => ({ id: epss.id, name })) : []),
  ]
}

/**
 * Lists the sets of the index, those with digests first. Row IDs are those of one database, and
 * `createPositionRestorer` restores the positions.
 */
function listIndexSets({ format, index }: Manifest): readonly PartSet[] {
  const isWritten = ({ name }: PartSet) => name !== 'rowId' && name !== 'positions'
  const sets = listSets({ format, index }).filter(isWritten)
  const isFirst = ({ name }: PartSet) => DIGEST_COLUMNS.some((column) => column === name)
  return [...sets.filter(isFirst), ...sets.filter((set) => !isFirst(set))]
}
