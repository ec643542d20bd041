/** What to search for: every field narrows. */
export interface CveQuery {
  /** As the caller wrote it: words, `"phrases"`, CVE ids. */
  readonly term: string
  readonly filters?: CveFilters | undefined
  /** Rejected records count too. */
  readonly includesRejected?: boolean | undefined
  /** Which of the matches, newest first; all when absent. */
  readonly page?: { readonly page: number; readonly size: number } | undefined
  /** The hits carry their whole records. */
  readonly isExtended?: boolean | undefined
  /** The results tell how many were published in each year, and how severe they are. */
  readonly countsYears?: boolean | undefined
}

/** A record without the value never passes its comparison. */
export interface CveFilters {
  /** Scores, 0 to 10. */
  readonly cvss2?: Comparisons | undefined
  readonly cvss3?: Comparisons | undefined
  readonly cvss4?: Comparisons | undefined
  /** Score of the newest version of CVSS that the record has. */
  readonly score?: Comparisons | undefined
  /** By that score: one of them; none given, any. */
  readonly severities?: readonly Severity[] | undefined
  /** UTC year of publication. */
  readonly year?: Comparisons | undefined
  /** Of EPSS: 0 to 1. */
  readonly epss?: Comparisons | undefined
  readonly epssPercentile?: Comparisons | undefined
  /** Days, as milliseconds at which they begin in UTC. */
  readonly published?: Comparisons | undefined
  readonly modified?: Comparisons | undefined
  readonly exploitedSince?: Comparisons | undefined
  /** Known to be exploited, used by ransomware: false asks for nothing. */
  readonly isExploited?: boolean | undefined
  readonly isRansomware?: boolean | undefined
  /** As `CWE-79`, case aside. */
  readonly cweId?: string | undefined
  /** Exact names, case aside; of one affected product, when several are given. */
  readonly vendor?: string | undefined
  readonly product?: string | undefined
  /** Versions that cover it, of the products that `vendor` and `product` name. */
  readonly version?: string | undefined
  /** Metrics of one CVSS vector, all of which one scoring must have: `['AV:N', 'PR:N']`. */
  readonly vector?: readonly string[] | undefined
  /** Host of a reference, as `github.com`, case aside. */
  readonly referenceHost?: string | undefined
  /** Tag of a reference, as `Exploit`, case aside. */
  readonly referenceTag?: string | undefined
}

/** One that must hold, or several that all must: a range. */
export type Comparisons = Comparison | readonly Comparison[]

/** `none`: without a score, or with one of 0. By CVSS 2 nothing is critical. */
export type Severity = 'none' | 'low' | 'medium' | 'high' | 'critical'

/** How many records were published in a year (UTC), by severity. */
export interface YearCount extends Readonly<Record<Severity, number>> {
  readonly year: number
}

export interface Comparison {
  readonly operator: '=' | '>' | '<' | '>=' | '<='
  readonly value: number
}
