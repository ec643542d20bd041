import { ServiceError } from '../../errors.ts'
import { readIndexColumns } from '../index/read-index.ts'
import type { LoadReport } from '../loading/batches.ts'
import { type LoadDeps, readCurrentManifest, withLoadLease } from '../loading/load-lease.ts'
import { createStager } from '../loading/stager.ts'
import type { Load } from '../store.ts'
import type { OnSyncEvent } from '../sync/events.ts'
import {
  type ArchiveHead,
  type Compression,
  createBrokenError,
  parseArchiveHead,
} from './archive.ts'
import { type ArchiveRun, type RecordCounts, toPullSource } from './archive-run.ts'
import { findNewest } from './export-archive.ts'
import { type Frame, readAhead, readFrames } from './frames.ts'
import { loadChanges } from './load-changes.ts'
import { loadRatings, loadWholeIndex } from './load-whole-index.ts'
import { chooseRatings, mergeSources } from './merge-sources.ts'
import {
  discardUnfinishedPull,
  formatPullState,
  type LoadedArchive,
  PULL_SOURCE,
  readPullState,
} from './pull.ts'
import { digestRecordPairs, toRecordPairs } from './record-pairs.ts'

export interface ArchiveLoadOptions {
  readonly compression: Compression
  /** Path or URL of the archive, and validators of its response. */
  readonly origin: Omit<LoadedArchive, 'exportedAt'>
  /** Loads even if another loader seems to be alive. */
  readonly takeOver?: boolean | undefined
  /** Loads even if stored records are newer. */
  readonly allowsOlder?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  readonly onEvent?: OnSyncEvent | undefined
  /** Called when this load has the lease. */
  readonly onBegin?: (() => void) | undefined
}

export interface ArchiveReport {
  readonly kind: ArchiveHead['kind']
  /** Milliseconds since the epoch. */
  readonly exportedAt: number
  /** False if the database already had the same records and ratings. */
  readonly isChanged: boolean
  readonly load: LoadReport
}

/** Loads an archive; see `VulnerabilityArchives`. */
export async function loadArchive(
  deps: LoadDeps,
  bytes: AsyncIterable<Uint8Array>,
  options: ArchiveLoadOptions,
): Promise<ArchiveReport> {
  const begunAt = deps.clock()
  const { takeOver } = options
  return withLoadLease(deps.store, { source: PULL_SOURCE, takeOver }, async (load) => {
    options.onBegin?.()
    const stager = createStager(load, PULL_SOURCE)
    const frames = readWithLease(readFrames(bytes, options.compression), { stager, options })
    try {
      const run = await startRun({ deps, load, stager, frames }, options)
      const { isChanged, counts } = await loadRun(run)
      const { kind, exportedAt, records } = run.head
      const { count: total } = records
      const generation = await deps.store.generation()
      const rest = { unchanged: total - counts.added - counts.changed, older: 0, total, generation }
      const report = { ...counts, ...rest, ms: deps.clock() - begunAt }
      return { kind, exportedAt, isChanged, load: report }
    } catch (error) {
      await stager.settle()
      // If this fails as well, the next load does it.
      await discardUnfinishedPull(deps.store, load).catch(() => undefined)
      throw error
    } finally {
      await frames.return(undefined).catch(() => undefined)
    }
  })
}

/** Renews the lease while the source is slow. */
async function* readWithLease(
  frames: AsyncGenerator<Frame, void, undefined>,
  { stager, options }: Pick<ArchiveRun, 'stager'> & { readonly options: ArchiveLoadOptions },
): AsyncGenerator<Frame, void, undefined> {
  const source = readAhead(frames)
  try {
    for (;;) {
      options.signal?.throwIfAborted()
      const next = await stager.awaitSource(source.next())
      if (next.done) return
      yield next.value
    }
  } finally {
    await source.return(undefined)
  }
}

async function startRun(
  context: Pick<ArchiveRun, 'deps' | 'stager' | 'frames'> & { readonly load: Load },
  options: ArchiveLoadOptions,
): Promise<ArchiveRun> {
  const { frames, load, stager } = context
  const { store } = context.deps
  const first = await frames.next()
  if (first.done || first.value.head.type !== 'head') throw createBrokenError('it is corrupt')
  const head = parseArchiveHead(new TextDecoder().decode(first.value.body))
  const { manifest, isForeign } = await readCurrentManifest(store)
  const sources = (await store.listSources()).filter(({ name }) => name !== PULL_SOURCE)
  const firstRowId = load.nextRowId
  const { archive: loaded } = await readPullState(store)
  // Stored together with the first records.
  stager.setCheckpoint(formatPullState({ archive: loaded, unfinishedFrom: firstRowId }))
  return {
    ...context,
    head,
    archive: { ...options.origin, exportedAt: head.exportedAt },
    manifest,
    isForeign,
    columns: await readIndexColumns(store, manifest.index),
    sources,
    choice: await chooseRatings({ head, sources }, { store, manifest }),
    firstRowId,
    allowsOlder: options.allowsOlder === true,
    onEvent: options.onEvent,
  }
}

interface RunResult {
  readonly isChanged: boolean
  readonly counts: RecordCounts
}

async function loadRun(run: ArchiveRun): Promise<RunResult> {
  const { head, choice, manifest, columns } = run
  const hasSame =
    manifest.index !== undefined &&
    (await digestRecordPairs(toRecordPairs(columns))) === head.records.digest
  if (!hasSame) {
    rejectOlder(run)
    const load = head.kind === 'full' ? loadWholeIndex : loadChanges
    return { isChanged: true, counts: await load(run) }
  }
  const isChanged = choice.kev || choice.epss
  if (isChanged) await loadRatings(run)
  else await storeSources(run)
  return { isChanged, counts: { read: 0, added: 0, changed: 0, removed: 0 } }
}

function rejectOlder({ head, columns, allowsOlder }: ArchiveRun): void {
  const stored = findNewest(columns.modifiedAt)
  if (allowsOlder || head.records.newestAt >= stored) return
  const [archived, own] = [head.records.newestAt, stored].map((time) =>
    new Date(time).toISOString(),
  )
  throw new ServiceError(
    'invalid_input',
    `Cannot load the vulnerabilities: the file is older than the database (last change ${archived}, but ${own} in the database)`,
  )
}

/** Stores the states of the sources if there is nothing else to store. */
async function storeSources(run: ArchiveRun): Promise<void> {
  const { deps, load } = run
  for (const source of mergeSources(run, { replacesRecords: false })) {
    await load.stage({ records: [], source })
  }
  await load.stage({ records: [], source: toPullSource(run.archive, deps.clock()) })
}
