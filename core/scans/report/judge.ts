import type { UsageRole } from '../../code-scanner/model/finding.ts'
import { toEndpointUrl } from '../../matching/endpoint-url.ts'
import { describePackageMatch, isResolved } from '../../shared/cves.ts'
import type { ProjectReport, ReportedApi, ReportedPackage } from './project-report.ts'
import type { StoredUsage } from './stored-uses.ts'
import type { ReportedUsage, UsageLocation } from './uses.ts'

/** What a scan can be told to fail on. */
export const SCAN_CHECKS = ['unapproved', 'no-terms', 'kev', 'new'] as const

/**
 * `unapproved`: a usage without approval. `no-terms`: a catalogued API without a known licence or
 * agreement. `kev`: an API whose vendor and product, or a package whose version, has known
 * exploited CVEs that no review resolves. `new`: a usage that the baseline does not contain.
 */
export type ScanCheck = (typeof SCAN_CHECKS)[number]

/** One thing that a check found. */
export interface ScanFailure {
  readonly check: ScanCheck
  /** `GET https://api.example.com/v1`, or the name of an API with its vendor. */
  readonly subject: string
  readonly reason: string
  /** The first place of it; undefined where the report has none. */
  readonly place: UsageLocation | undefined
}

/**
 * Runs the checks, in their order; each failure once. `new` finds everything without a baseline.
 * Only usages in `roles` count, and those that a review rejected.
 *
 * @example
 * ```ts
 * import { checkReport, type ScanCheck } from 'api-discovery/scans'
 *
 * const checks = new Set<ScanCheck>(['unapproved', 'no-terms'])
 * for (const { subject, reason } of checkReport(report, { checks })) {
 *   console.error(`${subject}: ${reason}`)
 * }
 * ```
 */
export function checkReport(
  report: ProjectReport,
  wanted: {
    readonly checks: ReadonlySet<ScanCheck>
    readonly baseline?: readonly StoredUsage[] | undefined
    /** Default: all. */
    readonly roles?: ReadonlySet<UsageRole> | undefined
  },
): readonly ScanFailure[] {
  const { checks, baseline = [], roles } = wanted
  const isKnown = createBaseline(baseline)
  const isChecked = ({ role, approval }: ReportedUsage) =>
    !roles || roles.has(role) || approval === 'no'
  const apis = report.apis.filter((api) => api.uses.some(isChecked))
  const uses = [...report.apis, ...report.hosts].flatMap((group) => group.uses.filter(isChecked))
  const found: Record<ScanCheck, () => readonly ScanFailure[]> = {
    unapproved: () =>
      uses
        .filter(({ approval }) => approval !== 'yes')
        .map((use) => toFailure(use, { check: 'unapproved', reason: toApprovalReason(use) })),
    'no-terms': () =>
      apis
        .filter(({ terms }) => terms.length === 0)
        .map((api) => ofApi(api, { check: 'no-terms', reason: 'no terms are known' })),
    kev: () => [
      ...apis.flatMap((api) =>
        api.exploited?.length
          ? [ofApi(api, { check: 'kev', reason: toExploitedReason(api.exploited) })]
          : [],
      ),
      ...report.vulnerablePackages.flatMap(toExploitedPackage),
    ],
    new: () =>
      uses
        .filter((use) => !isKnown(use))
        .map((use) => toFailure(use, { check: 'new', reason: 'not in the baseline' })),
  }
  return SCAN_CHECKS.flatMap((check) => (checks.has(check) ? found[check]() : []))
}

/** Creates the check whether a baseline has a use, in whichever file. */
export function createBaseline(
  baseline: readonly StoredUsage[],
): (use: Pick<ReportedUsage, 'url' | 'method' | 'written'>) => boolean {
  const known = new Set(baseline.map(({ url, method }) => toKey(toEndpointUrl(url), method)))
  return ({ url, method, written }) => {
    const isKnown = (one: string) =>
      known.has(toKey(one, method ?? '')) || known.has(toKey(one, undefined))
    return isKnown(url) || written.every((one) => isKnown(toEndpointUrl(one)))
  }
}

/** Says which known exploited CVEs go by an API's names, and that it is no proof. */
export function toExploitedReason(ids: readonly string[]): string {
  const [first, ...rest] = ids
  const more = rest.length > 0 ? ` and ${rest.length} more` : ''
  return `its vendor and product have ${first}${more}, known to be exploited (matched by name, unconfirmed)`
}

/**
 * A use as people write it.
 *
 * @example
 * ```ts
 * import { getUsageName } from 'api-discovery/scans'
 *
 * const url = 'https://api.example.com/v1/items'
 * getUsageName({ method: 'get', url }) // 'GET https://api.example.com/v1/items'
 * ```
 */
export function getUsageName({ method, url }: Pick<ReportedUsage, 'method' | 'url'>): string {
  return method === undefined || method === '' ? url : `${method.toUpperCase()} ${url}`
}

function toExploitedPackage({
  purl,
  found,
  isLowest,
  places,
}: ReportedPackage): readonly ScanFailure[] {
  const [first, ...rest] = found.filter((cve) => cve.isExploited && !isResolved(cve))
  if (!first) return []
  const more = rest.length > 0 ? ` and ${rest.length} more` : ''
  const reason = `it has ${first.id}${more}, known to be exploited (${describePackageMatch(isLowest)})`
  return [{ check: 'kev', subject: purl, reason, place: places[0] }]
}

function toFailure(
  use: ReportedUsage,
  { check, reason }: Pick<ScanFailure, 'check' | 'reason'>,
): ScanFailure {
  return { check, subject: getUsageName(use), reason, place: use.places[0] }
}

function ofApi(
  api: ReportedApi,
  { check, reason }: Pick<ScanFailure, 'check' | 'reason'>,
): ScanFailure {
  const subject = `${api.name} (${api.vendorName})`
  return { check, subject, reason, place: api.uses[0]?.places[0] }
}

function toApprovalReason({ approval, reason }: ReportedUsage): string {
  if (approval !== 'no') return 'it has not been reviewed'
  return reason === '' ? 'it was rejected' : `it was rejected: ${reason}`
}

function toKey(url: string, method: string | undefined): string {
  return `${method ?? '*'} ${url}`
}
