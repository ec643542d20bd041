import type { Fault } from './api-words.ts'
import { judgeVendor } from './api-words.ts'
import type { JudgedHost, JudgedUse, Policy, PolicyWord } from './policy.ts'

/** Evaluates a policy word for an endpoint that a project uses. */
export function judgeUse(use: JudgedUse, { kind }: PolicyWord): Fault | undefined {
  const { approval, reason, written } = use
  if (kind === 'unreviewed' && approval === 'unreviewed') return toFault('It has not been reviewed')
  if (kind === 'refused' && approval === 'no') {
    return toFault(reason === '' ? 'It is refused' : `It is refused: ${reason}`)
  }
  const isPlain = written.some((url) => /^\s*http:\/\//i.test(url))
  return kind === 'plain-http' && isPlain ? toFault('The code calls it over plain HTTP') : undefined
}

/** Evaluates a policy word for a host that doesn't identify a single catalogued API. */
export function judgeHost(
  { vendorName, candidates }: JudgedHost,
  { word, policy }: { readonly word: PolicyWord; readonly policy: Policy },
): Fault | undefined {
  if (word.kind === 'unknown-host') {
    return candidates ? undefined : toFault('No catalogued API has this host')
  }
  if (word.kind !== 'unapproved-vendor' || vendorName === undefined) return
  const statement = judgeVendor(vendorName, policy)
  return statement === undefined ? undefined : toFault(statement)
}

/** Creates a problem without evidence: its locations are sufficient. */
function toFault(statement: string): Fault {
  return { statement, evidence: [] }
}
