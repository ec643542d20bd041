import { ASSESSMENT_RULES } from '../rules.ts'
import type { Policy } from './policy.ts'

/** Data to load before a policy is evaluated: without it, some of its conditions would always pass. */
export interface PolicyNeeds {
  /** Conditions that use CVEs, as written in the policy. */
  readonly vulnerabilities: readonly string[]
  /** Conditions that use the exploitation status of CVEs. */
  readonly exploited: readonly string[]
  /** Conditions that use catalogued APIs: all but those that also apply to packages. */
  readonly catalogue: readonly string[]
}

/**
 * Finds the conditions of a policy that require vulnerability data or a catalogue.
 *
 * @example
 * ```ts
 * import { findPolicyNeeds, parsePolicy } from 'api-discovery/assessments'
 *
 * const policy = parsePolicy('deny: [kev, no-terms, "cve>=7"]')
 * const { vulnerabilities, catalogue } = findPolicyNeeds(policy)
 * vulnerabilities // ['kev', 'cve>=7']
 * catalogue // ['no-terms']
 * ```
 */
export function findPolicyNeeds({ deny, warn }: Policy): PolicyNeeds {
  const conditions = [...deny, ...warn]
  const rules = ASSESSMENT_RULES.filter(({ category }) => category === 'known_vulnerabilities')
  const vulnerabilities = conditions.filter(
    ({ kind, name }) =>
      kind === 'kev' ||
      kind === 'cve' ||
      (kind === 'bad' && name === 'known_vulnerabilities') ||
      (kind === 'statement' && rules.some(({ id }) => id === name)),
  )
  // In this category, the only statement classified as bad is about exploited CVEs.
  const exploited = vulnerabilities.filter(
    ({ kind, name }) => kind === 'kev' || kind === 'bad' || name === 'kev',
  )
  return {
    vulnerabilities: vulnerabilities.map(({ text }) => text),
    exploited: exploited.map(({ text }) => text),
    catalogue: conditions
      .filter(({ kind }) => kind !== 'kev' && kind !== 'cve')
      .map(({ text }) => text),
  }
}
