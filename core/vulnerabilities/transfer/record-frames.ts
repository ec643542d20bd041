import { ServiceError } from '../../errors.ts'
import { toRecordProducts } from '../affected-products.ts'
import { isCveId } from '../feeds/cve-id.ts'
import { NO_RECORD, toCveId } from '../index/columns.ts'
import { joinRecords } from '../join-records.ts'
import { readPacked } from '../loading/load-records.ts'
import type { VulnerabilityStore } from '../store.ts'
import { unpackRecords } from '../stored/parts.ts'
import { parseRecordLine, toStoredRecord } from '../stored-record.ts'
import type { OnSyncEvent } from '../sync/events.ts'
import { type ArchivedRecord, createBrokenError, parseJson, RECORD_COLUMNS } from './archive.ts'
import type { Frame } from './frames.ts'
import { combineDigests } from './record-pairs.ts'

/**
 * Reads records by row ID, in this order, and packs them. Throws a `ServiceError` with code
 * `conflict` if one was removed.
 */
export async function* packRecords(
  store: VulnerabilityStore,
  options: {
    readonly rowIds: Uint32Array
    readonly signal?: AbortSignal | undefined
    readonly onEvent?: OnSyncEvent | undefined
  },
): AsyncGenerator<Frame> {
  const { rowIds, signal, onEvent } = options
  const total = rowIds.length
  for (let start = 0; start < total; start += RECORDS_PER_FRAME) {
    const end = Math.min(start + RECORDS_PER_FRAME, total)
    const records: ArchivedRecord[] = []
    for (let from = start; from < end; from += RECORDS_PER_READ) {
      signal?.throwIfAborted()
      const ids = [...rowIds.subarray(from, Math.min(from + RECORDS_PER_READ, end))]
      for (const record of await store.readRecords(ids, 'all')) {
        if (!record) throw createRemovedError()
        const { cve_description: text } = parseRecordLine(record.line)
        records.push({ text: JSON.stringify(text), detail: record.detail })
      }
    }
    for (const column of RECORD_COLUMNS) {
      const texts = records.map((record) => record[column])
      yield { head: { type: 'records', column, count: texts.length }, body: packTexts(texts) }
    }
    onEvent?.({ kind: 'progress', phase: 'records', done: end, total })
  }
}

/**
 * Reverses `packRecords`: joins the frames of columns to records. Frames of other types must not
 * occur. Throws a `ServiceError` with code `invalid_body` if the columns do not match.
 */
export function createRecordJoiner(): {
  /** Adds a frame; returns the records once all their columns are there. */
  add(frame: Frame): readonly ArchivedRecord[]
  /** True if no frame is missing. */
  isWhole(): boolean
} {
  let columns: (readonly string[])[] = []
  return {
    add({ head: { column, count }, body }) {
      if (column !== RECORD_COLUMNS[columns.length]) throw createBrokenError('columns are missing')
      const texts = decoder.decode(body).split('\n')
      const [first = texts] = columns
      if (texts.length !== count || texts.length !== first.length) {
        throw createBrokenError('the columns of its records differ in length')
      }
      columns.push(texts)
      if (columns.length < RECORD_COLUMNS.length) return []
      columns = []
      return first.map((text, index) => ({ text, detail: texts[index] ?? '' }))
    },
    isWhole: () => columns.length === 0,
  }
}

/**
 * Restores a record of an archive and its stored form. Throws a `ServiceError` with code
 * `invalid_body` if it is corrupt, or another one than the expected.
 */
export function restoreRecord(
  { text, detail }: ArchivedRecord,
  expected: { readonly cve: number; readonly digest: number },
) {
  const id = toCveId(expected.cve)
  if (!isCveId(id)) throw createBrokenError('a CVE ID is invalid')
  const description = parseDescription(text)
  try {
    const packed = unpackRecords(detail, description)
    const { records, versions } = readPacked(packed, id)
    const { nvd, cve } = versions
    if (combineDigests(nvd?.digest ?? NO_RECORD, cve?.digest ?? NO_RECORD) === expected.digest) {
      const record = joinRecords(records)
      const products = toRecordProducts(record)
      return { record, versions, products, stored: toStoredRecord(record, products, packed) }
    }
  } catch (error) {
    throw createBrokenError('a record is corrupt', error)
  }
  throw createBrokenError('its records are mixed up')
}

function parseDescription(text: string): string {
  const description: unknown = parseJson(text)
  if (typeof description !== 'string') throw createBrokenError('a description is invalid')
  return description
}

/** About 4 MB of each column, so that compression finds similar records. */
const RECORDS_PER_FRAME = 5000
const RECORDS_PER_READ = 500

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Stored records contain no line break. */
function packTexts(texts: readonly string[]): Uint8Array {
  if (texts.some((text) => text.includes('\n'))) {
    throw new Error('Cannot export a record: it contains a line break')
  }
  return encoder.encode(texts.join('\n'))
}

function createRemovedError(): ServiceError {
  const reason = 'newer loads have replaced the records meanwhile; repeat the command'
  return new ServiceError('conflict', `Cannot export: ${reason}`)
}
