import { describePackageMatch, isResolved } from '../../shared/cves.ts'
import { formatReview } from './cve-reviews.ts'
import type { ReportedPackage } from './project-report.ts'
import { type ReportResult, toBaselineState } from './sarif-rules.ts'

/** CVEs that a message names. */
const MAX_NAMED = 3
/** Related locations of one result. */
const MAX_RELATED = 20

/** One result for the open CVEs of a package, and a suppressed one for each resolved CVE. */
export function toPackageResults({
  purl,
  isLowest,
  places: [location, ...others],
  ...used
}: ReportedPackage): readonly ReportResult[] {
  const open = used.found.filter((cve) => !isResolved(cve))
  const resolved = used.found.filter(isResolved)
  const count = used.count - resolved.length
  const related = others.slice(0, MAX_RELATED)
  const base = { rule: 'vulnerable-package', location, related, usages: [] } as const
  const evidence = describePackageMatch(isLowest)
  const toProperties = (cves: readonly ReportedPackage['found'][number][]) => ({
    ...{ package: purl, cves: cves.map(({ id }) => id), isLowestVersion: isLowest },
  })
  const named = open.slice(0, MAX_NAMED).map(describeCve)
  const more = count > named.length ? ` and ${count - named.length} more` : ''
  const results: ReportResult[] = resolved.map((cve) => ({
    ...base,
    level: 'note',
    text: `${purl} has ${describeCve(cve)}, ${evidence}.`,
    subject: `${purl} ${cve.id}`,
    accepted: formatReview(cve.review),
    baseline: 'unchanged',
    properties: toProperties([cve]),
  }))
  if (open.length === 0) return results
  return [
    {
      ...base,
      level: open.some((cve) => cve.isExploited) ? 'error' : 'warning',
      text: `${purl} has ${named.join(', ')}${more}, ${evidence}.`,
      subject: purl,
      // Review files list all CVEs.
      baseline: toBaselineState(open.map(({ review }) => review !== undefined)),
      properties: toProperties(open),
    },
    ...results,
  ]
}

/** Describes a CVE: `CVE-2025-10001 (CVSS 7.5 high, known exploited, affects >=8.0.0,<8.1.1)`. */
function describeCve({
  id,
  metric,
  isExploited,
  affectedVersions,
}: ReportedPackage['found'][number]): string {
  const facts = [
    ...(metric ? [`CVSS ${metric.score.toFixed(1)} ${metric.severity.toLowerCase()}`.trim()] : []),
    ...(isExploited ? ['known exploited'] : []),
    `affects ${affectedVersions === '-' ? 'all versions' : affectedVersions}`,
  ]
  return `${id} (${facts.join(', ')})`
}
