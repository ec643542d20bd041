import type { Account } from '../shared/account.ts'
import type { KeptRow, KeptScan, ScanKind } from './store.ts'

/** What is asked of a row without reading it: kept beside it, so that long scans are read in pages. */
export interface RowNotes {
  /** Milliseconds since the epoch; 0 where a row has no time. */
  readonly at: number
  /** False for what is no flow. */
  readonly isOutgoing: boolean
  /** Captured address, or empty. */
  readonly address: string
  /** Names the files of code that a row was found in: other files, another number. */
  readonly files: number
}

/** What people have said of a use, those that need an answer first. */
export const USE_STANDINGS = ['unreviewed', 'no', 'yes'] as const

/** All rows of one subject and method of a scan as one. */
export interface ScanUse
  extends Pick<KeptRow, 'subject' | 'method' | 'detail' | 'approval' | 'reason' | 'decision'> {
  /** Place of the first of its rows: names the use in its scan. */
  readonly place: number
  /** Of the first row; undefined where the catalogue has no API of it. */
  readonly apiId: number | undefined
  readonly endpointId: number | undefined
  readonly rows: number
  /** Rows of outgoing traffic; 0 in code. */
  readonly outgoing: number
  /** Milliseconds since the epoch; 0 in code. */
  readonly firstAt: number
  readonly lastAt: number
  /** Of the last row; empty in code. */
  readonly address: string
  /** See `NewScanRow.owner`. */
  readonly owner: string
  /** The scan before it, of the same kind and group, did not have it. */
  readonly isNew: boolean
}

/** How many uses of one API, or of none, stand alike. */
export interface UseFigure {
  /** Undefined: the catalogue has no API of them. */
  readonly apiId: number | undefined
  readonly approval: KeptRow['approval']
  readonly isNew: boolean
  readonly uses: number
  readonly rows: number
}

/** Which uses are meant; what is undefined does not narrow. */
export interface UseFilter {
  readonly approval?: KeptRow['approval'] | undefined
  readonly isNew?: boolean | undefined
  /** `none`: those of no API. */
  readonly apiId?: number | 'none' | undefined
  /** See `NewScanRow.owner`. */
  readonly owner?: string | undefined
}

/** What one scan has and the other has not, or has otherwise; places of uses. */
export interface UseChanges {
  /** In the newer one. */
  readonly added: readonly number[]
  /** In the older one. */
  readonly removed: readonly number[]
  /** In the newer one, with the place in the older one. */
  readonly changed: readonly {
    readonly place: number
    readonly before: number
    readonly what: readonly ('api' | 'approval' | 'files')[]
  }[]
  /** How many pages the two are compared in. */
  readonly pages: number
}

/** An address that a network scan captured. */
export interface SeenAddress {
  readonly address: string
  readonly uses: number
  readonly rows: number
}

/** One upload of a scan: of a project's the only one, of a network's a batch. */
export interface ScanPart {
  /** In the order of their begin, from 0. */
  readonly part: number
  readonly rows: number
  readonly matched: number
}

/** Which groups of scans are meant; what is undefined does not narrow. */
export interface GroupFilter {
  readonly kind?: ScanKind | undefined
  /** Part of the folded name of project or network. */
  readonly name?: string | undefined
  /** The newest scan has rows matched to one of these. */
  readonly apiIds?: readonly number[] | undefined
}

/** Identifies a group of usages in its scan. */
export interface UseGroupKey {
  /** Undefined: no catalogued API matches them. */
  readonly apiId: number | undefined
  /** See `NewScanRow.owner`; empty for those of an API. */
  readonly owner: string
}

/** How many usages of a scan have which review status. */
export interface UseCounts {
  readonly uses: number
  readonly rows: number
  /** The scan before did not have them. */
  readonly isNew: number
  /** Those of them without a decision. */
  readonly newUnreviewed: number
  readonly unreviewed: number
  readonly refused: number
  readonly approved: number
}

/** All usages of one API, else of one vendor or registrable domain. */
export interface UseGroup extends UseGroupKey, UseCounts {}

/** Which groups are listed: those with at least one such usage. `new` implies unreviewed. */
export type GroupView = 'new' | 'unreviewed' | 'refused' | 'approved' | 'all'

/** Usages of a scan by API, vendor or registrable domain, page by page. */
export interface UseGroupStore {
  /**
   * By the first of `USE_STANDINGS` that a usage has, new ones first; then APIs, then the others by
   * the first digit of `owner`; then those with most usages.
   */
  listUseGroups(
    account: Account,
    request: {
      readonly scan: number
      readonly view: GroupView
      readonly offset: number
      readonly limit: number
    },
  ): Promise<readonly UseGroup[]>
  findUseGroup(
    account: Account,
    request: { readonly scan: number; readonly group: UseGroupKey },
  ): Promise<UseGroup | undefined>
  countUseGroups(account: Account, scan: number): Promise<Readonly<Record<GroupView, number>>>
  /** The first `limit` usages of each group, in the order of `listUses`. */
  listGroupUses(
    account: Account,
    request: {
      readonly scan: number
      readonly groups: readonly UseGroupKey[]
      readonly limit: number
    },
  ): Promise<readonly ScanUse[]>
}

/** Scans as people look at them: group by group, use by use, page by page, never a whole scan. */
export interface ScanUseStore extends UseGroupStore {
  /** The newest scan of each kind and group, newest first, with how many groups there are. */
  listGroups(
    account: Account,
    request: {
      readonly filter: GroupFilter
      readonly offset: number
      readonly limit: number
    },
  ): Promise<{ readonly scans: readonly KeptScan[]; readonly total: number }>
  /** Scans of one kind and group, newest first. */
  listNewest(
    account: Account,
    request: Pick<KeptScan, 'kind' | 'group'> & { readonly limit: number },
  ): Promise<readonly KeptScan[]>
  /** Of each of the scans, by its number: in order of standing, then of API, none last. */
  listFigures(
    account: Account,
    scans: readonly number[],
  ): Promise<ReadonlyMap<number, readonly UseFigure[]>>
  /**
   * Uses in the order of `USE_STANDINGS`, in each the new ones first, then API by API (those of no
   * API last), then in order of the scan.
   */
  listUses(
    account: Account,
    request: {
      readonly scan: number
      readonly filter: UseFilter
      readonly offset: number
      readonly limit: number
    },
  ): Promise<readonly ScanUse[]>
  /** The uses at places of a scan, in order of the scan; unknown places are left out. */
  findUses(
    account: Account,
    request: { readonly scan: number; readonly places: readonly number[] },
  ): Promise<readonly ScanUse[]>
  /**
   * Last addresses of a network scan's uses, the ones with most rows first, with how many there
   * are.
   */
  listAddresses(
    account: Account,
    request: { readonly scan: number; readonly limit: number },
  ): Promise<{ readonly addresses: readonly SeenAddress[]; readonly total: number }>
  /** Uploads of a scan, the last first, with how many there are. */
  listParts(
    account: Account,
    request: { readonly scan: number; readonly limit: number },
  ): Promise<{ readonly parts: readonly ScanPart[]; readonly total: number }>
  /**
   * What differs between two scans of an account, at most `limit` of each kind. Of long scans, that
   * of one page of both: each page has about `pageUses` of them, spread over the scan.
   */
  compareUses(
    account: Account,
    request: {
      readonly before: number
      readonly after: number
      readonly limit: number
      /** From 1. */
      readonly page: number
      readonly pageUses: number
    },
  ): Promise<UseChanges>
}
