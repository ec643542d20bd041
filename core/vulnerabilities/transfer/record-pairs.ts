import { toSha256Hex } from '../../shared/digests.ts'
import { hash53 } from '../../shared/ids.ts'
import { runInTimeSlices } from '../../shared/time-slices.ts'
import { createColumn, type IndexColumns, toColumnBytes } from '../index/columns.ts'
import { sortNumbers } from '../index/sorting.ts'

/** The CVE number and the digest of each record, in any order. */
export interface RecordPairs {
  readonly cve: Float64Array
  /** Combines the digests of all authorities; records with equal digests are equal. */
  readonly digest: Float64Array
}

/** Columns with the digests of records. */
export type DigestColumns = Pick<IndexColumns, 'cve' | 'nvdDigest' | 'cveDigest'>

/** Combines the digests of each record. */
export function toRecordPairs({ cve, nvdDigest, cveDigest }: DigestColumns): RecordPairs {
  const digest = nvdDigest.map((nvd, index) => combineDigests(nvd, cveDigest[index] as number))
  return { cve, digest }
}

/** Combines the digests of a record by authority; `NO_RECORD` stands for a missing one. */
export function combineDigests(nvd: number, cve: number): number {
  return hash53(`${nvd} ${cve}`)
}

/**
 * Computes the SHA-256 of the records, in hex: two databases with the same result contain the same
 * records. The order of the pairs does not matter.
 */
export async function digestRecordPairs({ cve, digest }: RecordPairs): Promise<string> {
  const order = Uint32Array.from(cve.keys())
  await runInTimeSlices(sortNumbers(order, (a, b) => (cve[a] as number) - (cve[b] as number)))
  const sorted = createColumn('cve', order.length * 2)
  for (const [index, position] of order.entries()) {
    sorted[index * 2] = cve[position] as number
    sorted[index * 2 + 1] = digest[position] as number
  }
  return toSha256Hex(toColumnBytes(sorted))
}
