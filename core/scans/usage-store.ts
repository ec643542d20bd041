import type { Account } from '../shared/account.ts'
import type { ScanKind, StoredRow, StoredScan } from './store.ts'

/**
 * Indexed properties of a row, stored separately from `detail` so that long scans are read in
 * pages.
 */
export interface RowNotes {
  /** Milliseconds since the epoch; 0 for rows without a time. */
  readonly at: number
  /** False for rows that are not flows. */
  readonly isOutgoing: boolean
  /** Captured address, or empty. */
  readonly address: string
  /** Hash of the file names that a row was found in. */
  readonly files: number
}

/** Review statuses of a usage, most urgent first. */
export const USAGE_STATUSES = ['unreviewed', 'no', 'yes'] as const

/** All rows of a scan with the same subject and method. */
export interface ScanUsage
  extends Pick<StoredRow, 'subject' | 'method' | 'detail' | 'approval' | 'reason' | 'decision'> {
  /** Position of its first row; identifies the usage in its scan. */
  readonly place: number
  /** API of the first row; undefined if no catalogued API matches. */
  readonly apiId: number | undefined
  readonly endpointId: number | undefined
  readonly rows: number
  /** Rows of outgoing traffic; 0 in code. */
  readonly outgoing: number
  /** Milliseconds since the epoch; 0 in code. */
  readonly firstAt: number
  readonly lastAt: number
  /** Address of the last row; empty for code. */
  readonly address: string
  /** See `NewScanRow.owner`. */
  readonly owner: string
  /** Whether the previous scan of the same kind and group lacks the usage. */
  readonly isNew: boolean
}

/** Number of usages with the same API, review status and novelty. */
export interface UsageFigure {
  /** Undefined for usages without a catalogued API. */
  readonly apiId: number | undefined
  readonly approval: StoredRow['approval']
  readonly isNew: boolean
  readonly usages: number
  readonly rows: number
}

/** Selects usages. Undefined properties match all. */
export interface UsageFilter {
  readonly approval?: StoredRow['approval'] | undefined
  readonly isNew?: boolean | undefined
  /** `none` selects usages without a catalogued API. */
  readonly apiId?: number | 'none' | undefined
  /** See `NewScanRow.owner`. */
  readonly owner?: string | undefined
}

/** Differences between two scans, as positions of usages. */
export interface UsageChanges {
  /** Usages of the newer scan only. */
  readonly added: readonly number[]
  /** Usages of the older scan only. */
  readonly removed: readonly number[]
  /** Changed usages: position in the newer scan, and in the older one as `before`. */
  readonly changed: readonly {
    readonly place: number
    readonly before: number
    readonly what: readonly ('api' | 'approval' | 'files')[]
  }[]
  /** Number of pages of the comparison. */
  readonly pages: number
}

/** An address that a network scan captured. */
export interface SeenAddress {
  readonly address: string
  readonly usages: number
  readonly rows: number
}

/** One upload of a scan: the only one of a project, or a batch of a network. */
export interface ScanBatch {
  /** Position in order of their start, from 0. */
  readonly part: number
  readonly rows: number
  readonly matched: number
}

/** Selects groups of scans. Undefined properties match all. */
export interface GroupFilter {
  readonly kind?: ScanKind | undefined
  /** Part of the folded name of the project or network. */
  readonly name?: string | undefined
  /** Selects groups whose newest scan has rows of any of these APIs. */
  readonly apiIds?: readonly number[] | undefined
}

/** Identifies a group of usages in its scan. */
export interface UsageGroupKey {
  /** Undefined if no catalogued API matches the usages. */
  readonly apiId: number | undefined
  /** See `NewScanRow.owner`; empty for usages of an API. */
  readonly owner: string
}

/** Counts of a scan's usages by review status. */
export interface UsageCounts {
  readonly usages: number
  readonly rows: number
  /** Usages that the previous scan lacks. */
  readonly isNew: number
  /** New usages without a decision. */
  readonly newUnreviewed: number
  readonly unreviewed: number
  readonly rejected: number
  readonly approved: number
}

/** All usages of one API, vendor or registrable domain. */
export interface UsageGroup extends UsageGroupKey, UsageCounts {}

/** Selects groups with at least one such usage. `new` means new and unreviewed. */
export type GroupView = 'new' | 'unreviewed' | 'rejected' | 'approved' | 'all'

/** Reads usages of a scan in groups by API, vendor or registrable domain, in pages. */
export interface UsageGroupStore {
  /**
   * Orders groups by their most urgent status in `USAGE_STATUSES`, new usages first. Then APIs come
   * before other groups, which are ordered by the first digit of `owner`. The number of usages
   * comes last, in descending order.
   */
  listUsageGroups(
    account: Account,
    request: {
      readonly scan: number
      readonly view: GroupView
      readonly offset: number
      readonly limit: number
    },
  ): Promise<readonly UsageGroup[]>
  findUsageGroup(
    account: Account,
    request: { readonly scan: number; readonly group: UsageGroupKey },
  ): Promise<UsageGroup | undefined>
  countUsageGroups(account: Account, scan: number): Promise<Readonly<Record<GroupView, number>>>
  /** Lists the first `limit` usages of each group, in the order of `listUsages`. */
  listGroupUsages(
    account: Account,
    request: {
      readonly scan: number
      readonly groups: readonly UsageGroupKey[]
      readonly limit: number
    },
  ): Promise<readonly ScanUsage[]>
}

/** Reads scans for display: by group, by usage and in pages, never as a whole. */
export interface ScanUsageStore extends UsageGroupStore {
  /**
   * Lists the newest scan of each kind and group, newest first, with the total number of groups.
   */
  listGroups(
    account: Account,
    request: {
      readonly filter: GroupFilter
      readonly offset: number
      readonly limit: number
    },
  ): Promise<{ readonly scans: readonly StoredScan[]; readonly total: number }>
  /** Lists scans of one kind and group, newest first. */
  listNewest(
    account: Account,
    request: Pick<StoredScan, 'kind' | 'group'> & { readonly limit: number },
  ): Promise<readonly StoredScan[]>
  /**
   * Figures of each scan, by scan number. Ordered by review status, then by API, without an API
   * last.
   */
  listFigures(
    account: Account,
    scans: readonly number[],
  ): Promise<ReadonlyMap<number, readonly UsageFigure[]>>
  /**
   * Lists usages in the order of `USAGE_STATUSES`. Within a status: new ones first, then by API
   * (without an API last), then in scan order.
   */
  listUsages(
    account: Account,
    request: {
      readonly scan: number
      readonly filter: UsageFilter
      readonly offset: number
      readonly limit: number
    },
  ): Promise<readonly ScanUsage[]>
  /** Finds usages by position, in scan order; unknown positions are omitted. */
  findUsages(
    account: Account,
    request: { readonly scan: number; readonly places: readonly number[] },
  ): Promise<readonly ScanUsage[]>
  /**
   * Lists the last address of each usage of a network scan, those with most rows first, with the
   * total number of addresses.
   */
  listAddresses(
    account: Account,
    request: { readonly scan: number; readonly limit: number },
  ): Promise<{ readonly addresses: readonly SeenAddress[]; readonly total: number }>
  /** Lists uploads of a scan, newest first, with their total number. */
  listBatches(
    account: Account,
    request: { readonly scan: number; readonly limit: number },
  ): Promise<{ readonly parts: readonly ScanBatch[]; readonly total: number }>
  /**
   * Compares two scans of an account; each list has at most `limit` entries. Long scans are
   * compared in pages of about `pageUses` usages, spread over the scan.
   */
  compareUsages(
    account: Account,
    request: {
      readonly before: number
      readonly after: number
      readonly limit: number
      /** From 1. */
      readonly page: number
      readonly pageUses: number
    },
  ): Promise<UsageChanges>
}
