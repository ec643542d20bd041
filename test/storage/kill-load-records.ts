import type { RecordBatch } from '../../core/vulnerabilities/loading/batches.ts'
import { sampleRecord } from '../unit/vulnerabilities/loading/samples.ts'

/** Number of records per batch. */
const SIZE = 50

/**
 * Yields batches of the records after a number. The checkpoint is the number of the last record.
 */
export async function* sampleBatches(after: number, batches: number): AsyncIterable<RecordBatch> {
  for (let start = after + 1; start <= after + batches * SIZE; start += SIZE) {
    const numbers = Array.from({ length: SIZE }, (_, index) => start + index)
    yield {
      records: numbers.map((number) => sampleRecord(number)),
      checkpoint: String(start + SIZE - 1),
    }
  }
}
