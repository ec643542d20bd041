import { describePackageMatch, isResolved } from '../../shared/cves.ts'
import { formatReview } from './cve-reviews.ts'
import type { ReportedPackage } from './project-report.ts'
import { type ReportResult, toBaselineState } from './sarif-rules.ts'

/** CVEs that a message names. */
const MAX_NAMED = 3

/** One result for the open CVEs of a package, and a suppressed one for each resolved CVE. */
export function toPackageResults({
  purl,
  isLowest,
  place,
  ...used
}: ReportedPackage): readonly ReportResult[] {
  const open = used.found.filter((cve) => !isResolved(cve))
  const resolved = used.found.filter(isResolved)
  const count = used.count - resolved.length
  const base = { rule: 'vulnerable-package', location: place, related: [], usages: [] } as const
  const evidence = describePackageMatch(isLowest)
  const toProperties = (cves: readonly ReportedPackage['found'][number][]) => ({
    ...{ package: purl, cves: cves.map(({ id }) => id), isLowestVersion: isLowest },
  })
  const named = open.slice(0, MAX_NAMED).map(({ id }) => id)
  const more = count > named.length ? ` and ${count - named.length} more` : ''
  const results: ReportResult[] = resolved.map((cve) => ({
    ...base,
    level: 'note',
    text: `${purl} has ${cve.id} (${evidence}).`,
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
      text: `${purl} has ${named.join(', ')}${more} (${evidence}).`,
      subject: purl,
      // Review files list all CVEs.
      baseline: toBaselineState(open.map(({ review }) => review !== undefined)),
      properties: toProperties(open),
    },
    ...results,
  ]
}
