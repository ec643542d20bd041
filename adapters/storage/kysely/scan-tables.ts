import type { Generated } from 'kysely'

/** The tables of scans, see `core/scans/store.ts`. `scan` in them is the scan's `position`. */
export interface ScanTables {
  readonly scan: ScanTable
  readonly scan_upload: ScanUploadTable
  readonly scan_part: ScanPartTable
  readonly scan_key: ScanKeyTable
  readonly scan_row: ScanRowTable
  readonly scan_api: ScanApiTable
  readonly scan_decision: ScanDecisionTable
  readonly scan_use: ScanUseTable
  readonly scan_figure: ScanFigureTable
  readonly scan_group: ScanGroupTable
}

/** What a scan's `state` says. */
export const SCAN_STATE = {
  /** Its first upload is under way. */
  pending: 0,
  visible: 1,
  /** Its rows are being removed. */
  removed: 2,
} as const

/** Places of a part: `part * PART_PLACES` is the first; a scan has at most 2^31 parts. */
export const PART_PLACES = 4_194_304

/** The `api_id` of rows without one: they come last. */
export const NO_API = Number.MAX_SAFE_INTEGER

export interface ScanTable {
  /** Order of creation; given by the database. */
  position: Generated<number>
  account_id: string
  id: string
  kind: string
  group_key: string
  project_name: string
  folded_project: string
  network_name: string
  folded_network: string
  started_at: number
  ended_at: number | null
  status: string
  state: number
  review_status: string
  is_approved: string
  reviewed_by: string
  reviewed_at: number | null
  /** By which all rows are matched, or a newer one. */
  generation: number
  /** By which the rows are being matched, or were last. */
  matching: number
  analyzed_at: number
  row_count: number
  matched_count: number
  next_part: number
  /** When something was last added. */
  touched_at: number
  /** Last of the first version, so that lists may stop before it. */
  detail: string
  /** The scan of its kind and group that was the newest before it, when it came. */
  former: number | null
}

/** An upload under way; `touched_at` is 0 when its rows are being removed. */
export interface ScanUploadTable {
  account_id: string
  scan: number
  part: number
  touched_at: number
}

/** A published upload. */
export interface ScanPartTable {
  account_id: string
  scan: number
  part: number
  digest: string
  row_count: number
  matched_count: number
}

/** By what a repeated upload is known. */
export interface ScanKeyTable {
  account_id: string
  name: string
  scan: number
  part: number
}

export interface ScanRowTable {
  account_id: string
  scan: number
  /** Part and position in it: see `PART_PLACES`. */
  place: number
  /** `NO_API` when there is none. */
  api_id: number
  endpoint_id: number | null
  confidence: number | null
  method: string
  /** `hash53` of the subject: what its index holds, whatever the subject's length. */
  subject_digest: number
  subject: string
  detail: string
  /** See `NewScanRow`. */
  owner: string
}

/** Which APIs a scan's rows are matched to. */
export interface ScanApiTable {
  account_id: string
  scan: number
  api_id: number
}

export interface ScanDecisionTable {
  account_id: string
  scan: number
  subject_digest: number
  method: string
  subject: string
  approval: string
  reason: string
  decided_by: string
  decided_at: number
}

/** Rows of one subject and method; those of part 0 are seen, the others wait for their upload. */
export interface ScanUseTable {
  account_id: string
  scan: number
  part: number
  subject_digest: number
  method: string
  /** `hash53` of the subject with another seed: two subjects share hardly ever both. */
  other_digest: number
  /** Of the first row. */
  place: number
  /** Of the first row; `NO_API` when there is none. */
  api_id: number
  /** See `scan-uses.ts`. */
  standing: number
  row_count: number
  outgoing: number
  first_at: number
  last_at: number
  address: string
  files: number
  /** Of the first row. */
  owner: string
}

/** How many uses of an API have a standing. */
export interface ScanFigureTable {
  account_id: string
  scan: number
  api_id: number
  standing: number
  uses: number
  row_count: number
}

/** The usages of one API, vendor or registrable domain. */
export interface ScanGroupTable {
  account_id: string
  scan: number
  api_id: number
  owner: string
  /** 0 for an API, else the first digit of `owner`; 9 without one. */
  level: number
  /** The smallest of its usages: what needs a decision first. */
  standing: number
  uses: number
  row_count: number
  /** Usages that the scan before did not have. */
  added: number
  /** Those of them without a decision. */
  added_open: number
  open: number
  refused: number
  approved: number
}
