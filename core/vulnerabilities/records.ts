import type { UsedPackage } from '../shared/package-urls.ts'

/** `source` of the example records in the package, whose texts are not NVD's. */
export const EXAMPLE_SOURCE = 'example'

/** Name of the data source that loads the example records. */
export const EXAMPLES_NAME = 'examples'

/** A CVE record in a common shape, regardless of its feed. */
export interface CveRecord {
  /** `CVE-<year>-<sequence>`. */
  readonly id: string
  /** The assigner: NVD's `sourceIdentifier`, or `EXAMPLE_SOURCE`. */
  readonly source: string
  /** NVD's `vulnStatus`, such as `Analyzed`; empty if the feed has none. */
  readonly status: string
  readonly isRejected: boolean
  /** Milliseconds since the epoch. */
  readonly publishedAt: number
  /**
   * Milliseconds since the epoch. If a CVE appears twice, the most recently modified record wins.
   */
  readonly modifiedAt: number
  /** English first. */
  readonly descriptions: readonly CveText[]
  /** Newest version first; within a version primary before secondary, else in feed order. */
  readonly metrics: readonly CvssMetric[]
  readonly weaknesses: readonly CveWeakness[]
  /** NVD's own analysis; empty for most records since April 2026. */
  readonly configurations: readonly CveConfiguration[]
  /** Statements of reporters, in the order of the feed. Absent in legacy feeds. */
  readonly reported?: readonly ReportedProduct[] | undefined
  /** The latest assessment of its urgency, by CISA or the reporter. */
  readonly ssvc?: SsvcAssessment | undefined
  readonly references: readonly CveReference[]
  /** Such as `disputed` or `unsupported-when-assigned`. */
  readonly tags: readonly string[]
  /** NVD's copy of CISA's catalogue entry. CISA's own entry, if loaded, takes precedence. */
  readonly exploited?: Omit<KnownExploited, 'id' | 'isRansomware'> | undefined
  /** The records of which it consists; absent for a record of NVD alone. */
  readonly authorities?: readonly AuthorityState[] | undefined
}

/** A publisher of CVE records: NVD, or the CVE Program (`cve`), whose records NVD analyses. */
export type CveAuthority = (typeof AUTHORITIES)[number]

export const AUTHORITIES = ['nvd', 'cve'] as const

/** State of the record of one authority. */
export interface AuthorityState {
  readonly authority: CveAuthority
  /** NVD's `vulnStatus`, or the state in the CVE Program: `PUBLISHED` or `REJECTED`. */
  readonly status: string
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number
}

export interface CveText {
  /** As in the feed: `en`, `es`. */
  readonly language: string
  readonly text: string
}

export type CvssVersion = '2.0' | '3.0' | '3.1' | '4.0'

/** One scoring of a record. */
export interface CvssMetric {
  readonly version: CvssVersion
  readonly source: string
  readonly isPrimary: boolean
  /** 0 to 10, one decimal. */
  readonly score: number
  /** Upper case, such as `HIGH`; empty if the feed has none. */
  readonly severity: string
  readonly vector: string
}

export interface CveWeakness {
  readonly source: string
  readonly isPrimary: boolean
  /** Such as `CWE-79` or `NVD-CWE-noinfo`. */
  readonly id: string
}

/**
 * A condition under which the record applies. Several configurations of a record are alternatives.
 */
export interface CveConfiguration {
  readonly operator: 'AND' | 'OR'
  readonly isNegated: boolean
  readonly nodes: readonly CveNode[]
}

export interface CveNode {
  readonly operator: 'AND' | 'OR'
  readonly isNegated: boolean
  readonly matches: readonly CpeMatch[]
  /** Only in legacy feeds. */
  readonly children: readonly CveNode[]
}

/** A set of products and versions. */
export interface CpeMatch {
  readonly isVulnerable: boolean
  /** The CPE 2.3 formatted string as in the feed. */
  readonly cpe: string
  readonly range?: VersionRange | undefined
}

/** Versions between two bounds, either of which may be missing. */
export interface VersionRange {
  readonly from?: VersionBound | undefined
  readonly to?: VersionBound | undefined
  /** Such as `semver`, `python` or `git`; undefined if its versions compare loosely. */
  readonly scheme?: string | undefined
  /** Versions within the range that are not affected. */
  readonly except?: readonly VersionRange[] | undefined
}

export interface VersionBound {
  readonly version: string
  readonly isIncluded: boolean
}

/**
 * A product that a record marks as vulnerable, with its versions in the record's order. A version
 * is a string (with its update, if any, after a tab), `*` for any, `-` for none, or a range. Names
 * are spelled as in the CPE, unescaped. Those of reporters are spelled alike; `-` is unknown.
 */
export interface AffectedProduct {
  readonly vendor: string
  readonly product: string
  readonly versions: readonly (string | VersionRange)[]
}

/** A statement of a source about a product, spelled as in the feed (`affected` of CVE JSON 5). */
export interface ReportedProduct {
  /** Such as `security-advisories@github.com`. */
  readonly source: string
  /** Empty if missing. */
  readonly vendor: string
  readonly product: string
  readonly packageName?: string | undefined
  /** Package URL (purl). */
  readonly packageUrl?: string | undefined
  /** URL of the registry that contains the package. */
  readonly collectionUrl?: string | undefined
  readonly repository?: string | undefined
  /** CPE 2.3 or 2.2 names. */
  readonly cpes: readonly string[]
  readonly modules: readonly string[]
  readonly platforms: readonly string[]
  /** Status of the versions that `versions` does not name. */
  readonly defaultStatus: ReportedStatus
  readonly versions: readonly ReportedVersion[]
}

export type ReportedStatus = 'affected' | 'unaffected' | 'unknown'

/** A version, or a range from it to `lessThan` or `lessThanOrEqual`. */
export interface ReportedVersion {
  readonly version: string
  readonly status: ReportedStatus
  /** Such as `semver`, `git` or `custom`. */
  readonly type?: string | undefined
  readonly lessThan?: string | undefined
  readonly lessThanOrEqual?: string | undefined
  /** Changes of the status within the range, in order. */
  readonly changes?: readonly ReportedChange[] | undefined
}

export interface ReportedChange {
  readonly at: string
  readonly status: ReportedStatus
}

/** An assessment by the method SSVC (Stakeholder-Specific Vulnerability Categorization). */
export interface SsvcAssessment {
  readonly source: string
  /** Milliseconds since the epoch; undefined if not stated. */
  readonly assessedAt?: number | undefined
  readonly exploitation: SsvcExploitation
  /** Whether attacks can be automated; undefined if not stated. */
  readonly isAutomatable?: boolean | undefined
  readonly technicalImpact?: 'partial' | 'total' | undefined
}

/** Evidence of exploitation: none, a public proof of concept, or active exploitation. */
export type SsvcExploitation = (typeof EXPLOITATIONS)[number]

/** In ascending order of urgency. */
export const EXPLOITATIONS = ['none', 'poc', 'active'] as const

export interface CveReference {
  readonly url: string
  readonly source: string
  /** Such as `Exploit`, `Patch` or `Vendor Advisory`. */
  readonly tags: readonly string[]
}

/** A CVE of a product, with the facts that reports show. */
export interface KnownVulnerability {
  readonly id: string
  /** English, if available; empty without a description. */
  readonly description: string
  /** Milliseconds since the epoch. */
  readonly publishedAt: number
  readonly modifiedAt: number
  /** The newest CVSS version; undefined if the record has none. */
  readonly metric: CvssMetric | undefined
  /** Such as `CWE-79`. */
  readonly weaknesses: readonly string[]
  /** Known to be exploited (CISA KEV). */
  readonly isExploited: boolean
  /** NVD, or the CVE Program for a record that NVD does not have. */
  readonly authority: CveAuthority
  /** Names as spelled in the record's list of products. */
  readonly vendor: string
  readonly product: string
}

/** A CVE whose reporter names the package and a range that covers its version. */
export interface PackageVulnerability extends KnownVulnerability {
  /**
   * The range, such as `>=3.7.0,<4.17.20`; `-` for all versions, also if the reporter states none.
   * A range with exceptions is `some versions of >=3.7.0,<4.17.20` or `all but some versions`.
   */
  readonly affectedVersions: string
}

/** A used package with its vulnerabilities. */
export interface VulnerablePackage extends UsedPackage {
  /** Exploited ones first, then newest first; at most `limit`. */
  readonly found: readonly PackageVulnerability[]
  /** Number of all. */
  readonly count: number
}

/** An entry of CISA's catalogue of known exploited vulnerabilities. */
export interface KnownExploited {
  readonly id: string
  readonly name: string
  /** `YYYY-MM-DD`. */
  readonly addedOn: string
  /** `YYYY-MM-DD`, or empty. */
  readonly dueOn: string
  readonly action: string
  /** True if use in ransomware campaigns is known. */
  readonly isRansomware: boolean
}

/** Probability that a vulnerability is exploited within 30 days (FIRST.org), and its percentile. */
export interface EpssScore {
  readonly id: string
  /** 0 to 1. */
  readonly score: number
  /** 0 to 1. */
  readonly percentile: number
}
