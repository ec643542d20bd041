import type { CveRecord, EpssScore, KnownExploited } from '../records.ts'
import type { YearCount } from './query.ts'

/** Results of a search. */
export interface CveResults {
  /** Number of matches on all pages. */
  readonly count: number
  /** The parsed term: lower case, single spaces, no operator characters. */
  readonly processedTerm: string
  /** Hits of the page in batches, newest publication first, then by ID (code points). */
  readonly hits: AsyncIterable<readonly CveHit[]>
  /**
   * Counts of all matches by ascending year, without empty years. Only if the query requests it.
   */
  readonly years?: readonly YearCount[] | undefined
}

/** A search result. */
export interface CveHit {
  /** JSON of the fields of Specification 2.5, with the record's first affected product. */
  readonly line: string
  /**
   * The affected product that matches most words, among those that pass the filters, with its first
   * version that passes. Absent if the line contains the same.
   */
  readonly named?: NamedProduct | undefined
  /** Only if the query requests it. */
  readonly extended?: ExtendedRecord | undefined
}

/** An affected product as Specification 4.10 writes it. */
export interface NamedProduct {
  readonly vendor: string
  readonly product: string
  /** A version, a range without spaces, or `-`. */
  readonly version: string
}

/** EPSS and KEV data of a CVE. */
export interface CveRatings {
  readonly epss?: EpssScore | undefined
  readonly exploited?: KnownExploited | undefined
}

/** A record with its EPSS and KEV data. */
export interface ExtendedRecord extends CveRatings {
  readonly record: CveRecord
  /** From CISA's catalogue, else from NVD's record, which does not mention ransomware. */
  readonly exploited?: KnownExploited | undefined
}
