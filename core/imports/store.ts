import type { ApiKind } from '../catalogue/api-kinds.ts'
import type {
  Api,
  ApiDescription,
  EndpointDescription,
  ImportedAgreement,
  SearchPosting,
  Vendor,
} from '../catalogue/records.ts'
import type { Account } from '../shared/account.ts'
import type { MaybePromise } from '../shared/maybe-promise.ts'
import type { Page, PageRequest } from '../shared/pages.ts'
import type { ImportRecord, StoredImport } from './records.ts'

/** Stores imported descriptions in the catalogue. */
export interface ImportStore {
  /**
   * In one transaction: reads the API with this identity, calls `decide` for the change, and writes
   * it. Increases the catalogue's generation unless nothing changes. Rolls back if `decide` throws.
   */
  replaceApi(
    identity: ApiIdentity,
    decide: (existing: ExistingApi | undefined) => ApiChange,
  ): Promise<ReplacedApi>

  /** Time of the API's last import, with or without changes; undefined without one. */
  findImportedAt(apiId: number): Promise<number | undefined>

  /** The stored source of an API, with the original bytes. */
  findSource(apiId: number): Promise<ApiSource | undefined>

  /** IDs of APIs whose `postings` follow an earlier version of the term rules, at most `limit`. */
  listOutdatedSearch(version: number, limit: number): Promise<readonly number[]>

  /**
   * Replaces an API's entries of the search index. Does nothing if they follow this version or a
   * later one, or if the API was removed or changed after `generation`. Updating the last outdated
   * API increases the catalogue's generation.
   */
  updateSearch(request: {
    readonly apiId: number
    readonly version: number
    /** Generation of the catalogue that was current before the API was read. */
    readonly generation: number
    readonly postings: readonly SearchPosting[]
  }): Promise<void>

  /**
   * Stores a report and returns its ID. Removes the oldest reports of its account, or of the
   * operator, beyond `maxReports`.
   */
  addReport(record: ImportRecord, maxReports: number): Promise<number>

  /**
   * Reports of the account and of the operator, newest first; without an account, only the
   * operator's.
   */
  listReports(account: Account | undefined, request: ReportRequest): Promise<Page<StoredImport>>

  /** A report that `listReports` returns for the account. */
  findReport(account: Account | undefined, id: number): Promise<StoredImport | undefined>

  /** Time of the newest stored successful import of any account. */
  findLatestTime(): Promise<number | undefined>
}

/** Selects reports. */
export interface ReportRequest extends PageRequest {
  /** Only reports with this outcome; all by default. */
  readonly state?: 'imported' | 'failed' | undefined
}

/**
 * Identifies an API by kind, vendor, folded title and major version. An API known only by name is
 * replaced by the first import under that name.
 */
export interface ApiIdentity {
  readonly kind: ApiKind
  readonly vendor: Vendor
  /** Folded name. */
  readonly name: string
  readonly majorVersion: string
}

export interface ExistingApi {
  readonly api: Api
  readonly endpoints: readonly ExistingEndpoint[]
}

/** The fields of a stored endpoint that a comparison needs. */
export interface ExistingEndpoint {
  readonly id: number
  readonly shortId: string
  readonly key: string
  readonly path: string
  /** Digest of the stored description (`hash53` of its JSON). */
  readonly digest: number
}

/** Changes to write. Endpoints are identified by key; a changed one may have a new key. */
export interface ApiChange {
  /** Undefined: the API's row is unchanged. */
  readonly api: ApiRow | undefined
  readonly added: readonly NewEndpoint[]
  readonly changed: readonly (NewEndpoint & { readonly id: number })[]
  /** Numeric IDs. */
  readonly removed: readonly number[]
  /** JSON text of each component that endpoints refer to, by JSON pointer; undefined: unchanged. */
  readonly components: ReadonlyMap<string, string> | undefined
  /** Imported agreements only; those created by users stay. Undefined: unchanged. */
  readonly agreements: readonly ImportedAgreement[] | undefined
  readonly source: ApiSource | undefined
  /**
   * Builds the API's entries of the search index, sorted by term, which replace the existing ones.
   * Called after the IDs of all its endpoints (unchanged, changed and added) are assigned.
   */
  readonly postings:
    | ((idsByKey: ReadonlyMap<string, number>) => MaybePromise<readonly SearchPosting[]>)
    | undefined
  /** Version of the term rules that `postings` follow; 0 by default. */
  readonly termsVersion?: number | undefined
  /** Time of the import; absent if no description was imported. Alone, it is not a change. */
  readonly importedAt?: number | undefined
}

export interface ApiRow extends ApiDescription {
  readonly encryptedId: string
  readonly categoryId: number | undefined
  readonly isPublic: boolean
  readonly isImplemented: boolean
  readonly countries: readonly string[]
  readonly sourceDigest: string
  /** False for an API known only by name; true by default. */
  readonly isDescribed?: boolean | undefined
  /** Milliseconds since the epoch; the storage retains `createdAt` of an existing API. */
  readonly now: number
}

export interface NewEndpoint {
  readonly description: EndpointDescription
  readonly digest: number
  /** Short IDs to try in order; the first free one is used. Ignored for changed endpoints. */
  readonly shortIds: readonly string[]
}

export interface ApiSource {
  readonly bytes: Uint8Array
  readonly mediaType: string
  /** Hex SHA-256. */
  readonly digest: string
}

export interface ReplacedApi {
  readonly apiId: number
  readonly encryptedId: string
  /** The catalogue's generation after the transaction. */
  readonly generation: number
}
