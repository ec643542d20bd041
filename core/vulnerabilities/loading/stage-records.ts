import { createYieldIfDue } from '../../shared/time-slices.ts'
import { toRecordProducts } from '../affected-products.ts'
import { toCveId, toCveNumber } from '../index/columns.ts'
import type { RecordVersions } from '../index/columns-builder.ts'
import { joinRecords, type RecordsByAuthority } from '../join-records.ts'
import { type CveAuthority, type CveRecord, EXAMPLE_SOURCE } from '../records.ts'
import type { Load, VulnerabilityStore } from '../store.ts'
import {
  digestRecord,
  type PackedRecords,
  packRecord,
  toRecordsByAuthority,
} from '../stored/parts.ts'
import { toStoredRecord, unpackStored } from '../stored-record.ts'
import type { LoadOptions, RecordBatch } from './batches.ts'
import { type CurrentRecords, type RecordChange, toOther } from './current-records.ts'
import { requireCveId } from './load-lease.ts'
import type { Stager } from './stager.ts'

/**
 * Number of records read, and by the result of their comparison; `joined` counts new records of
 * CVEs that the other authority has.
 */
export type Counts = Record<RecordChange | 'read' | 'joined', number>

/** A load whose records are being staged. */
export interface Staging {
  readonly store: Pick<VulnerabilityStore, 'readRecords'>
  readonly load: Load
  readonly known: CurrentRecords
  readonly stager: Stager
  readonly counts: Counts
  readonly options: LoadOptions
}

/** Stages new and changed records of the batches; returns the last checkpoint. */
export async function stageBatches(
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
      const others = await readOthers(staging, records)
      for (const record of records) {
        const staged = stageRecord(staging, record, others)
        if (staged) await staged
        // Most records need no wait.
        const wait = stager.flushWhenFull() ?? known.builder.spillWhenLarge(load) ?? pause()
        if (wait) await wait
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

/** Stages a record if it is new or newer; returns undefined if there is nothing to await. */
function stageRecord(
  staging: Staging,
  record: CveRecord,
  others: ReadonlyMap<number, PackedRecords>,
): Promise<void> | undefined {
  const { known, counts, options } = staging
  const { authority = 'nvd' } = options
  requireCveId(record.id, 'record')
  counts.read += 1
  if (options.isComplete) known.markRead(record.id)
  const pack = runOnce(() => {
    const packed = packRecord(record)
    return { packed, digest: digestRecord(record, packed) }
  })
  const change = known.compare(record, authority, () => pack().digest)
  counts[change] += 1
  if (change === 'same' || change === 'older') return undefined
  const { packed, digest } = pack()
  const current = known.find(record.id)
  if (change === 'new' && current) counts.joined += 1
  const added = { [authority]: { modifiedAt: record.modifiedAt, digest } }
  if (!current?.versions[toOther(authority)]) {
    const records = { [authority]: record }
    stageJoined(staging, { records, packed: { [authority]: packed }, versions: added })
    return undefined
  }
  const { rowId, versions } = current
  const stage = (stored: PackedRecords) => {
    const joined = { ...stored, [authority]: packed }
    const records = { ...toRecordsByAuthority(stored, record.id), [authority]: record }
    stageJoined(staging, { records, packed: joined, versions: { ...versions, ...added } })
  }
  const stored = others.get(rowId)
  if (!stored)
    return readCurrentRecords(staging, [rowId]).then(([read]) => stage(read?.packed ?? {}))
  stage(stored)
  return undefined
}

/** Reads current records to which newer ones of the authority are joined, by row ID. */
async function readOthers(
  staging: Staging,
  records: readonly CveRecord[],
): Promise<ReadonlyMap<number, PackedRecords>> {
  const { known, options } = staging
  const { authority = 'nvd' } = options
  const rowIds = records.flatMap(({ id, modifiedAt }) => {
    const { rowId, versions = {} } = known.find(id) ?? {}
    const isNewer = modifiedAt > (versions[authority]?.modifiedAt ?? Number.NEGATIVE_INFINITY)
    return rowId !== undefined && versions[toOther(authority)] && isNewer ? [rowId] : []
  })
  if (rowIds.length === 0) return NONE_READ
  const read = await readCurrentRecords(staging, rowIds)
  return new Map(read.map(({ packed }, at) => [rowIds[at] ?? 0, packed]))
}

const NONE_READ: ReadonlyMap<number, PackedRecords> = new Map()

/** Stages the records of a CVE in place of its current ones. */
function stageJoined(
  { known, stager }: Staging,
  joined: {
    readonly records: RecordsByAuthority
    readonly packed: PackedRecords
    readonly versions: RecordVersions
  },
): void {
  const { records, packed, versions } = joined
  const record = joinRecords(records)
  const products = toRecordProducts(record)
  const stored = toStoredRecord(record, products, packed)
  known.add(record, { rowId: stager.nextRowId, versions, products })
  stager.add(stored)
}

/** Reads current records, published or staged, by row ID. */
async function readCurrentRecords({ store, stager }: Staging, rowIds: readonly number[]) {
  const added = rowIds.map((rowId) => stager.find(rowId))
  const wanted = rowIds.filter((_, at) => !added[at])
  const read = (await store.readRecords(wanted, 'all')).values()
  return added.map((one) => {
    const stored = one ?? read.next().value
    if (stored) return unpackStored(stored)
    throw new Error('Cannot load the records: a current record is missing')
  })
}

const RECORDS_AT_ONCE = 500

/** Removes the records of the authority that were not read; returns their number. */
export async function removeUnread(staging: Staging): Promise<number> {
  const { known, options } = staging
  const { authority = 'nvd' } = options
  const { dropped, shared } = known.dropUnread(authority)
  await removeFromShared(staging, shared, authority)
  return dropped + shared.length
}

/**
 * Removes example records, wherever real ones did not replace them; returns their number. Only CVEs
 * of the published index can have some.
 */
export async function removeExamples(staging: Staging): Promise<number> {
  const { known } = staging
  const { cve: cves } = known.old.columns
  const dropped: number[] = []
  const shared: number[] = []
  const pause = createYieldIfDue()
  for (let from = 0; from < cves.length; from += RECORDS_AT_ONCE) {
    const rowIds = [...cves.subarray(from, from + RECORDS_AT_ONCE)].flatMap(
      (cve) => known.find(toCveId(cve))?.rowId ?? [],
    )
    const stored = await readCurrentRecords(staging, rowIds)
    for (const [at, { id, packed }] of stored.entries()) {
      if (toRecordsByAuthority(packed, id).nvd?.source !== EXAMPLE_SOURCE) continue
      if (packed.cve) shared.push(rowIds[at] ?? 0)
      else dropped.push(toCveNumber(id))
      await pause()
    }
  }
  await removeFromShared(staging, shared, 'nvd')
  return known.dropListed(dropped) + shared.length
}

/** Removes the record of an authority from current records, by row ID; the other one remains. */
async function removeFromShared(
  staging: Staging,
  shared: readonly number[],
  authority: CveAuthority,
): Promise<void> {
  const { known, stager, load } = staging
  const pause = createYieldIfDue()
  for (let from = 0; from < shared.length; from += RECORDS_AT_ONCE) {
    const rowIds = shared.slice(from, from + RECORDS_AT_ONCE)
    for (const { id, packed: all } of await readCurrentRecords(staging, rowIds)) {
      const packed = { ...all, [authority]: undefined }
      const versions = { ...known.find(id)?.versions, [authority]: undefined }
      stageJoined(staging, { records: toRecordsByAuthority(packed, id), packed, versions })
      await stager.flushWhenFull()
      await known.builder.spillWhenLarge(load)
      await pause()
    }
  }
  await stager.flush()
}

/** Wraps a function so that it runs at most once. */
function runOnce<T>(work: () => T): () => T {
  let done: { readonly result: T } | undefined
  return () => {
    done ??= { result: work() }
    return done.result
  }
}
