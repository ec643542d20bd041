import { describePackageMatch, isResolved } from '../../shared/cves.ts'
import type { SarifBaselineState, SarifResult, SarifRule } from '../../shared/sarif.ts'
import { formatReview } from './cve-reviews.ts'
import type { ReportedPackage } from './project-report.ts'
import type { ReportedUsage } from './uses.ts'

/** What results can be about. */
export const SARIF_RULES = [
  {
    id: 'unapproved-api',
    name: 'UnapprovedApi',
    level: 'warning',
    title: 'Use of a third-party API that is not approved',
    text: 'The code calls a catalogued third-party API, and the endpoint was rejected or has no approval.',
    help: 'Review the endpoint: in the service (PUT /scanned/review) or in the baseline file of the scan. Or stop using it.',
    tags: ['third-party-api', 'inventory'],
  },
  {
    id: 'api-without-terms',
    name: 'ApiWithoutTerms',
    level: 'warning',
    title: 'Third-party API without known terms',
    text: 'The catalogue has neither a licence nor an agreement of the API or its vendor, so that nobody can tell on what terms it is used.',
    help: 'Find out on what terms the API may be used, and enter them with its description.',
    tags: ['third-party-api', 'license'],
  },
  {
    id: 'unmatched-host',
    name: 'UnmatchedHost',
    level: 'note',
    title: 'Use of a host that no catalogued API has',
    text: 'The code calls a host of which the catalogue has no API.',
    help: 'Import the description of its API, or review the endpoint as it is.',
    tags: ['third-party-api', 'inventory'],
  },
  {
    id: 'known-exploited-vulnerability',
    name: 'KnownExploitedVulnerability',
    level: 'error',
    title: "Vendor's product has vulnerabilities that are known to be exploited",
    text: 'The vulnerability database has records of the vendor and product, by their names, that are known to be exploited. Which version the vendor runs is not known: they are unconfirmed.',
    help: 'Ask the vendor whether the service is affected.',
    tags: ['third-party-api', 'security'],
  },
  {
    id: 'vulnerable-package',
    name: 'VulnerablePackage',
    level: 'warning',
    title: 'Client library with known vulnerabilities',
    text: 'The vulnerability database has records of the package whose ranges cover its version.',
    help: 'Update the package to a version that is not affected.',
    tags: ['third-party-api', 'security'],
  },
  {
    id: 'own-client',
    name: 'OwnClient',
    level: 'note',
    title: 'Project that implements the client of a third-party API',
    text: "The project's own package is a client library of the vendor.",
    help: 'Nothing has to be done: the package is no dependency, and imports of it are no usages.',
    tags: ['third-party-api', 'inventory'],
  },
] as const satisfies readonly SarifRule[]

export type SarifRuleId = (typeof SARIF_RULES)[number]['id']

/** A result of a report. */
export interface ReportResult extends SarifResult {
  readonly rule: SarifRuleId
  /** All usages that it is about. */
  readonly usages: readonly ReportedUsage[]
}

/** Compares a result with a baseline that has some of its subjects. `updated`: not all of them. */
export function toBaselineState(areKnown: readonly boolean[]): SarifBaselineState {
  if (areKnown.every(Boolean)) return 'unchanged'
  return areKnown.some(Boolean) ? 'updated' : 'new'
}

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
