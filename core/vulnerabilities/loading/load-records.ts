import { createYieldIfDue, runInTimeSlices } from '../../shared/time-slices.ts'
import { toRecordProducts } from '../affected-products.ts'
import type { RecordVersion } from '../index/columns-builder.ts'
import { createIndexBuilder } from '../index/index-builder.ts'
import type { Manifest } from '../index/manifest.ts'
import { readIndexColumns } from '../index/read-index.ts'
import { type WrittenIndex, writeIndex } from '../index/write-index.ts'
import { joinRecords } from '../join-records.ts'
import { AUTHORITIES, type CveAuthority, EXAMPLES_NAME } from '../records.ts'
import type { Load, SourceState, StoredRecord } from '../store.ts'
import { digestRecord, toRecordsByAuthority } from '../stored/parts.ts'
import { unpackStored } from '../stored-record.ts'
import type { LoadOptions, LoadReport, RecordBatch } from './batches.ts'
import { type CurrentRecords, createCurrentRecords, type RecordChange } from './current-records.ts'
import {
  type LoadDeps,
  listNumbers,
  publishManifest,
  readCurrentManifest,
  toFinishedState,
  withLoadLease,
} from './load-lease.ts'
import { readRatings, writeOverlay } from './ratings.ts'
import { type Counts, removeExamples, removeUnread, stageBatches } from './stage-records.ts'
import { createStager } from './stager.ts'

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
    const counts: Counts = { read: 0, joined: 0, new: 0, newer: 0, same: 0, older: 0 }
    // Rows outside the index: records of another format, and superseded staged records.
    const useless = isForeign
      ? listNumbers(1, load.nextRowId)
      : await adoptStaged(load, known, counts)
    const stager = createStager(load, options.source)
    const staging = { store: deps.store, load, known, stager, counts, options }
    const reached = await stageBatches(staging, batches)
    const removed = isCompleteSource(options) ? await removeUnread(staging) : 0
    const sources = await deps.store.listSources()
    const isFirst = counts.read > 0 && options.source !== EXAMPLES_NAME && sources.some(isExamples)
    const examples = isFirst ? await removeExamples(staging) : 0
    const source = await toFinishedState(deps, options, reached)
    if (counts.new + counts.newer + removed + examples + useless.length === 0 && manifest.index) {
      await load.stage({ records: [], source })
    } else {
      const remaining = isFirst ? withoutExampleRatings(manifest) : manifest
      const written = await writeGeneration({ deps, load, known, options }, remaining)
      const dropped = [...useless, ...known.droppedRows()]
      const allSources = isFirst ? sources.filter((each) => !isExamples(each)) : undefined
      await publishManifest(load, {
        manifest: written,
        dropped,
        takesStaged: true,
        source,
        allSources,
      })
    }
    return {
      read: counts.read,
      added: counts.new - counts.joined,
      ...(counts.joined > 0 && { joined: counts.joined }),
      changed: counts.newer,
      unchanged: counts.same,
      older: counts.older,
      removed: removed + examples,
      ...(examples > 0 && { removedExamples: examples }),
      total: known.count(),
      generation: await deps.store.generation(),
      ms: deps.clock() - begunAt,
    }
  })
}

function isExamples({ name }: Pick<SourceState, 'name'>): boolean {
  return name === EXAMPLES_NAME
}

/** Drops the KEV and EPSS lists of the examples: real records must not show their values. */
function withoutExampleRatings(manifest: Manifest): Manifest {
  const { kev, epss } = manifest
  return {
    ...manifest,
    kev: kev?.source === EXAMPLES_NAME ? undefined : kev,
    epss: epss?.source === EXAMPLES_NAME ? undefined : epss,
  }
}

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
      const { id, records, versions } = readStored(stored)
      const changes: RecordChange[] = []
      for (const authority of AUTHORITIES) {
        const [record, version] = [records[authority], versions[authority]]
        if (!record || !version) continue
        changes.push(known.compare(record, authority, () => version.digest))
      }
      // A staged record contains that of the other authority as it was, unchanged.
      const change = CHANGES.find((each) => changes.includes(each)) ?? 'same'
      counts.read += 1
      counts[change] += 1
      if (change === 'new' || change === 'newer') {
        const record = joinRecords(records)
        if (change === 'new' && known.find(id)) counts.joined += 1
        known.add(record, { rowId, versions, products: toRecordProducts(record) })
        await known.builder.spillWhenLarge(load)
      } else useless.push(rowId)
      await pause()
    }
    if (staged.length < STAGED_AT_ONCE) return useless
  }
}

/** Reads the records of a stored record by authority, with their times and digests. */
export function readStored(stored: Pick<StoredRecord, 'line' | 'detail'>) {
  const { id, packed } = unpackStored(stored)
  const records = toRecordsByAuthority(packed, id)
  const versions: Partial<Record<CveAuthority, RecordVersion>> = {}
  for (const authority of AUTHORITIES) {
    const [record, one] = [records[authority], packed[authority]]
    if (!record || !one) continue
    versions[authority] = {
      modifiedAt: record.modifiedAt,
      digest: digestRecord(record, one),
    }
  }
  return { id, records, versions }
}

const CHANGES: readonly RecordChange[] = ['new', 'newer', 'older']

function isCompleteSource({ isComplete: answer = false }: LoadOptions): boolean {
  return typeof answer === 'function' ? answer() : answer
}

/** Writes the index and the overlay of the current records, with the manifest's ratings. */
export async function writeGeneration(
  context: {
    readonly deps: LoadDeps
    readonly load: Load
    readonly known: CurrentRecords
    readonly options: Pick<LoadOptions, 'signal' | 'onProgress'>
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
