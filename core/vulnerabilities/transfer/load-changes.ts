import { createYieldIfDue, runInTimeSlices } from '../../shared/time-slices.ts'
import { toRecordProducts } from '../affected-products.ts'
import { fromColumnParts, NO_RECORD, toCveNumber } from '../index/columns.ts'
import { createIndexBuilder } from '../index/index-builder.ts'
import { createNumberMap } from '../index/number-map.ts'
import { joinRecords } from '../join-records.ts'
import { createCurrentRecords } from '../loading/current-records.ts'
import { readStored, writeGeneration } from '../loading/load-records.ts'
import type { StoredRecord } from '../store.ts'
import { CHANGE_SETS, createBaseError, createBrokenError } from './archive.ts'
import { type ArchiveRun, publishArchive, type RecordCounts } from './archive-run.ts'
import type { Frame } from './frames.ts'
import {
  isExpectedSet,
  isRatingSet,
  requireRatingSizes,
  toRatingManifest,
} from './load-whole-index.ts'
import { createRecordJoiner } from './record-frames.ts'
import {
  combineDigests,
  digestRecordPairs,
  type RecordPairs,
  toRecordPairs,
} from './record-pairs.ts'
import { createSetWriter } from './set-frames.ts'

/**
 * Adds the records of an archive of changes to the index, and removes those that it names. Throws a
 * `ServiceError` with code `not_found` if the result would differ from the exported database.
 */
export async function loadChanges(run: ArchiveRun): Promise<RecordCounts> {
  const { head, load, stager, frames, columns, deps } = run
  const sets = createSetWriter(load)
  const lists = createChangeLists()
  const joiner = createRecordJoiner()
  const builder = createIndexBuilder(deps.maxBuilderBytes)
  const known = await runInTimeSlices(createCurrentRecords(columns, builder))
  const pause = createYieldIfDue()
  let changes: ChangeLists | undefined
  let position = 0

  async function addRecord(stored: StoredRecord, { cve, digest }: ChangeLists): Promise<void> {
    const { records, versions } = readStored(stored)
    const record = joinRecords(records)
    const { nvd, cve: program } = versions
    const own = combineDigests(nvd?.digest ?? NO_RECORD, program?.digest ?? NO_RECORD)
    if (toCveNumber(record.id) !== cve[position] || own !== digest[position]) {
      throw createBrokenError('its records are mixed up')
    }
    const products = toRecordProducts(record)
    known.add(record, { rowId: stager.nextRowId, versions, products })
    stager.add(stored)
    await stager.flushWhenFull()
    await builder.spillWhenLarge(load)
  }

  for await (const frame of frames) {
    if (isRatingSet(frame)) {
      if (isExpectedSet(frame, run)) await sets.add(frame)
    } else if (frame.head.type === 'set') lists.add(frame)
    else {
      changes ??= await checkResult(run, lists.end())
      if (frame.head.type !== 'records') continue
      for (const stored of joiner.add(frame)) {
        if (changes.isNew(position)) await addRecord(stored, changes)
        position += 1
        await pause()
      }
      const { stored: total } = head.changes ?? {}
      run.onEvent?.({ kind: 'progress', phase: 'records', done: position, total })
    }
  }
  if (!changes || position !== head.changes?.stored || !joiner.isWhole()) {
    throw createBrokenError('records are missing')
  }
  await stager.flush()
  await sets.flush()
  requireRatingSizes(run, sets)
  const removed = known.dropListed(changes.removed)
  const { onEvent } = run
  const options = {
    onProgress: ({ done }: { readonly done: number }) =>
      onEvent?.({ kind: 'progress', phase: 'index', done }),
  }
  const before = { ...run.manifest, ...toRatingManifest(run) }
  const manifest = await writeGeneration({ deps, load, known, options }, before)
  const dropped = known.droppedRows()
  await publishArchive(run, { manifest, dropped, replacesRecords: true })
  return { read: position, added: changes.added, changed: changes.changed, removed }
}

interface ChangeLists extends RecordPairs {
  readonly removed: Float64Array
  /** Whether the record at a position differs from the current one. */
  isNew(position: number): boolean
  readonly added: number
  readonly changed: number
}

function createChangeLists() {
  const chunks = new Map<string, Uint8Array[]>(CHANGE_SETS.map((name) => [name, []]))
  return {
    add({ head: { set = '' }, body }: Frame): void {
      const parts = chunks.get(set)
      if (!parts) throw createBrokenError(`its set "${set}" is unknown`)
      parts.push(body)
    },
    end() {
      const [cve, digest, removed] = CHANGE_SETS.map((name) => {
        const parts = chunks.get(name) ?? []
        const bytes = parts.reduce((sum, part) => sum + part.length, 0)
        if (bytes % Float64Array.BYTES_PER_ELEMENT !== 0) throw createBrokenError('it is corrupt')
        return fromColumnParts('cve', parts)
      })
      if (!cve || !digest || !removed || cve.length !== digest.length) {
        throw createBrokenError('its lists of changes differ in length')
      }
      return { cve, digest, removed }
    },
  }
}

/** Checks that the changes lead to the records of the exported database. */
async function checkResult(
  { head, columns }: ArchiveRun,
  lists: RecordPairs & { readonly removed: Float64Array },
): Promise<ChangeLists> {
  const { cve, digest, removed } = lists
  const before = toRecordPairs(columns)
  const current = createNumberMap(columns.cve.length)
  for (const [document, number] of columns.cve.entries()) current.set(number, document)
  const replaced = new Uint8Array(columns.cve.length)
  const isNew = new Uint8Array(cve.length)
  let [added, changed] = [0, 0]
  for (const [position, number] of cve.entries()) {
    const document = current.get(number)
    if (document === undefined) added += 1
    else {
      replaced[document] = 1
      if (before.digest[document] === digest[position]) continue
      changed += 1
    }
    isNew[position] = 1
  }
  for (const number of removed) {
    const document = current.get(number)
    if (document !== undefined) replaced[document] = 1
  }
  const isKept = (_: number, document: number) => replaced[document] !== 1
  const pairs = {
    cve: concatNumbers(before.cve.filter(isKept), cve),
    digest: concatNumbers(before.digest.filter(isKept), digest),
  }
  if ((await digestRecordPairs(pairs)) !== head.records.digest) throw createBaseError(head.base)
  return { ...lists, added, changed, isNew: (position) => isNew[position] === 1 }
}

function concatNumbers(first: Float64Array, rest: Float64Array): Float64Array {
  const joined = new Float64Array(first.length + rest.length)
  joined.set(first)
  joined.set(rest, first.length)
  return joined
}
