import * as v from 'valibot'
import type { UsedPackage } from '../shared/package-urls.ts'
import type { PackageVulnerability } from '../vulnerabilities/records.ts'
import type { EndpointFields } from './endpoint-fields.ts'

/** Progress of a scan. */
export const SCAN_STATUSES = ['running', 'interrupted', 'complete', 'failed'] as const

export type ScanStatus = (typeof SCAN_STATUSES)[number]

/** Progress of a scan's review. */
export const REVIEW_STATUSES = ['not_started', 'in_progress', 'complete'] as const

export type ReviewStatus = (typeof REVIEW_STATUSES)[number]

/** Review decision on an endpoint of a project. */
export const APPROVALS = ['unreviewed', 'yes', 'no'] as const

export type Approval = (typeof APPROVALS)[number]

/** Review decision on a whole scan. */
export const SCAN_APPROVALS = ['not_analyzed', 'yes', 'no'] as const

export type ScanApproval = (typeof SCAN_APPROVALS)[number]

/** Author and time of a decision; empty and undefined before the first one. */
export interface Decision {
  /** Name of the user, key or account that sent the review, or empty. */
  readonly by: string
  /** Milliseconds since the epoch. */
  readonly at: number | undefined
}

/** A scan of a project's code (Specification 2.8), without its endpoints. */
export interface ProjectScan extends Decision {
  /** Opaque. */
  readonly id: string
  /** See `StoredScan`. */
  readonly number: number
  readonly name: string
  /** Milliseconds since the epoch: time of the scan, else of its submission. */
  readonly createdAt: number
  readonly reviewStatus: ReviewStatus
  /** Decision on the whole scan. */
  readonly isApproved?: ScanApproval | undefined
  /** Milliseconds since the epoch: time of the last match to the catalogue. */
  readonly analyzedAt: number
  readonly endpoints: number
  readonly matched: number
}

/** Location of a usage in a project's code. */
export interface CodeLocation {
  /** Path relative to the project folder, with `/`. */
  readonly file: string
  /** From 1. */
  readonly line?: number | undefined
  readonly column?: number | undefined
}

/** Catalogue match of a scanned URL or flow. */
export interface CatalogueMatch {
  readonly apiId: number
  /** Numeric ID; undefined if only the API is known. */
  readonly endpointId: number | undefined
  /** 0 to 1. */
  readonly confidence: number
}

/** An endpoint that a project uses (Specification 2.8). */
export interface ScannedEndpoint extends EndpointFields {
  /** Position in the scan, from 0. */
  readonly position: number
  readonly url: string
  /** Lower case; empty when unknown. */
  readonly method: string
  readonly foundIn: readonly CodeLocation[]
  /** Package URLs of the vendor's libraries, each once. */
  readonly packages: readonly string[]
  /** Vendor of the host, else the scanner's. Undefined if unknown, and for catalogued APIs. */
  readonly vendorName?: string | undefined
  /** Undefined if neither the endpoint nor the API is catalogued. */
  readonly match: CatalogueMatch | undefined
  readonly approval: Approval
  readonly reason: string
  readonly decision: Decision
}

/** A scan of a network's traffic (Specification 2.6), without its flows. */
export interface NetworkScan extends Decision {
  /** Opaque. */
  readonly instanceId: string
  /** Opaque. The scans of one network for one project form a repository. */
  readonly repoId: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Undefined while the scan runs. */
  readonly endedAt: number | undefined
  readonly networkName: string
  readonly projectName: string
  readonly organization: string
  /** As sent: addresses separated by spaces, each with a leading slash. */
  readonly nicIp: string
  readonly nicName: string
  readonly macAddress: string
  readonly status: ScanStatus
  /** `HH:MM:SS`. */
  readonly sendFrequency: string
  readonly reviewStatus: ReviewStatus
  readonly isApproved: ScanApproval
  /** Milliseconds since the epoch: time of the last match to the catalogue. */
  readonly analyzedAt: number
  readonly flows: number
  readonly matched: number
}

/** One captured conversation (Specification 2.7). */
export interface CapturedFlow {
  /** Position in order of arrival, from 0. */
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
  /** Vendor of the host; undefined if unknown, and for catalogued APIs. */
  readonly vendorName?: string | undefined
  readonly match: CatalogueMatch | undefined
  /** Decision on its URL, else on its host. */
  readonly approval?: Approval | undefined
  readonly reason?: string | undefined
  readonly decision?: Decision | undefined
}

/** Selects projects (Specification 4.15, 4.16). Undefined properties match all. */
export interface ProjectFilter {
  readonly projectId?: string | undefined
  /** Whole name, case and spacing folded. */
  readonly name?: string | undefined
  /** Vendor of an API that the project uses, folded. */
  readonly vendor?: string | undefined
  /** Version of an API that the project uses. */
  readonly version?: string | undefined
  /** Maximum number of projects. */
  readonly limit: number
}

/** Selects network scans (Specification 4.17). Undefined properties match all. */
export interface NetworkFilter {
  readonly repoId?: string | undefined
  /** Whole names, case and spacing folded. */
  readonly projectName?: string | undefined
  readonly networkName?: string | undefined
  /** Maximum number of repositories; the one with the newest scan comes first. */
  readonly repositories: number
  /** Maximum number of scans per repository, newest first. */
  readonly instances: number
}

/** A review as sent. */
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

/** Status of a CVE in a package, as defined by OpenVEX. */
export const CVE_STATUSES = ['not_affected', 'affected', 'fixed', 'under_investigation'] as const

export type CveStatus = (typeof CVE_STATUSES)[number]

/** Reasons for `not_affected`, as defined by OpenVEX. */
export const CVE_JUSTIFICATIONS = [
  'component_not_present',
  'vulnerable_code_not_present',
  'vulnerable_code_not_in_execute_path',
  'vulnerable_code_cannot_be_controlled_by_adversary',
  'inline_mitigations_already_exist',
] as const

export type CveJustification = (typeof CVE_JUSTIFICATIONS)[number]

/** Responses to `affected`, as defined by CycloneDX. */
export const CVE_RESPONSES = [
  'can_not_fix',
  'will_not_fix',
  'update',
  'rollback',
  'workaround_available',
] as const

export type CveResponse = (typeof CVE_RESPONSES)[number]

/** Review of a CVE in a package that a project uses. */
export interface CveReview extends Decision {
  readonly cveId: string
  /** Package URL; one without a version stands for all versions. */
  readonly purl: string
  readonly status: CveStatus
  /** Only for `not_affected`. */
  readonly justification?: CveJustification | undefined
  /** Only for `affected`. */
  readonly response?: CveResponse | undefined
  /** Empty for none. */
  readonly note: string
}

/** A used package with the CVEs of its version and their reviews. */
export interface ReviewedPackage extends UsedPackage {
  /** Exploited ones first, then newest first. */
  readonly found: readonly ReviewedVulnerability[]
  /** Number of all CVEs, including those not listed. */
  readonly count: number
}

/** Packages of a stored scan. */
export interface ScannedPackages {
  /** Number of packages with a version. */
  readonly checked: number
  /** Those whose versions have CVEs, with at most 100 locations each. */
  readonly vulnerable: readonly (ReviewedPackage & {
    readonly places: readonly CodeLocation[]
  })[]
}

/** Response of `GET /scanned/packages`. */
export const scannedPackagesSchema = v.object({
  project_id: v.string(),
  num_packages: v.number(),
  packages: v.array(
    v.object({
      package: v.string(),
      is_lowest_version: v.boolean(),
      num_cves: v.number(),
      cves: v.array(
        v.object({
          cve_id: v.string(),
          score: v.nullable(v.number()),
          severity: v.nullable(v.string()),
          known_exploited: v.boolean(),
          affected: v.string(),
        }),
      ),
      found_in: v.array(
        v.object({
          file: v.string(),
          line: v.optional(v.number()),
          column: v.optional(v.number()),
        }),
      ),
    }),
  ),
})

/** A CVE of a package with its review, if any. */
export interface ReviewedVulnerability extends PackageVulnerability {
  readonly review?: CveReview | undefined
}
