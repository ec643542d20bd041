import type { PolicyFault } from './api-conditions.ts'
import { findVendorFault } from './api-conditions.ts'
import type { EvaluatedHost, EvaluatedUsage, Policy, PolicyCondition } from './policy.ts'

/** Evaluates a policy condition for an endpoint that a project uses. */
export function evaluateUsageCondition(
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
export function evaluateHostCondition(
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
