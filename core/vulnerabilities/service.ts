import type { LoadOptions, LoadReport, RatingOptions, RecordBatch } from './loading/batches.ts'
import type { EpssScore, KnownExploited } from './records.ts'
import type { CveQuery } from './search/query.ts'
import type { CveResults, ExtendedRecord } from './search/results.ts'

/** The vulnerability database: loads it and answers from it, over any storage. */
export interface Vulnerabilities extends VulnerabilityLoads, VulnerabilityReads {}

export interface VulnerabilityLoads {
  /**
   * Loads CVE records: stages each batch with its checkpoint, makes a new index, and shows both at
   * once at the end. The later of two records of one id holds, whatever their order.
   */
  loadRecords(batches: AsyncIterable<RecordBatch>, options: LoadOptions): Promise<LoadReport>
  /** Replaces the known exploited vulnerabilities, or adds to them with `keepsRest`. */
  loadKnownExploited(
    entries: readonly KnownExploited[],
    options: RatingOptions,
  ): Promise<LoadReport>
  /** Replaces all EPSS scores, or adds to them with `keepsRest`. */
  loadEpss(scores: AsyncIterable<readonly EpssScore[]>, options: RatingOptions): Promise<LoadReport>
  /** The source's checkpoint, as its last batch or load left it. */
  readCheckpoint(source: string): Promise<string | undefined>
}

export interface VulnerabilityReads {
  /** Throws a `ServiceError` of code `invalid_input` for a term that holds no word. */
  search(query: CveQuery): Promise<CveResults>
  /** By id, case aside; undefined when there is none. */
  findRecord(id: string): Promise<ExtendedRecord | undefined>
  /** `<vendor> <product> <version>` of each affected version; undefined for an unknown id. */
  listProductsOfCve(id: string): Promise<readonly string[] | undefined>
  /** All vendors of records that are not rejected, by code point: JSON text of an array of names. */
  listVendors(): Promise<string>
  /** By code point; empty for an unknown vendor (case aside). */
  listProducts(vendor: string): Promise<readonly string[]>
  status(): Promise<VulnerabilityStatus>
}

/** How much is there, and how old it is. */
export interface VulnerabilityStatus {
  readonly generation: number
  /** Rejected ones included. */
  readonly records: number
  readonly rejected: number
  readonly vendors: number
  readonly products: number
  /** Entries of CISA's catalogue. */
  readonly exploited: number
  /** EPSS scores. */
  readonly scored: number
  readonly sources: readonly {
    readonly name: string
    /** Milliseconds since the epoch. */
    readonly loadedAt: number | undefined
  }[]
}
