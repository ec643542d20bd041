import type { Clock } from '../ports/clock.ts'
import type { UsedPackage } from '../shared/package-urls.ts'
import {
  findKnownVulnerabilities,
  type KnownVulnerabilitiesRequest,
} from './known-vulnerabilities.ts'
import type { LoadOptions, LoadReport, RatingOptions, RecordBatch } from './loading/batches.ts'
import { type LoadDeps, readCurrentManifest } from './loading/load-lease.ts'
import { findPackageVulnerabilities } from './package-vulnerabilities.ts'
import type { EpssScore, KnownExploited } from './records.ts'
import type { CveQuery } from './search/query.ts'
import { createVulnerabilityReads } from './search/reads.ts'
import type { CveRatings, CveResults, ExtendedRecord } from './search/results.ts'
import type { VulnerabilityStore } from './store.ts'
import { createVulnerabilityArchives, type VulnerabilityArchives } from './transfer/archives.ts'

/** The vulnerability database: its loads, queries and archives, over any storage. */
export interface Vulnerabilities
  extends VulnerabilityLoads,
    VulnerabilityReads,
    VulnerabilityArchives {}

export interface VulnerabilityLoads {
  /**
   * Loads CVE records: stages each batch with its checkpoint, builds a new index, and publishes
   * both at once at the end. If a CVE appears twice, the most recently modified record wins,
   * regardless of input order.
   */
  loadRecords(batches: AsyncIterable<RecordBatch>, options: LoadOptions): Promise<LoadReport>
  /** Replaces the known exploited vulnerabilities; with `keepsRest`, adds to them. */
  loadKnownExploited(
    entries: readonly KnownExploited[],
    options: RatingOptions,
  ): Promise<LoadReport>
  /** Replaces all EPSS scores; with `keepsRest`, adds to them. */
  loadEpss(scores: AsyncIterable<readonly EpssScore[]>, options: RatingOptions): Promise<LoadReport>
  /** The source's checkpoint after its last batch or load. */
  readCheckpoint(source: string): Promise<string | undefined>
}

export interface VulnerabilityReads {
  /** Throws a `ServiceError` with code `invalid_input` for an invalid term. */
  search(query: CveQuery): Promise<CveResults>
  /**
   * Finds a record by its ID or an alias (GHSA or EUVD), case-insensitive; undefined if there is
   * none. Returns the newest one of an alias.
   */
  findRecord(id: string): Promise<ExtendedRecord | undefined>
  /**
   * Finds the loaded EPSS and KEV data of a CVE ID, case-insensitive, even if its record is not
   * loaded. Slower than `findRecord`, which returns them with the record.
   */
  findRatings(id: string): Promise<CveRatings>
  /** `<vendor> <product> <version>` of each affected version; undefined for an unknown ID. */
  listProductsOfCve(id: string): Promise<readonly string[] | undefined>
  /**
   * All vendors of records that are not rejected, sorted by code point: a JSON array as a string.
   */
  listVendors(): Promise<string>
  /** Products of a vendor (case-insensitive), sorted by code point; empty if it is unknown. */
  listProducts(vendor: string): Promise<readonly string[]>
  status(): Promise<VulnerabilityStatus>
}

/** Completeness of the records of a year. */
export interface YearCompleteness {
  readonly year: number
  readonly records: number
  /** Records that name an affected product. */
  readonly withProduct: number
  /** Records with configurations, which NVD adds. */
  readonly withConfigurations: number
  /** Records with a CVSS score. */
  readonly withScore: number
  /** Records with neither a product nor a score. */
  readonly withNeither: number
}

/** Size and age of the database. */
export interface VulnerabilityStatus {
  readonly generation: number
  /** Includes rejected ones. */
  readonly records: number
  readonly rejected: number
  readonly vendors: number
  readonly products: number
  /** Entries of CISA's catalogue. */
  readonly exploited: number
  /** EPSS scores. */
  readonly scored: number
  /** Of records that are not rejected, by ascending year of publication (UTC). */
  readonly completeness: readonly YearCompleteness[]
  readonly sources: readonly {
    readonly name: string
    /** When it was last loaded, in milliseconds since the epoch. */
    readonly loadedAt: number | undefined
    /**
     * Date of the data, in milliseconds since the epoch: the newest change of a record of its
     * authority, the release of KEV, or the day of the EPSS scores; undefined if unknown.
     */
    readonly dataAt: number | undefined
  }[]
}

/** Creates the vulnerability database over a storage: its loads, queries and archives. */
export function createVulnerabilities(deps: {
  readonly store: VulnerabilityStore
  readonly clock: Clock
}): Vulnerabilities {
  const { store, clock } = deps
  return {
    ...createVulnerabilityLoads({ store, clock }),
    ...createVulnerabilityReads({ store }),
    ...createVulnerabilityArchives({ store, clock }),
  }
}

/** Creates the loads of the vulnerability database over any storage. */
export function createVulnerabilityLoads(deps: LoadDeps): VulnerabilityLoads {
  return {
    async loadRecords(batches, options) {
      const { loadRecords } = await import('./loading/load-records.ts')
      return loadRecords(deps, batches, options)
    },
    async loadKnownExploited(entries, options) {
      const { loadKnownExploited } = await import('./loading/load-ratings.ts')
      return loadKnownExploited(deps, entries, options)
    },
    async loadEpss(scores, options) {
      const { loadEpss } = await import('./loading/load-ratings.ts')
      return loadEpss(deps, scores, options)
    },
    async readCheckpoint(source) {
      // Data in another format must be loaded again, from the start.
      if ((await readCurrentManifest(deps.store)).isForeign) return undefined
      const known = (await deps.store.listSources()).find(({ name }) => name === source)
      return known?.checkpoint || undefined
    },
  }
}

/** Creates lookups of CVEs for other features: by the names of an API, and by package. */
export function createVulnerabilityFinders(
  vulnerabilities: Pick<VulnerabilityReads, 'listProducts' | 'search'>,
) {
  return {
    findVulnerabilities: (request: KnownVulnerabilitiesRequest) =>
      findKnownVulnerabilities(vulnerabilities, request),
    findPackageVulnerabilities: (packages: readonly UsedPackage[]) =>
      findPackageVulnerabilities(vulnerabilities, { packages }),
  }
}
