import type { ReviewedPackage } from '../records.ts'
import { type CveReviewEntry, toReviewDocument } from './cve-reviews.ts'

/** A package whose version has CVEs: reporters name it and a range that covers the version. */
export interface PackageDocument {
  /** Package URL with a version. */
  readonly package: string
  /** True if the version is the lowest that the manifest permits. */
  readonly is_lowest_version: boolean
  /** Number of all; `cves` may have fewer. */
  readonly num_cves: number
  readonly cves: readonly {
    readonly cve_id: string
    readonly score: number | null
    readonly severity: string | null
    readonly known_exploited: boolean
    /** See `PackageVulnerability`. */
    readonly affected: string
    /** Absent without a review. */
    readonly review?: Omit<CveReviewEntry, 'cve_id' | 'package'>
  }[]
}

/** Converts a vulnerable package for scripts. */
export function toPackageDocument({
  purl,
  isLowest,
  count,
  found,
}: ReviewedPackage): PackageDocument {
  return {
    ...{ package: purl, is_lowest_version: isLowest, num_cves: count },
    cves: found.map(({ id, metric, isExploited, affectedVersions, review }) => ({
      cve_id: id,
      score: metric?.score ?? null,
      severity: metric?.severity ?? null,
      known_exploited: isExploited,
      affected: affectedVersions,
      ...(review && { review: toReviewDocument(review) }),
    })),
  }
}
