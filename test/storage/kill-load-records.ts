import type { RecordBatch } from '../../core/vulnerabilities/loading/batches.ts'
import { sampleRecord } from '../unit/vulnerabilities/loading/samples.ts'

/** Records of one batch. */
const SIZE = 50

/** Batches of the records that come after a number; the checkpoint is the last record's number. */
export async function* sampleBatches(after: number, batches: number): AsyncIterable<RecordBatch> {
  for (let start = after + 1; start <= after + batches * SIZE; start += SIZE) {
    const numbers = Array.from({ length: SIZE }, (_, index) => start + index)
    yield {
      records: numbers.map((number) => sampleRecord(number)),
      checkpoint: String(start + SIZE - 1),
    }
  }
}
