import { foldVendorName } from '../../vendors/known-vendors.ts'
import { VENDORS } from '../../vendors/vendors.ts'
import { ASSESSMENT_RULES } from '../rules.ts'
import type { Policy } from './policy.ts'
import { POLICY_CONDITIONS } from './policy-conditions.ts'

/** Data to load before a policy is evaluated: without it, some of its conditions would always pass. */
export interface PolicyNeeds {
  /** Conditions that use CVEs, as written in the policy. */
  readonly vulnerabilities: readonly string[]
  /** Conditions that use the exploitation status of CVEs. */
  readonly exploited: readonly string[]
  /** Conditions that could pass only because no API is catalogued. */
  readonly catalogue: readonly string[]
}

/** Vendor names of a policy, compared with those that are known. */
export interface VendorNameCheck {
  /** Names in `vendors.allow` and `vendors.deny` of no known vendor, each once. */
  readonly unknown: readonly string[]
  /** The given and the built-in names. */
  readonly known: readonly string[]
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
  // These apply to packages, usages and hosts too.
  const withoutCatalogue = new Set<string>(['kev', 'cve'])
  for (const { kind, about } of POLICY_CONDITIONS) {
    if (about === 'project') withoutCatalogue.add(kind)
  }
  // Hosts of unknown vendors pass it, unless another condition applies to them.
  const hasUnknownVendor = conditions.some(({ kind }) => kind === 'unknown-vendor')
  if (hasUnknownVendor) withoutCatalogue.add('unapproved-vendor')
  return {
    vulnerabilities: vulnerabilities.map(({ text }) => text),
    exploited: exploited.map(({ text }) => text),
    catalogue: conditions.filter(({ kind }) => !withoutCatalogue.has(kind)).map(({ text }) => text),
  }
}

/**
 * Finds vendors of a policy's lists that are neither built in nor among `names`. Such a name may be
 * mistyped, or its vendor may have no API in the catalogue.
 *
 * @example
 * ```ts
 * import { checkVendorNames, parsePolicy } from 'api-discovery/assessments'
 *
 * const policy = parsePolicy('vendors: { allow: [Skycast, Wayfaer] }')
 * checkVendorNames(policy, ['Skycast', 'Wayfare']).unknown // ['Wayfaer']
 * ```
 */
export function checkVendorNames(
  { vendors }: Pick<Policy, 'vendors'>,
  names: readonly string[],
): VendorNameCheck {
  const listed = [...(vendors?.allow ?? []), ...(vendors?.deny ?? [])]
  const known = [...new Set([...names, ...VENDORS.map(({ vendor }) => vendor)])]
  const folded = new Set(known.map(foldVendorName))
  const unknown = listed.filter((name) => !folded.has(foldVendorName(name)))
  return { unknown: [...new Set(unknown)], known }
}
