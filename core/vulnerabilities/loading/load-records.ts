import { hash53 } from '../../shared/ids.ts'
import { createYieldIfDue, runInTimeSlices } from '../../shared/time-slices.ts'
import { toRecordProducts } from '../affected-products.ts'
import { createIndexBuilder } from '../index/index-builder.ts'
import type { Manifest } from '../index/manifest.ts'
import { readIndexColumns } from '../index/read-index.ts'
import { type WrittenIndex, writeIndex } from '../index/write-index.ts'
import type { CveRecord } from '../records.ts'
import type { Load, StoredRecord } from '../store.ts'
import { fromStoredRecord, toStoredRecord } from '../stored-record.ts'
import type { LoadOptions, LoadReport, RecordBatch } from './batches.ts'
import { type CurrentRecords, createCurrentRecords, type RecordChange } from './current-records.ts'
import {
  type LoadDeps,
  publishManifest,
  readCurrentManifest,
  requireCveId,
  toFinishedState,
  withLoadLease,
} from './load-lease.ts'
import { readRatings, writeOverlay } from './ratings.ts'
import { createStager, type Stager } from './stager.ts'

/** Loads CVE records; see `VulnerabilityLoads`. */
export async function loadRecords(
  deps: LoadDeps,
  batches: AsyncIterable<RecordBatch>,
  options: LoadOptions,
): Promise<LoadReport> {
  const begunAt = deps.clock()
  return withLoadLease(deps.store, options, async (load) => {
    const { manifest, isForeign } = await readCurrentManifest(deps.store)
    const columns = await readIndexColumns(deps.store, manifest.index)
    const draft = createIndexBuilder(deps.maxBuilderBytes)
    const known = await runInTimeSlices(createCurrentRecords(columns, draft))
    const counts: Counts = { read: 0, new: 0, newer: 0, same: 0, older: 0 }
    // Rows outside the index: records of another format, and superseded staged records.
    const useless = isForeign
      ? listNumbers(1, load.nextRowId)
      : await adoptStaged(load, known, counts)
    const stager = createStager(load, options.source)
    const reached = await stageBatches({ load, known, stager, counts, options }, batches)
    const removed = isCompleteSource(options) ? known.dropUnread() : 0
    const source = await toFinishedState(deps, options, reached)
    if (counts.new + counts.newer + removed + useless.length === 0 && manifest.index) {
      await load.stage({ records: [], source })
    } else {
      const written = await writeGeneration({ deps, load, known, options }, manifest)
      const dropped = [...useless, ...known.droppedRows()]
      await publishManifest(load, { manifest: written, dropped, takesStaged: true, source })
    }
    return {
      read: counts.read,
      added: counts.new,
      changed: counts.newer,
      unchanged: counts.same,
      older: counts.older,
      removed,
      total: known.count(),
      generation: await deps.store.generation(),
      ms: deps.clock() - begunAt,
    }
  })
}

/** Number of records read, and by the result of their comparison. */
type Counts = Record<RecordChange | 'read', number>

const STAGED_AT_ONCE = 500

/** Adopts the staged records of an interrupted load; returns the row IDs of useless ones. */
async function adoptStaged(
  load: Load,
  known: CurrentRecords,
  counts: Counts,
): Promise<readonly number[]> {
  const useless: number[] = []
  const pause = createYieldIfDue()
  for (let from = load.firstRowId; ; ) {
    const staged = await load.listStaged(from, STAGED_AT_ONCE)
    for (const { rowId, ...stored } of staged) {
      from = rowId + 1
      const record = fromStoredRecord(stored)
      const digest = digestRecord(record, stored)
      const standing = known.compare(record, () => digest)
      counts.read += 1
      counts[standing] += 1
      if (standing === 'new' || standing === 'newer') {
        const products = toRecordProducts(record)
        known.add(record, { rowId, digest, products })
        await known.builder.spillWhenLarge(load)
      } else useless.push(rowId)
      await pause()
    }
    if (staged.length < STAGED_AT_ONCE) return useless
  }
}

interface Staging {
  readonly load: Load
  readonly known: CurrentRecords
  readonly stager: Stager
  readonly counts: Counts
  readonly options: LoadOptions
}

/** Stages new and changed records of the batches; returns the last checkpoint. */
async function stageBatches(
  staging: Staging,
  batches: AsyncIterable<RecordBatch>,
): Promise<string | undefined> {
  const { load, known, stager, counts, options } = staging
  const iterator = batches[Symbol.asyncIterator]()
  const pause = createYieldIfDue()
  let reached: string | undefined
  let isEnded = false
  try {
    for (;;) {
      options.signal?.throwIfAborted()
      const next = await stager.awaitSource(iterator.next())
      if (next.done) {
        isEnded = true
        return reached
      }
      const { records, checkpoint } = next.value
      for (const record of records) {
        stageRecord(staging, record)
        await stager.flushWhenFull()
        await known.builder.spillWhenLarge(load)
        await pause()
      }
      if (checkpoint !== undefined) stager.setCheckpoint(checkpoint)
      reached = checkpoint ?? reached
      options.onProgress?.({ phase: 'records', done: counts.read })
    }
  } finally {
    try {
      await stager.flush()
    } finally {
      if (!isEnded) await iterator.return?.()
    }
  }
}

function stageRecord({ known, stager, counts, options }: Staging, record: CveRecord): void {
  requireCveId(record.id, 'record')
  counts.read += 1
  if (options.isComplete) known.markRead(record.id)
  const products = toRecordProducts(record)
  const pack = runOnce(() => {
    const stored = toStoredRecord(record, products)
    return { stored, digest: digestRecord(record, stored) }
  })
  const standing = known.compare(record, () => pack().digest)
  counts[standing] += 1
  if (standing === 'same' || standing === 'older') return
  const { stored, digest } = pack()
  known.add(record, { rowId: stager.nextRowId, digest, products })
  stager.add(stored)
}

/**
 * Records with equal digests are equal. Among records modified at the same time, the greater digest
 * wins. Records of the current format, which alone has a status, thus win over legacy ones.
 */
function digestRecord({ status }: CveRecord, { line, detail }: StoredRecord): number {
  const content = hash53(detail, hash53(line)) % DIGEST_HALF
  return status === '' ? content : DIGEST_HALF + content
}

const DIGEST_HALF = 2 ** 52

/** Wraps a function so that it runs at most once. */
function runOnce<T>(work: () => T): () => T {
  let done: { readonly result: T } | undefined
  return () => {
    done ??= { result: work() }
    return done.result
  }
}

function isCompleteSource({ isComplete: answer = false }: LoadOptions): boolean {
  return typeof answer === 'function' ? answer() : answer
}

function listNumbers(from: number, before: number): readonly number[] {
  return Array.from({ length: Math.max(0, before - from) }, (_, index) => from + index)
}

async function writeGeneration(
  context: {
    readonly deps: LoadDeps
    readonly load: Load
    readonly known: CurrentRecords
    readonly options: LoadOptions
  },
  manifest: Manifest,
): Promise<Manifest> {
  const { deps, load, known, options } = context
  const { store } = deps
  const { index } = manifest
  const written: WrittenIndex = await writeIndex({
    store,
    load,
    old: index && { manifest: index, documents: known.old },
    builder: known.builder,
    builderDropped: known.builderDropped,
    onProgress(terms) {
      options.signal?.throwIfAborted()
      options.onProgress?.({ phase: 'index', done: terms })
    },
  })
  const overlay = await writeOverlay(load, written.columns, await readRatings(store, manifest))
  return { ...manifest, index: written.manifest, overlay }
}
