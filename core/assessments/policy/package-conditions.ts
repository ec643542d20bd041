import { describePackageMatch, isResolved } from '../../shared/cves.ts'
import { MAX_CVES, type PolicyFault, toCveEvidence } from './api-conditions.ts'
import type { EvaluatedPackage, PolicyCondition } from './policy.ts'

/**
 * Evaluates a policy condition for a package of a project. CVEs that are reviewed as `not_affected`
 * or `fixed` don't count.
 */
export function evaluatePackageCondition(
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
