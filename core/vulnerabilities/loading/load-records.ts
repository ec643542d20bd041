import { hash53 } from '../../shared/ids.ts'
import { createYieldIfDue, runInTimeSlices } from '../../shared/time-slices.ts'
import { toAffectedProducts } from '../affected.ts'
import { createDraft } from '../index/draft.ts'
import type { Manifest } from '../index/manifest.ts'
import { readIndexColumns } from '../index/read.ts'
import { type WrittenIndex, writeIndex } from '../index/write.ts'
import type { CveRecord } from '../records.ts'
import type { Load, StoredRecord } from '../store.ts'
import { fromStored, toStored } from '../stored.ts'
import type { LoadOptions, LoadReport, RecordBatch } from './batches.ts'
import {
  holding,
  type LoadDeps,
  publish,
  readCurrent,
  refuseOtherId,
  toEndedState,
} from './holding.ts'
import { createKnownRecords, type KnownRecords, type Standing } from './known.ts'
import { readRatings, writeOverlay } from './ratings.ts'
import { createStager, type Stager } from './stager.ts'

/** Loads CVE records; see `VulnerabilityLoads`. */
export async function loadRecords(
  deps: LoadDeps,
  batches: AsyncIterable<RecordBatch>,
  options: LoadOptions,
): Promise<LoadReport> {
  const begunAt = deps.clock()
  return holding(deps.store, options, async (load) => {
    const { manifest, isForeign } = await readCurrent(deps.store)
    const columns = await readIndexColumns(deps.store, manifest.index)
    const draft = createDraft(deps.maxDraftBytes)
    const known = await runInTimeSlices(createKnownRecords(columns, draft))
    const counts: Counts = { read: 0, new: 0, newer: 0, same: 0, older: 0 }
    // Rows outside the index: records of another format, and superseded staged records.
    const useless = isForeign ? toRange(1, load.nextRowId) : await adopt(load, known, counts)
    const stager = createStager(load, options.source)
    const reached = await stageAll({ load, known, stager, counts, options }, batches)
    const removed = isWhole(options) ? known.dropUnread() : 0
    const source = await toEndedState(deps, options, reached)
    if (counts.new + counts.newer + removed + useless.length === 0 && manifest.index) {
      await load.stage({ records: [], source })
    } else {
      const written = await writeGeneration({ deps, load, known, options }, manifest)
      const dropped = [...useless, ...known.droppedRows()]
      await publish(load, { manifest: written, dropped, takesStaged: true, source })
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
type Counts = Record<Standing | 'read', number>

const STAGED_AT_ONCE = 500

/** Adopts the staged records of an interrupted load; returns the row ids of useless ones. */
async function adopt(load: Load, known: KnownRecords, counts: Counts): Promise<readonly number[]> {
  const useless: number[] = []
  const pause = createYieldIfDue()
  for (let from = load.firstRowId; ; ) {
    const staged = await load.listStaged(from, STAGED_AT_ONCE)
    for (const { rowId, ...stored } of staged) {
      from = rowId + 1
      const record = fromStored(stored)
      const digest = toDigest(record, stored)
      const standing = known.compare(record, () => digest)
      counts.read += 1
      counts[standing] += 1
      if (standing === 'new' || standing === 'newer') {
        const products = toAffectedProducts(record.configurations)
        known.add(record, { rowId, digest, products })
        await known.draft.spillWhenLarge(load)
      } else useless.push(rowId)
      await pause()
    }
    if (staged.length < STAGED_AT_ONCE) return useless
  }
}

interface Staging {
  readonly load: Load
  readonly known: KnownRecords
  readonly stager: Stager
  readonly counts: Counts
  readonly options: LoadOptions
}

/** Stages new and changed records of the batches; returns the last checkpoint. */
async function stageAll(
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
      const next = await stager.during(iterator.next())
      if (next.done) {
        isEnded = true
        return reached
      }
      const { records, checkpoint } = next.value
      for (const record of records) {
        stage(staging, record)
        await stager.flushWhenFull()
        await known.draft.spillWhenLarge(load)
        await pause()
      }
      if (checkpoint !== undefined) stager.reach(checkpoint)
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

function stage({ known, stager, counts, options }: Staging, record: CveRecord): void {
  refuseOtherId(record.id, 'record')
  counts.read += 1
  if (options.isWhole) known.note(record.id)
  const products = toAffectedProducts(record.configurations)
  const pack = once(() => {
    const stored = toStored(record, products)
    return { stored, digest: toDigest(record, stored) }
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
function toDigest({ status }: CveRecord, { line, detail }: StoredRecord): number {
  const content = hash53(detail, hash53(line)) % HALF
  return status === '' ? content : HALF + content
}

const HALF = 2 ** 52

/** Wraps a function so that it runs at most once. */
function once<T>(work: () => T): () => T {
  let done: { readonly result: T } | undefined
  return () => {
    done ??= { result: work() }
    return done.result
  }
}

function isWhole({ isWhole: answer = false }: LoadOptions): boolean {
  return typeof answer === 'function' ? answer() : answer
}

function toRange(from: number, before: number): readonly number[] {
  return Array.from({ length: Math.max(0, before - from) }, (_, index) => from + index)
}

async function writeGeneration(
  held: {
    readonly deps: LoadDeps
    readonly load: Load
    readonly known: KnownRecords
    readonly options: LoadOptions
  },
  manifest: Manifest,
): Promise<Manifest> {
  const { deps, load, known, options } = held
  const { store } = deps
  const { index } = manifest
  const written: WrittenIndex = await writeIndex({
    store,
    load,
    old: index && { manifest: index, documents: known.old },
    draft: known.draft,
    draftDropped: known.draftDropped,
    onTurn(terms) {
      options.signal?.throwIfAborted()
      options.onProgress?.({ phase: 'index', done: terms })
    },
  })
  const overlay = await writeOverlay(load, written.columns, await readRatings(store, manifest))
  return { ...manifest, index: written.manifest, overlay }
}
