import type { ReportedPackage } from '../../core/scans/index.ts'
import { printFittedTable } from './fitted-table.ts'
import { formatCount, type Io } from './io.ts'

/** Maximum number of printed CVEs. */
const MAX_PRINTED_CVES = 20

/** Prints the packages whose versions have CVEs: a row per CVE, exploited ones first. */
export function printVulnerablePackages(io: Io, packages: readonly ReportedPackage[]): void {
  if (packages.length === 0) return
  const hasReviews = packages.some(({ found }) => found.some(({ review }) => review))
  const rows = packages.flatMap(({ purl, isLowest, found }) =>
    found.map(({ id, metric, isExploited, affectedVersions, review }) => [
      isLowest ? `${purl} *` : purl,
      id,
      metric ? `${metric.score.toFixed(1)} ${metric.severity.toLowerCase()}`.trim() : '-',
      affectedVersions,
      isExploited ? 'yes' : '-',
      ...(hasReviews ? [review ? review.status.replaceAll('_', ' ') : 'not reviewed'] : []),
    ]),
  )
  const shown = rows.slice(0, MAX_PRINTED_CVES)
  io.result('')
  printFittedTable(io, {
    headings: [
      ...['VULNERABLE PACKAGE', 'CVE', 'CVSS', 'AFFECTED', 'KEV'],
      ...(hasReviews ? ['REVIEW'] : []),
    ],
    rows: shown,
    dropped: [3],
    // The end of a package URL is its name and version.
    cutAtStart: [0],
  })
  const total = packages.reduce((sum, { count }) => sum + count, 0)
  if (total > shown.length) {
    io.note(`… and ${formatCount(total - shown.length, 'more CVE')}: see --json.`)
  }
  io.note(
    'These CVEs are confirmed: a reporter names the package, and no range excludes its version.',
  )
  if (packages.some(({ isLowest }) => isLowest)) {
    io.note('* The lowest version that the manifest permits; the installed one may be newer.')
  }
}

/** How many packages were checked for CVEs. */
export interface PackageCheck {
  /** Number of packages that are used in a known version. */
  readonly used: number
  /** Number of packages whose versions have CVEs. */
  readonly vulnerable: number
  /** Number of records that the packages were checked against; 0 if none are loaded. */
  readonly cveRecords: number
}

/** Prints how many packages were checked, or how to load CVEs. */
export function printPackageCheck(io: Io, { used, vulnerable, cveRecords }: PackageCheck): void {
  if (used === 0) return
  const packages = formatCount(used, 'package')
  if (cveRecords === 0) {
    io.note(`${packages} not checked for CVEs: load CVE records with "api-discovery sync all".`)
    return
  }
  const result =
    vulnerable === 0 ? 'no known CVEs' : `${vulnerable} ${vulnerable === 1 ? 'has' : 'have'} CVEs`
  io.note(`${packages} checked against ${formatCount(cveRecords, 'CVE record')}: ${result}.`)
}
