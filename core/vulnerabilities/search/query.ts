import type { SsvcExploitation } from '../records.ts'

/** A search. Every field narrows the results. */
export interface CveQuery {
  /** As the caller wrote it: words, `"phrases"`, CVE IDs. */
  readonly term: string
  readonly filters?: CveFilters | undefined
  /** Includes rejected records. */
  readonly includesRejected?: boolean | undefined
  /** Page of the matches, newest first; all matches if absent. */
  readonly page?: { readonly page: number; readonly size: number } | undefined
  /** The hits contain their complete records. */
  readonly isExtended?: boolean | undefined
  /** The results contain the number of records per year of publication and severity. */
  readonly countsYears?: boolean | undefined
}

/** A record without the value never passes its comparison. */
export interface CveFilters {
  /** Scores, 0 to 10. */
  readonly cvss2?: Comparisons | undefined
  readonly cvss3?: Comparisons | undefined
  readonly cvss4?: Comparisons | undefined
  /** Score of the newest CVSS version that the record has. */
  readonly score?: Comparisons | undefined
  /** Severities by that score, any of which matches; all if empty. */
  readonly severities?: readonly Severity[] | undefined
  /** UTC year of publication. */
  readonly year?: Comparisons | undefined
  /** EPSS score and percentile, 0 to 1. */
  readonly epss?: Comparisons | undefined
  readonly epssPercentile?: Comparisons | undefined
  /** Days, as milliseconds at their start in UTC. */
  readonly published?: Comparisons | undefined
  readonly modified?: Comparisons | undefined
  readonly exploitedSince?: Comparisons | undefined
  /** Known to be exploited; used in ransomware campaigns. False has no effect. */
  readonly isExploited?: boolean | undefined
  readonly isRansomware?: boolean | undefined
  /** Such as `CWE-79`, case-insensitive. */
  readonly cweId?: string | undefined
  /**
   * Names, case-insensitive; that of a vendor without regard to punctuation and a legal form at its
   * end. If several are set, one affected product must match all.
   */
  readonly vendor?: string | undefined
  readonly product?: string | undefined
  /** A version that a product, selected by `vendor` and `product`, must cover. */
  readonly version?: string | undefined
  /**
   * Package URL (purl) of an affected package; with a version, one that the record must cover:
   * `pkg:npm/lodash@4.17.15`.
   */
  readonly purl?: string | undefined
  /** States of exploitation by SSVC, any of which matches; all if empty. */
  readonly exploitation?: readonly SsvcExploitation[] | undefined
  /** Metrics of a CVSS vector; one vector must have all of them: `['AV:N', 'PR:N']`. */
  readonly vector?: readonly string[] | undefined
  /** Host of a reference, such as `github.com`, case-insensitive. */
  readonly referenceHost?: string | undefined
  /** Tag of a reference, such as `Exploit`, case-insensitive. */
  readonly referenceTag?: string | undefined
}

/** A comparison, or several that must all pass: a range. */
export type Comparisons = Comparison | readonly Comparison[]

/** `none`: no score, or a score of 0. CVSS 2 has no critical severity. */
export type Severity = 'none' | 'low' | 'medium' | 'high' | 'critical'

/** Number of records that were published in a year (UTC), by severity. */
export interface YearCount extends Readonly<Record<Severity, number>> {
  readonly year: number
}

export interface Comparison {
  readonly operator: '=' | '>' | '<' | '>=' | '<='
  readonly value: number
}
