/** The `source` of the example records that the package brings, whose texts are not NVD's. */
export const EXAMPLE_SOURCE = 'example'

/** One CVE record in one shape, whichever feed it came from. */
export interface CveRecord {
  /** `CVE-<year>-<sequence>`. */
  readonly id: string
  /** Who assigned it: NVD's `sourceIdentifier`, or `EXAMPLE_SOURCE`. */
  readonly source: string
  /** NVD's `vulnStatus`, such as `Analyzed`; empty where the feed has none. */
  readonly status: string
  readonly isRejected: boolean
  /** Milliseconds since the epoch. */
  readonly publishedAt: number
  /** Milliseconds since the epoch; of two records of one id the later one holds. */
  readonly modifiedAt: number
  /** English first. */
  readonly descriptions: readonly CveText[]
  /** Newest version first; of one version the Primary before the Secondary, else as in the feed. */
  readonly metrics: readonly CvssMetric[]
  readonly weaknesses: readonly CveWeakness[]
  readonly configurations: readonly CveConfiguration[]
  readonly references: readonly CveReference[]
  /** As `disputed` or `unsupported-when-assigned`. */
  readonly tags: readonly string[]
  /** What NVD itself says of CISA's catalogue; its own entry, when loaded, goes before it. */
  readonly exploited?: Omit<KnownExploited, 'id' | 'isRansomware'> | undefined
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
  /** Upper case, as `HIGH`; empty where the feed tells none. */
  readonly severity: string
  readonly vector: string
}

export interface CveWeakness {
  readonly source: string
  readonly isPrimary: boolean
  /** As `CWE-79`, `NVD-CWE-noinfo`. */
  readonly id: string
}

/** A condition under which the record applies; several of one record are alternatives. */
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

/** Versions between two bounds, of which at least one is there. */
export interface VersionRange {
  readonly from?: VersionBound | undefined
  readonly to?: VersionBound | undefined
}

export interface VersionBound {
  readonly version: string
  readonly isIncluded: boolean
}

/**
 * One product that a record marks vulnerable, with its versions in the record's order: a version
 * as it is (its update, if any, behind a tab), `*` for any, `-` for none, or a range. Names as the
 * CPE writes them, unescaped.
 */
export interface AffectedProduct {
  readonly vendor: string
  readonly product: string
  readonly versions: readonly (string | VersionRange)[]
}

export interface CveReference {
  readonly url: string
  readonly source: string
  /** As `Exploit`, `Patch`, `Vendor Advisory`. */
  readonly tags: readonly string[]
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
  /** Used in ransomware campaigns, as far as known. */
  readonly isRansomware: boolean
}

/** The chance that a vulnerability is exploited within 30 days (FIRST.org), and its rank. */
export interface EpssScore {
  readonly id: string
  /** 0 to 1. */
  readonly score: number
  /** 0 to 1. */
  readonly percentile: number
}
