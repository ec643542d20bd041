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
import type { RowNotes, ScanUseStore } from './use-store.ts'

export type { NewReview } from './records.ts'

/**
 * What other features read of an account's scans: always matched to the catalogue as it is now.
 * Lists come page by page, so that a scan of any size takes the memory of one page.
 */
export interface ScanReads {
  /** Newest first. */
  findProjects(account: Account, filter: ProjectFilter): Promise<readonly ProjectScan[]>
  /** In order of the scan, or API by API: those of no API last, each in order of the scan. */
  listEndpoints(
    account: Account,
    request: {
      readonly projectId: string
      readonly order: 'scan' | 'api'
      /** Of a project that was found just now: it is neither found nor matched again. */
      readonly number?: number | undefined
    },
  ): AsyncIterable<readonly ScannedEndpoint[]>
  /** One list a repository, the one with the newest scan first; in each, newest first. */
  findNetworks(
    account: Account,
    filter: NetworkFilter,
  ): Promise<readonly (readonly NetworkScan[])[]>
  /** In order of arrival, or API by API: those of no API last, each in order of arrival. */
  listFlows(
    account: Account,
    request: { readonly instanceId: string; readonly order: 'scan' | 'api' },
  ): AsyncIterable<readonly CapturedFlow[]>
}

export type ScanKind = 'project' | 'network'

/** Names a scan of an account. */
export interface ScanName {
  readonly kind: ScanKind
  readonly id: string
}

/** A scan of either kind before anything of it is stored. */
export interface NewScan extends ScanName {
  /**
   * What decisions on endpoints go along in: the folded name of a project, the id of a network
   * scan's repository. At most `MAX_NAME` characters, like the names.
   */
  readonly group: string
  readonly projectName: string
  /** Empty for a project. */
  readonly networkName: string
  /** Milliseconds since the epoch; scans are listed by it. */
  readonly startedAt: number
  readonly endedAt: number | undefined
  readonly status: ScanStatus
  /** JSON text of what no query asks for; opaque to a storage. */
  readonly detail: string
}

/** A scan as it is kept. */
export interface KeptScan extends NewScan, Decision {
  /** Counts up over all accounts, never given twice. */
  readonly number: number
  readonly reviewStatus: ReviewStatus
  readonly isApproved: ScanApproval
  /** Generation of the catalogue by which all rows are matched, or a newer one. */
  readonly generation: number
  /** Milliseconds since the epoch. */
  readonly analyzedAt: number
  /** Milliseconds since the epoch: when something was last added. */
  readonly receivedAt: number
  readonly rows: number
  readonly matched: number
}

/** A scanned endpoint or a captured flow before it is stored. */
export interface NewScanRow {
  /** What decisions name: a URL, or the host where only that is known; at most 4,000 characters. */
  readonly subject: string
  /** Lower case, or empty. */
  readonly method: string
  /** JSON text of everything else; opaque to a storage. */
  readonly detail: string
  readonly match: CatalogueMatch | undefined
  /** Whose it is where no API matches, see `owners.ts`: a digit that orders groups, then up to 400 characters. */
  readonly owner?: string | undefined
  /** Nothing is noted when absent. Not read back with the rows. */
  readonly notes?: RowNotes | undefined
}

/** A row as it is kept, with what was decided on it. */
export interface KeptRow extends Omit<NewScanRow, 'notes' | 'owner'> {
  readonly owner: string
  /** Names the row in its scan, for `saveMatches`. */
  readonly place: number
  /** In the order of the scan, from 0, without gaps. */
  readonly position: number
  readonly approval: Approval
  readonly reason: string
  readonly decision: Decision
}

/** An upload under way: rows that nobody sees before `publish`. */
export interface Upload {
  /** Number of the scan. */
  readonly scan: number
  /** Names the upload within the scan; later ones have greater ones. */
  readonly part: number
}

/** What an upload brought, as it was answered. */
export interface KeptPart {
  readonly scanId: string
  readonly group: string
  /** Names the content: another one has another. */
  readonly digest: string
  readonly rows: number
  readonly matched: number
}

/** How an upload ends. */
export interface UploadEnd {
  /** Each makes a repeat known; at most `MAX_NAME` characters. */
  readonly keys: readonly string[]
  readonly digest: string
  readonly rows: number
  readonly matched: number
  /** Ids of all APIs that rows are matched to. */
  readonly apiIds: readonly number[]
  /** By which the rows were matched. */
  readonly generation: number
  /** What changes of the scan, where it does. */
  readonly status?: ScanStatus | undefined
  /** Null: it goes on. */
  readonly endedAt?: number | null | undefined
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Which scans are meant; what is undefined does not narrow. */
export interface ScanFilter {
  readonly kind: ScanKind
  readonly id?: string | undefined
  readonly group?: string | undefined
  /** Folded. */
  readonly projectName?: string | undefined
  readonly networkName?: string | undefined
  /** Has rows matched to one of these. */
  readonly apiIds?: readonly number[] | undefined
  /** Not all of its rows are matched by this generation of the catalogue. */
  readonly staleAt?: number | undefined
}

/** What people decided on the rows of one subject and method. */
export interface RowDecision extends Decision {
  readonly subject: string
  readonly method: string
  readonly approval: Approval
  readonly reason: string
}

/** The scans' repository: everything in it belongs to an account. */
export interface ScanStore extends ScanUseStore {
  /**
   * Begins an upload of a new scan, which nobody sees before it is published, or of more rows of one;
   * undefined when that one is unknown. Throws a `ServiceError` with code `conflict` when the account
   * has a scan of the new one's id.
   */
  beginUpload(
    account: Account,
    request: { readonly scan: NewScan | ScanName; readonly at: number },
  ): Promise<Upload | undefined>
  /**
   * Adds rows, 4,000,000 an upload at the most, `first` being the number of them that the upload has already. Throws a `ServiceError`
   * with code `conflict` when the upload is no longer there.
   */
  saveRows(
    account: Account,
    rows: { readonly upload: Upload; readonly first: number; readonly at: number } & {
      readonly rows: readonly NewScanRow[]
    },
  ): Promise<void>
  /**
   * Makes an upload visible, in one step. When one of its keys is known, whoever was first, it
   * changes nothing and gives that part. A new scan takes over what was decided on the newest scan
   * of its kind and group, and what follows from it for the whole, see `review`. Throws a `ServiceError` with code `conflict` when the upload is gone.
   */
  publish(
    account: Account,
    request: { readonly upload: Upload; readonly end: UploadEnd },
  ): Promise<{ readonly isNew: boolean; readonly part: KeptPart }>
  /** Removes an upload with its rows, and its scan where that has nothing else; else does nothing. */
  discard(account: Account, upload: Upload): Promise<void>
  /** The published part that has the key. */
  findPart(account: Account, key: string): Promise<KeptPart | undefined>

  find(account: Account, name: ScanName): Promise<KeptScan | undefined>
  /** Newest first (`startedAt`, then number), those after `after`, at most `limit`. */
  list(
    account: Account,
    request: {
      readonly filter: ScanFilter
      readonly after: Pick<KeptScan, 'startedAt' | 'number'> | undefined
      readonly limit: number
    },
  ): Promise<readonly KeptScan[]>
  count(account: Account): Promise<number>
  /** Ids of the APIs that the account's scans of a kind are matched to, distinct. */
  listApiIds(account: Account, kind: ScanKind): Promise<readonly number[]>
  /**
   * The rows of what is published at the call, page by page. Throws a `ServiceError` with code
   * `conflict` when the scan is removed or matched anew meanwhile: no list is half old, half new.
   */
  listRows(
    account: Account,
    request: { readonly scan: number; readonly order: 'scan' | 'api' },
  ): AsyncIterable<readonly KeptRow[]>

  /** A row of the newest network scan that has one matched to the API. */
  findFlow(account: Account, apiId: number): Promise<Pick<KeptRow, 'detail'> | undefined>

  /** Notes that a later generation matches the rows as before; undefined where `scan` is outdated. */
  confirmMatching(
    account: Account,
    request: { readonly scan: KeptScan; readonly generation: number; readonly at: number },
  ): Promise<KeptScan | undefined>
  /**
   * Begins to match a scan by a generation of the catalogue; false when there is nothing to do: it is
   * matched, or being matched, by a newer one, or removed.
   */
  beginMatching(
    account: Account,
    request: { readonly scan: number; readonly generation: number },
  ): Promise<boolean>
  /** False, and nothing changed, when another matching has begun since. */
  saveMatches(
    account: Account,
    request: {
      readonly scan: number
      readonly generation: number
      readonly matches: readonly Pick<KeptRow, 'place' | 'match' | 'owner'>[]
    },
  ): Promise<boolean>
  /** False, and nothing changed, when another matching has begun since. */
  finishMatching(
    account: Account,
    request: { readonly scan: number; readonly generation: number; readonly at: number },
  ): Promise<boolean>

  /**
   * Keeps a review of a scan, in one step; undefined when the scan is unknown. Where it decides on
   * rows, `reviewStatus` and `isApproved` follow from all rows' decisions if they are undefined:
   * `no` once one is refused, `yes` when all are approved, else `not_analyzed`. Of `rows`, each decides on all rows of
   * its subject, and of its method where it has one; the subjects that no row has are given back,
   * and then nothing is changed.
   */
  review(
    account: Account,
    request: { readonly scan: ScanName; readonly review: NewReview },
  ): Promise<
    | {
        readonly scan: KeptScan
        readonly decisions: readonly RowDecision[]
        readonly unknown: readonly string[]
      }
    | undefined
  >
  /** False when the scan is unknown. Nobody sees it from then on; its rows go by and by. */
  remove(account: Account, name: ScanName): Promise<boolean>
  /**
   * Removes at most about `limit` rows of what is removed, of uploads without progress since
   * `staleBefore`, and of scans that nothing was added to since `keptSince`, whose they may be.
   * Returns how many; as many as `limit` when there may be more.
   */
  sweep(request: {
    readonly staleBefore: number
    readonly keptSince: number | undefined
    readonly limit: number
  }): Promise<number>
  /** Visible scans, rows and matched rows, over all accounts. */
  totals(): Promise<readonly (Pick<KeptScan, 'kind' | 'rows' | 'matched'> & { scans: number })[]>
}
