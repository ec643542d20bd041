import type { Account } from '../shared/account.ts'
import type {
  Approval,
  CapturedFlow,
  CatalogueMatch,
  Decision,
  NetworkFilter,
  NetworkScan,
  NewReview,
  ProjectFilter,
  ProjectScan,
  ReviewStatus,
  ScanApproval,
  ScannedEndpoint,
  ScanStatus,
} from './records.ts'
import type { RowNotes, ScanUsageStore } from './usage-store.ts'

/** Reads of an account's scans in pages, always matched to the current catalogue. */
export interface ScanReads {
  /** Newest first. */
  findProjects(account: Account, filter: ProjectFilter): Promise<readonly ProjectScan[]>
  /** In scan order, or grouped by API with unmatched endpoints last; groups are in scan order. */
  listEndpoints(
    account: Account,
    request: {
      readonly projectId: string
      readonly order: 'scan' | 'api'
      /** Number of a project that was just read: skips finding and matching it again. */
      readonly number?: number | undefined
    },
  ): AsyncIterable<readonly ScannedEndpoint[]>
  /** One list per repository; lists and scans are ordered newest first. */
  findNetworks(
    account: Account,
    filter: NetworkFilter,
  ): Promise<readonly (readonly NetworkScan[])[]>
  /** In order of arrival, or grouped by API in order of arrival, with unmatched flows last. */
  listFlows(
    account: Account,
    request: { readonly instanceId: string; readonly order: 'scan' | 'api' },
  ): AsyncIterable<readonly CapturedFlow[]>
}

export type ScanKind = 'project' | 'network'

/** Identifies a scan of an account. */
export interface ScanName {
  readonly kind: ScanKind
  readonly id: string
}

/** A scan of either kind before it is stored. */
export interface NewScan extends ScanName {
  /**
   * Scope of shared decisions: the folded name of a project, or the ID of a network scan's
   * repository. At most `MAX_NAME` characters, like the names.
   */
  readonly group: string
  readonly projectName: string
  /** Empty for a project. */
  readonly networkName: string
  /** Milliseconds since the epoch; lists are ordered by it. */
  readonly startedAt: number
  readonly endedAt: number | undefined
  readonly status: ScanStatus
  /** JSON text of the properties that are not queryable; opaque to a storage. */
  readonly detail: string
}

/** A stored scan. */
export interface StoredScan extends NewScan, Decision {
  /** Unique and increasing over all accounts. */
  readonly number: number
  readonly reviewStatus: ReviewStatus
  readonly isApproved: ScanApproval
  /** Generation of the catalogue: all rows are matched to this one or a newer one. */
  readonly generation: number
  /** Milliseconds since the epoch. */
  readonly analyzedAt: number
  /** Milliseconds since the epoch: time of the last addition. */
  readonly receivedAt: number
  readonly rows: number
  readonly matched: number
}

/** A scanned endpoint or a captured flow before it is stored. */
export interface NewScanRow {
  /** Subject of decisions: a URL, or the host if the URL is unknown; at most 4,000 characters. */
  readonly subject: string
  /** Lower case, or empty. */
  readonly method: string
  /** JSON text of all other properties; opaque to a storage. */
  readonly detail: string
  readonly match: CatalogueMatch | undefined
  /** Owner if no API matches (`owners.ts`): a digit that orders groups, and 400 characters. */
  readonly owner?: string | undefined
  /** Defaults to no notes. Not returned when rows are read. */
  readonly notes?: RowNotes | undefined
}

/** A stored row with its decision. */
export interface StoredRow extends Omit<NewScanRow, 'notes' | 'owner'> {
  readonly owner: string
  /** Identifies the row in its scan, for `saveMatches`. */
  readonly place: number
  /** Position in the scan, from 0, without gaps. */
  readonly position: number
  readonly approval: Approval
  readonly reason: string
  readonly decision: Decision
}

/** An upload in progress: its rows are not visible before `publish`. */
export interface Upload {
  /** Number of the scan. */
  readonly scan: number
  /** Identifies the upload within the scan; increases with each upload. */
  readonly part: number
}

/** A published upload, as reported in the response. */
export interface StoredBatch {
  readonly scanId: string
  readonly group: string
  /** Digest of the content; differs for different content. */
  readonly digest: string
  readonly rows: number
  readonly matched: number
}

/** Result of an upload, for `publish`. */
export interface UploadResult {
  /** Keys that identify a repeat; each has at most `MAX_NAME` characters. */
  readonly keys: readonly string[]
  readonly digest: string
  readonly rows: number
  readonly matched: number
  /** IDs of all APIs that rows match. */
  readonly apiIds: readonly number[]
  /** Generation of the catalogue that the rows are matched to. */
  readonly generation: number
  /** New status of the scan; unchanged if undefined. */
  readonly status?: ScanStatus | undefined
  /** New end of the scan; unchanged if undefined, null while the scan runs. */
  readonly endedAt?: number | null | undefined
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Selects scans. Undefined properties match all. */
export interface ScanFilter {
  readonly kind: ScanKind
  readonly id?: string | undefined
  readonly group?: string | undefined
  /** Folded. */
  readonly projectName?: string | undefined
  readonly networkName?: string | undefined
  /** Matches scans with rows of any of these APIs. */
  readonly apiIds?: readonly number[] | undefined
  /** Matches scans with a row that is matched to an older generation of the catalogue. */
  readonly staleAt?: number | undefined
}

/** Decision on all rows of one subject and method. */
export interface RowDecision extends Decision {
  readonly subject: string
  readonly method: string
  readonly approval: Approval
  readonly reason: string
}

/** Repository of scans. All its entries belong to an account. */
export interface ScanStore extends ScanUsageStore {
  /**
   * Starts an upload of a new scan or of more rows of an existing one. A new scan is not visible
   * before `publish`. Undefined if the existing scan is unknown. Throws a `ServiceError` with code
   * `conflict` if the account already has a scan with the new ID.
   */
  beginUpload(
    account: Account,
    request: { readonly scan: NewScan | ScanName; readonly at: number },
  ): Promise<Upload | undefined>
  /**
   * Adds rows; an upload has at most 4,000,000. `first` is the number of rows already in the
   * upload. Throws a `ServiceError` with code `conflict` if the upload no longer exists.
   */
  saveRows(
    account: Account,
    rows: { readonly upload: Upload; readonly first: number; readonly at: number } & {
      readonly rows: readonly NewScanRow[]
    },
  ): Promise<void>
  /**
   * Makes an upload visible atomically. If one of its keys is already known, changes nothing and
   * returns the part that has the key. A new scan inherits the decisions of the newest scan of its
   * kind and group, and the status derived from them, see `review`. Throws a `ServiceError` with
   * code `conflict` if the upload no longer exists.
   */
  publish(
    account: Account,
    request: { readonly upload: Upload; readonly end: UploadResult },
  ): Promise<{ readonly isNew: boolean; readonly part: StoredBatch }>
  /** Removes an upload, if known, with its rows, and its scan if it has no other uploads. */
  discard(account: Account, upload: Upload): Promise<void>
  /** Finds the published part with the key. */
  findBatch(account: Account, key: string): Promise<StoredBatch | undefined>

  find(account: Account, name: ScanName): Promise<StoredScan | undefined>
  /** Newest first (by `startedAt`, then number), starting after `after`, at most `limit`. */
  list(
    account: Account,
    request: {
      readonly filter: ScanFilter
      readonly after: Pick<StoredScan, 'startedAt' | 'number'> | undefined
      readonly limit: number
    },
  ): Promise<readonly StoredScan[]>
  count(account: Account): Promise<number>
  /** Unique IDs of the APIs that the account's scans of a kind match. */
  listApiIds(account: Account, kind: ScanKind): Promise<readonly number[]>
  /**
   * Lists the rows that are published at the time of the call, in pages. Throws a `ServiceError`
   * with code `conflict` if the scan is removed or re-matched during the read. A list therefore
   * never mixes old and new matches.
   */
  listRows(
    account: Account,
    request: { readonly scan: number; readonly order: 'scan' | 'api' },
  ): AsyncIterable<readonly StoredRow[]>

  /** Finds a row that matches the API, in the newest network scan that has one. */
  findFlow(account: Account, apiId: number): Promise<Pick<StoredRow, 'detail'> | undefined>

  /** Records that a later generation matches all rows as before; undefined if outdated. */
  confirmMatching(
    account: Account,
    request: { readonly scan: StoredScan; readonly generation: number; readonly at: number },
  ): Promise<StoredScan | undefined>
  /**
   * Starts matching a scan to a generation of the catalogue. False if there is nothing to do: the
   * scan was removed, or a newer generation was or is being matched.
   */
  beginMatching(
    account: Account,
    request: { readonly scan: number; readonly generation: number },
  ): Promise<boolean>
  /** False, without changes, if another matching has started since. */
  saveMatches(
    account: Account,
    request: {
      readonly scan: number
      readonly generation: number
      readonly matches: readonly Pick<StoredRow, 'place' | 'match' | 'owner'>[]
    },
  ): Promise<boolean>
  /** False, without changes, if another matching has started since. */
  finishMatching(
    account: Account,
    request: { readonly scan: number; readonly generation: number; readonly at: number },
  ): Promise<boolean>

  /**
   * Stores a review of a scan atomically; undefined if the scan is unknown. Each of `rows` applies
   * to all rows of its subject, and of its method if it has one. Returns subjects without rows as
   * `unknown`; nothing is stored then. If the review has rows and `reviewStatus` or `isApproved` is
   * undefined, it is derived from all decisions. `isApproved` becomes `no` if any is rejected, `yes`
   * if all are approved, else `not_analyzed`.
   */
  review(
    account: Account,
    request: { readonly scan: ScanName; readonly review: NewReview },
  ): Promise<
    | {
        readonly scan: StoredScan
        readonly decisions: readonly RowDecision[]
        readonly unknown: readonly string[]
      }
    | undefined
  >
  /** Hides a scan at once; its rows are removed by later sweeps. False if the scan is unknown. */
  remove(account: Account, name: ScanName): Promise<boolean>
  /**
   * Removes about `limit` rows at most, over all accounts: of removed scans, of uploads without
   * progress since `staleBefore`, and of scans without additions since `keptSince`. Returns their
   * number; if it equals `limit`, there may be more.
   */
  sweep(request: {
    readonly staleBefore: number
    readonly keptSince: number | undefined
    readonly limit: number
  }): Promise<number>
  /** Totals of visible scans, rows and matched rows over all accounts. */
  totals(): Promise<readonly (Pick<StoredScan, 'kind' | 'rows' | 'matched'> & { scans: number })[]>
}
