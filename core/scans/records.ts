/** How far a scan ran. */
export const SCAN_STATUSES = ['running', 'interrupted', 'complete', 'failed'] as const

export type ScanStatus = (typeof SCAN_STATUSES)[number]

/** How far people have looked at a scan. */
export const REVIEW_STATUSES = ['not_started', 'in_progress', 'complete'] as const

export type ReviewStatus = (typeof REVIEW_STATUSES)[number]

/** What people decided on an endpoint in a project. */
export const APPROVALS = ['unreviewed', 'yes', 'no'] as const

export type Approval = (typeof APPROVALS)[number]

/** What people decided on a network scan. */
export const SCAN_APPROVALS = ['not_analyzed', 'yes', 'no'] as const

export type ScanApproval = (typeof SCAN_APPROVALS)[number]

/** Who decided, and when; empty and undefined before anybody did. */
export interface Decision {
  /** Name of the key or account that sent the review, or empty. */
  readonly by: string
  /** Milliseconds since the epoch. */
  readonly at: number | undefined
}

/** A scan of a project's code (Specification 2.8), without what it found. */
export interface ProjectScan extends Decision {
  /** Opaque. */
  readonly id: string
  /** See `KeptScan`. */
  readonly number: number
  readonly name: string
  /** Milliseconds since the epoch: when the scanner ran, else when it was sent. */
  readonly createdAt: number
  readonly reviewStatus: ReviewStatus
  /** What people decided on the whole. */
  readonly isApproved?: ScanApproval | undefined
  /** Milliseconds since the epoch: when it was last matched to the catalogue. */
  readonly analyzedAt: number
  readonly endpoints: number
  readonly matched: number
}

/** Where in a project's code an endpoint is used. */
export interface FoundPlace {
  /** Path below the project's folder, with `/`. */
  readonly file: string
  /** From 1. */
  readonly line?: number | undefined
  readonly column?: number | undefined
}

/** What a scanned URL or flow is in the catalogue. */
export interface CatalogueMatch {
  readonly apiId: number
  /** Numeric id; undefined where only the API is known. */
  readonly endpointId: number | undefined
  /** 0 to 1. */
  readonly confidence: number
}

/** An endpoint that a project uses (Specification 2.8). */
export interface ScannedEndpoint {
  /** In the order of the scan, from 0. */
  readonly position: number
  readonly url: string
  /** Lower case; empty when unknown. */
  readonly method: string
  readonly foundIn: readonly FoundPlace[]
  /** Package URLs of the vendor's libraries, each once. */
  readonly packages: readonly string[]
  /** URLs of other environments, which the code may choose instead of `url`; absent for none. */
  readonly alternatives?: readonly string[] | undefined
  /**
   * Vendor of the host, else as the scanner said; undefined where it is not known, and of a
   * catalogued API.
   */
  readonly vendorName?: string | undefined
  /** 0 to 1, as the scanner said; undefined when it said nothing. */
  readonly confidence: number | undefined
  /** Undefined where the catalogue knows neither endpoint nor API. */
  readonly match: CatalogueMatch | undefined
  readonly approval: Approval
  readonly reason: string
  readonly decision: Decision
}

/** A scan of a network's traffic (Specification 2.6), without what it captured. */
export interface NetworkScan extends Decision {
  /** Opaque. */
  readonly instanceId: string
  /** Opaque: the scans of one network for one project are one repository. */
  readonly repoId: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Undefined while it runs. */
  readonly endedAt: number | undefined
  readonly networkName: string
  readonly projectName: string
  readonly organization: string
  /** As sent: addresses, each with a slash before it, with spaces between. */
  readonly nicIp: string
  readonly nicName: string
  readonly macAddress: string
  readonly status: ScanStatus
  /** `HH:MM:SS`. */
  readonly sendFrequency: string
  readonly reviewStatus: ReviewStatus
  readonly isApproved: ScanApproval
  /** Milliseconds since the epoch: when it was last matched to the catalogue. */
  readonly analyzedAt: number
  readonly flows: number
  readonly matched: number
}

/** One captured conversation (Specification 2.7). */
export interface CapturedFlow {
  /** In the order of arrival, from 0. */
  readonly position: number
  readonly ip: string
  readonly port: number | undefined
  /** Lower case, or empty. */
  readonly host: string
  readonly direction: 'Outgoing' | 'Incoming'
  /** Milliseconds since the epoch. */
  readonly capturedAt: number
  /** Lower case, or empty. */
  readonly method: string
  /** Absolute, or empty. */
  readonly url: string
  /** Vendor of the host; undefined where it is not known, and of a catalogued API. */
  readonly vendorName?: string | undefined
  readonly match: CatalogueMatch | undefined
  /** What people decided on its URL or, where that is not known, its host. */
  readonly approval?: Approval | undefined
  readonly reason?: string | undefined
  readonly decision?: Decision | undefined
}

/** Which projects are meant (Specification 4.15, 4.16); what is undefined does not narrow. */
export interface ProjectFilter {
  readonly projectId?: string | undefined
  /** Whole name, case and spacing folded. */
  readonly name?: string | undefined
  /** Uses an API of this vendor, folded. */
  readonly vendor?: string | undefined
  /** Uses an API of this version. */
  readonly version?: string | undefined
  /** At the most. */
  readonly limit: number
}

/** Which network scans are meant (Specification 4.17). */
export interface NetworkFilter {
  readonly repoId?: string | undefined
  /** Whole names, case and spacing folded. */
  readonly projectName?: string | undefined
  readonly networkName?: string | undefined
  /** Repositories at the most, the one with the newest scan first. */
  readonly repositories: number
  /** Scans of each repository at the most, newest first. */
  readonly instances: number
}

/** What a reviewer sends. */
export interface NewReview {
  readonly by: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly reviewStatus: ReviewStatus | undefined
  readonly isApproved: ScanApproval | undefined
  readonly rows: readonly {
    readonly subject: string
    readonly method: string | undefined
    readonly approval: Approval
    readonly reason: string
  }[]
}
