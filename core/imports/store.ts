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

/** Puts imported descriptions into the catalogue. */
export interface ImportStore {
  /**
   * In one transaction: reads what the catalogue holds under this identity, asks `decide` what
   * to write, writes it, and raises the catalogue's generation (not when nothing changes).
   * Nothing is left behind when `decide` throws.
   */
  replaceApi(
    identity: ApiIdentity,
    decide: (existing: ExistingApi | undefined) => ApiChange,
  ): Promise<ReplacedApi>

  /** When the description of an API was last imported, changed or not; undefined where none was. */
  findImportedAt(apiId: number): Promise<number | undefined>

  /** The kept source of an API: the bytes as they came. */
  findSource(apiId: number): Promise<ApiSource | undefined>

  /** Ids of APIs whose `postings` follow an earlier version of the term rules, at most `limit`. */
  listOutdatedSearch(version: number, limit: number): Promise<readonly number[]>

  /**
   * Replaces an API's part of the search index. Changes nothing when it follows this version or a
   * later one, or the API is gone or was changed after `generation`. The last outdated API makes a
   * new generation of the catalogue.
   */
  updateSearch(request: {
    readonly apiId: number
    readonly version: number
    /** Generation of the catalogue that was current before the API was read. */
    readonly generation: number
    readonly postings: readonly SearchPosting[]
  }): Promise<void>

  /** Keeps a report and gives its id; of its account, or of the operator, the newest `keep` stay. */
  addReport(record: ImportRecord, keep: number): Promise<number>

  /** Reports of the account and of the operator, newest first; without one, the operator's. */
  listReports(account: Account | undefined, request: ReportRequest): Promise<Page<StoredImport>>

  /** One of these. */
  findReport(account: Account | undefined, id: number): Promise<StoredImport | undefined>

  /** When the newest kept import of anybody that succeeded was. */
  latestImport(): Promise<number | undefined>
}

/** Which reports to list. */
export interface ReportRequest extends PageRequest {
  /** Only those of this outcome; all when absent. */
  readonly state?: 'imported' | 'failed' | undefined
}

/**
 * An API is identified by vendor, folded title and major version. One that was known by its name
 * alone becomes the first that is imported under this name.
 */
export interface ApiIdentity {
  readonly vendor: Vendor
  /** Folded name. */
  readonly name: string
  readonly majorVersion: string
}

export interface ExistingApi {
  readonly api: Api
  readonly endpoints: readonly ExistingEndpoint[]
}

/** What a comparison needs of a stored endpoint. */
export interface ExistingEndpoint {
  readonly id: number
  readonly shortId: string
  readonly key: string
  readonly path: string
  /** Digest of the stored description (`hash53` of its JSON). */
  readonly digest: number
}

/** What to write. Endpoints are told apart by key; a changed one may have another than before. */
export interface ApiChange {
  /** Undefined: the API's own row stays as it is. */
  readonly api: ApiRow | undefined
  readonly added: readonly NewEndpoint[]
  readonly changed: readonly (NewEndpoint & { readonly id: number })[]
  /** Numeric ids. */
  readonly removed: readonly number[]
  /** JSON text by JSON pointer of each component that endpoints refer to; undefined: unchanged. */
  readonly components: ReadonlyMap<string, string> | undefined
  /** Imported ones only: those that were entered stay. Undefined: unchanged. */
  readonly agreements: readonly ImportedAgreement[] | undefined
  readonly source: ApiSource | undefined
  /**
   * Called with the ids of all endpoints of the API (kept, changed and added) by key, after they
   * are known: gives the API's part of the search index, sorted by term, which replaces the former
   * one.
   */
  readonly postings:
    | ((idsByKey: ReadonlyMap<string, number>) => MaybePromise<readonly SearchPosting[]>)
    | undefined
  /** Version of the term rules that `postings` follow; 0 when absent. */
  readonly termsVersion?: number | undefined
  /** When a description was imported, changed or not; absent where it was none. It is no change. */
  readonly importedAt?: number | undefined
}

export interface ApiRow extends ApiDescription {
  readonly encryptedId: string
  readonly categoryId: number | undefined
  readonly isPublic: boolean
  readonly isImplemented: boolean
  readonly countries: readonly string[]
  readonly sourceDigest: string
  /** False for an API known by its name alone; true when absent. */
  readonly isDescribed?: boolean | undefined
  /** Milliseconds since the epoch; `createdAt` of an existing API is kept by the storage. */
  readonly now: number
}

export interface NewEndpoint {
  readonly description: EndpointDescription
  readonly digest: number
  /** Short ids to try in order; the first that is free is taken. Ignored for changed endpoints. */
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
