import { ServiceError } from '../../errors.ts'
import type { StoredRecord, VulnerabilityStore } from '../store.ts'
import type { OnSyncEvent } from '../sync/events.ts'
import { createBrokenError, RECORD_COLUMNS } from './archive.ts'
import type { Frame } from './frames.ts'

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
    const records: StoredRecord[] = []
    for (let from = start; from < end; from += RECORDS_PER_READ) {
      signal?.throwIfAborted()
      const ids = [...rowIds.subarray(from, Math.min(from + RECORDS_PER_READ, end))]
      for (const record of await store.readRecords(ids, 'all')) {
        if (!record) throw createRemovedError()
        records.push(record)
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
  add(frame: Frame): readonly StoredRecord[]
  /** True if no frame is missing. */
  isWhole(): boolean
} {
  let columns: (readonly string[])[] = []
  return {
    add({ head: { column, count }, body }) {
      if (column !== RECORD_COLUMNS[columns.length]) throw createBrokenError('columns are missing')
      const texts = decoder.decode(body).split('\n')
      const [lines = texts] = columns
      if (texts.length !== count || texts.length !== lines.length) {
        throw createBrokenError('the columns of its records differ in length')
      }
      columns.push(texts)
      if (columns.length < RECORD_COLUMNS.length) return []
      const [, products = [], details = []] = columns
      columns = []
      return lines.map((line, index) => ({
        line,
        products: products[index] ?? '',
        detail: details[index] ?? '',
      }))
    },
    isWhole: () => columns.length === 0,
  }
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
