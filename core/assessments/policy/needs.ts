import { ASSESSMENT_RULES } from '../rules.ts'
import type { Policy } from './policy.ts'

/** What has to be loaded before a policy can be judged: without it, its words could only pass. */
export interface PolicyNeeds {
  /** Words that ask for CVEs, as they stand in the policy. */
  readonly vulnerabilities: readonly string[]
  /** Those of them that ask whether CVEs are exploited. */
  readonly exploited: readonly string[]
}

/** Tells which words of a policy would be blind without vulnerabilities. */
export function findPolicyNeeds({ deny, warn }: Policy): PolicyNeeds {
  const words = [...deny, ...warn]
  const rules = ASSESSMENT_RULES.filter(({ category }) => category === 'known_vulnerabilities')
  const vulnerabilities = words.filter(
    ({ kind, name }) =>
      kind === 'kev' ||
      kind === 'cve' ||
      (kind === 'bad' && name === 'known_vulnerabilities') ||
      (kind === 'statement' && rules.some(({ id }) => id === name)),
  )
  // Of vulnerabilities, our rules call bad what is exploited, and nothing else.
  const exploited = vulnerabilities.filter(
    ({ kind, name }) => kind === 'kev' || kind === 'bad' || name === 'kev',
  )
  return {
    vulnerabilities: vulnerabilities.map(({ text }) => text),
    exploited: exploited.map(({ text }) => text),
  }
}
