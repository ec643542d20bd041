import type { PolicyFault } from './api-words.ts'
import { findVendorFault } from './api-words.ts'
import type { EvaluatedHost, EvaluatedUsage, Policy, PolicyWord } from './policy.ts'

/** Evaluates a policy word for an endpoint that a project uses. */
export function evaluateUsageWord(
  use: EvaluatedUsage,
  { kind }: PolicyWord,
): PolicyFault | undefined {
  const { approval, reason, written } = use
  if (kind === 'unreviewed' && approval === 'unreviewed')
    return createFault('It has not been reviewed')
  if (kind === 'refused' && approval === 'no') {
    return createFault(reason === '' ? 'It is refused' : `It is refused: ${reason}`)
  }
  const isPlain = written.some((url) => /^\s*http:\/\//i.test(url))
  return kind === 'plain-http' && isPlain
    ? createFault('The code calls it over plain HTTP')
    : undefined
}

/** Evaluates a policy word for a host that doesn't identify a single catalogued API. */
export function evaluateHostWord(
  { vendorName, candidates }: EvaluatedHost,
  { word, policy }: { readonly word: PolicyWord; readonly policy: Policy },
): PolicyFault | undefined {
  if (word.kind === 'unknown-host') {
    return candidates ? undefined : createFault('No catalogued API has this host')
  }
  if (word.kind !== 'unapproved-vendor' || vendorName === undefined) return
  const statement = findVendorFault(vendorName, policy)
  return statement === undefined ? undefined : createFault(statement)
}

/** Creates a problem without evidence: its locations are sufficient. */
function createFault(statement: string): PolicyFault {
  return { statement, evidence: [] }
}
