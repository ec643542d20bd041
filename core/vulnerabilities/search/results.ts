import type { CveRecord, EpssScore, KnownExploited } from '../records.ts'
import type { YearCount } from './query.ts'

/** What a search found. */
export interface CveResults {
  /** All matches, whatever the page. */
  readonly count: number
  /** The term as it was understood: lower case, single spaces, no operator characters. */
  readonly processedTerm: string
  /** The hits of the page, newest publication first, then by id (code points), in batches. */
  readonly hits: AsyncIterable<readonly CveHit[]>
  /** Of all matches, ascending, without years that have none. Only when the query asks for it. */
  readonly years?: readonly YearCount[] | undefined
}

/** One found record. */
export interface CveHit {
  /** JSON of the fields of Specification 2.5, with the record's first affected product. */
  readonly line: string
  /**
   * The affected product that the words name best, of those that the filters want, with the first
   * version that they want; when it is not what the line has.
   */
  readonly named?: NamedProduct | undefined
  /** Only when the query asks for it. */
  readonly extended?: ExtendedRecord | undefined
}

/** An affected product as Specification 4.10 writes it. */
export interface NamedProduct {
  readonly vendor: string
  readonly product: string
  /** A version, a range without spaces, or `-`. */
  readonly version: string
}

/** A record with what other sources say of it. */
export interface ExtendedRecord {
  readonly record: CveRecord
  readonly epss?: EpssScore | undefined
  /**
   * From CISA's catalogue; what that does not hold from NVD's record, without word of ransomware.
   */
  readonly exploited?: KnownExploited | undefined
}
