import { describePackageMatch, isResolved } from '../../shared/cves.ts'
import { parseDay } from '../../shared/dates.ts'
import { parsePackageUrl } from '../../shared/package-urls.ts'
import { foldName } from '../../shared/text.ts'
import { foldVendorName, listVendorNames } from '../../vendors/known-vendors.ts'
import {
  evaluateApiCondition,
  findVendorFault,
  MAX_CVES,
  type PolicyFault,
  toCveEvidence,
} from './api-conditions.ts'
import type {
  EvaluatedApi,
  EvaluatedHost,
  EvaluatedPackage,
  EvaluatedUsage,
  IneffectiveException,
  Policy,
  PolicyCondition,
  PolicyEvaluation,
  PolicyException,
  PolicySeverity,
  PolicySubject,
  PolicyViolation,
} from './policy.ts'

/**
 * Evaluates a policy for a subject. Pure: the verdict depends only on facts, policy and time. The
 * policy passes if no violation has the severity `fail`. `POLICY_CONDITIONS` describes how each condition
 * treats unknown facts.
 *
 * @example
 * ```ts
 * import { evaluatePolicy, parsePolicy } from 'api-discovery/assessments'
 *
 * const policy = parsePolicy('deny: [kev, no-terms]')
 * const api = await app.catalogue.getApi('aB3dE5f')
 * const assessed = { ...(await app.assessments.assess(api, account)), uses: [] }
 * const verdict = evaluatePolicy(policy, { apis: [assessed], hosts: [], now: Date.now() })
 * const hasPassed = verdict.violations.every(({ severity }) => severity !== 'fail')
 * ```
 */
export function evaluatePolicy(policy: Policy, subject: PolicySubject): PolicyEvaluation {
  const conditions = [
    ...policy.deny.map((condition) => ({ condition, severity: 'fail' as const })),
    ...policy.warn.map((condition) => ({ condition, severity: 'warn' as const })),
  ]
  const found = conditions.flatMap((asked) => [
    ...subject.apis.flatMap((api) => findApiViolations(api, { ...asked, policy })),
    ...subject.hosts.flatMap((host) => findHostViolations(host, { ...asked, policy })),
    ...(subject.packages ?? []).flatMap((used) =>
      findPackageViolations(used, { ...asked, policy }),
    ),
  ])
  const { exceptions } = policy
  const { violations, idle } = applyExceptions(found, { exceptions, now: subject.now })
  const order: readonly PolicySeverity[] = ['fail', 'warn', 'excepted']
  return {
    violations: violations.toSorted(
      (a, b) => order.indexOf(a.severity) - order.indexOf(b.severity),
    ),
    idle,
  }
}

/** A condition to be evaluated. */
interface SeverityInput {
  readonly condition: PolicyCondition
  readonly severity: PolicySeverity
  readonly policy: Policy
}

type ViolationSubject = Pick<PolicyViolation, 'api' | 'vendor'>

function findApiViolations(judged: EvaluatedApi, asked: SeverityInput): readonly PolicyViolation[] {
  const { id, encryptedId, name, version, vendor } = judged.facts.api
  const where = { api: { id, encryptedId, name, version }, vendor: vendor.name }
  const places = judged.uses.flatMap((use) => use.places)
  return [
    ...evaluateApiCondition({ api: judged, condition: asked.condition, policy: asked.policy }).map(
      (fault) =>
        toViolation(fault, { ...asked, ...where, host: undefined, use: undefined, places }),
    ),
    ...findUsageViolations(judged.uses, { ...asked, ...where }),
  ]
}

function findHostViolations(
  judged: EvaluatedHost,
  asked: SeverityInput,
): readonly PolicyViolation[] {
  const { host, vendorName, uses } = judged
  const where = { api: undefined, vendor: vendorName ?? '' }
  const fault = evaluateHostCondition(judged, asked)
  const places = uses.flatMap((use) => use.places)
  return [
    ...(fault ? [toViolation(fault, { ...asked, ...where, host, use: undefined, places })] : []),
    ...findUsageViolations(uses, { ...asked, ...where }),
  ]
}

function findPackageViolations(
  judged: EvaluatedPackage,
  asked: SeverityInput,
): readonly PolicyViolation[] {
  const fault = evaluatePackageCondition(judged, asked.condition)
  if (!fault) return []
  const about = { ...asked, api: undefined, vendor: '', host: undefined, use: undefined }
  return [{ ...toViolation(fault, { ...about, places: judged.places }), package: judged.purl }]
}

function findUsageViolations(
  uses: readonly EvaluatedUsage[],
  asked: SeverityInput & ViolationSubject,
): readonly PolicyViolation[] {
  return uses.flatMap((use) => {
    const fault = evaluateUsageCondition(use, asked.condition)
    const { host, places } = use
    return fault ? [toViolation(fault, { ...asked, host, use: formatUsage(use), places })] : []
  })
}

function toViolation(
  { statement, evidence }: PolicyFault,
  about: SeverityInput & ViolationSubject & Pick<PolicyViolation, 'host' | 'use' | 'places'>,
): PolicyViolation {
  const { condition, severity, api, vendor, host, use, places } = about
  return {
    condition: condition.text,
    severity,
    api,
    vendor,
    host,
    use,
    statement,
    evidence,
    places,
    exception: undefined,
  }
}

function formatUsage({ method, url }: EvaluatedUsage): string {
  return method ? `${method.toUpperCase()} ${url}` : url
}

/**
 * Evaluates a policy condition for a package of a project. CVEs that are reviewed as `not_affected`
 * or `fixed` don't count.
 */
function evaluatePackageCondition(
  { found, isLowest }: EvaluatedPackage,
  { kind, number = 0 }: PolicyCondition,
): PolicyFault | undefined {
  if (kind !== 'kev' && kind !== 'cve') return undefined
  const cves = found
    .filter((cve) => !isResolved(cve))
    .map((cve) => ({ ...cve, score: cve.metric?.score }))
    .filter(({ isExploited, score }) =>
      kind === 'kev' ? isExploited : score !== undefined && score >= number,
    )
  if (cves.length === 0) return undefined
  const count = cves.length === 1 ? 'a CVE' : `${cves.length} CVEs`
  const are = kind === 'kev' ? 'known to be exploited' : `with a CVSS score of ${number} or more`
  return {
    statement: `It has ${count} ${are} (${describePackageMatch(isLowest)})`,
    evidence: cves.slice(0, MAX_CVES).map(toCveEvidence),
  }
}

/** Evaluates a policy condition for an endpoint that a project uses. */
function evaluateUsageCondition(
  use: EvaluatedUsage,
  { kind }: PolicyCondition,
): PolicyFault | undefined {
  const { approval, reason, written } = use
  if (kind === 'unreviewed' && approval === 'unreviewed')
    return createFault('It has not been reviewed')
  if (kind === 'rejected' && approval === 'no') {
    return createFault(reason === '' ? 'It was rejected' : `It was rejected: ${reason}`)
  }
  const isPlain = written.some((url) => /^\s*http:\/\//i.test(url))
  return kind === 'plain-http' && isPlain
    ? createFault('The code calls it over plain HTTP')
    : undefined
}

/** Evaluates a policy condition for a host that doesn't identify a single catalogued API. */
function evaluateHostCondition(
  { vendorName, candidates }: EvaluatedHost,
  { condition, policy }: { readonly condition: PolicyCondition; readonly policy: Policy },
): PolicyFault | undefined {
  if (condition.kind === 'unknown-host') {
    return candidates ? undefined : createFault('No catalogued API has this host')
  }
  if (condition.kind === 'unknown-vendor') {
    if (vendorName !== undefined || candidates) return undefined
    return createFault('Its vendor is not known')
  }
  if (condition.kind !== 'unapproved-vendor' || vendorName === undefined) return
  const statement = findVendorFault(vendorName, policy)
  return statement === undefined ? undefined : createFault(statement)
}

/** Creates a problem without evidence: its locations are sufficient. */
function createFault(statement: string): PolicyFault {
  return { statement, evidence: [] }
}

const DAY_MS = 86_400_000

/** Marks violations with a valid exception as excepted, and reports exceptions without effect. */
function applyExceptions(
  violations: readonly PolicyViolation[],
  { exceptions, now }: { readonly exceptions: readonly PolicyException[]; readonly now: number },
): {
  readonly violations: readonly PolicyViolation[]
  readonly idle: readonly IneffectiveException[]
} {
  const valid = exceptions.filter((exception) => !isExpired(exception, now))
  const used = new Set<PolicyException>()
  const judged = violations.map((violation): PolicyViolation => {
    const found = valid.filter((exception) => matchesException(violation, exception))
    for (const exception of found) used.add(exception)
    const [first] = found
    return first ? { ...violation, severity: 'excepted', exception: first } : violation
  })
  const idle = exceptions.flatMap((exception): readonly IneffectiveException[] => {
    if (isExpired(exception, now)) return [{ exception, why: 'expired' }]
    return used.has(exception) ? [] : [{ exception, why: 'unused' }]
  })
  return { violations: judged, idle }
}

/** An exception is valid until the end of its last day (UTC). */
function isExpired({ until }: PolicyException, now: number): boolean {
  return now >= (parseDay(until) ?? 0) + DAY_MS
}

function matchesException(
  { condition, api, vendor, host, package: purl }: PolicyViolation,
  exception: PolicyException,
): boolean {
  if (!exception.allow.includes(condition)) return false
  if (exception.package !== undefined) return matchesPackage(purl, exception.package)
  if (exception.host !== undefined) return exception.host.toLowerCase() === host
  if (exception.vendor !== undefined) {
    return foldVendorName(exception.vendor) === foldVendorName(vendor)
  }
  if (exception.api === undefined || !api) return false
  const vendors = listVendorNames(vendor)
  const names = [api.name, ...vendors.map((name) => `${name}/${api.name}`)].map(foldName)
  const ids = [String(api.id), api.encryptedId]
  return ids.includes(exception.api) || names.includes(foldName(exception.api))
}

function matchesPackage(purl: string | undefined, wanted: string): boolean {
  const { found } = parsePackageUrl(purl ?? '')
  const { found: excepted } = parsePackageUrl(wanted)
  if (!found || found.key !== excepted?.key) return false
  return excepted.version === undefined || excepted.version === found.version
}
