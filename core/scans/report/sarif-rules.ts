import type { SarifBaselineState, SarifResult, SarifRule } from '../../shared/sarif.ts'
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
