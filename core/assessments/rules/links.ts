import type { AssessmentCategory, AssessmentRule } from '../records.ts'

/** Creates a rule for a linked agreement. A link proves only that the agreement exists. */
function createLinkRule(
  kind: string,
  about: {
    readonly id: string
    readonly category: AssessmentCategory
    readonly statement: string
  },
): AssessmentRule {
  return {
    ...about,
    classification: 'neutral',
    applies: `an agreement of kind ${kind} is linked`,
    when: ({ agreements }) => {
      const found = agreements.find((agreement) => agreement.kind === kind)
      return found && { source: found.name, quote: found.link, link: found.link, at: found.at }
    },
  }
}

/** Statements based on links alone. */
export const LINK_RULES: readonly AssessmentRule[] = [
  createLinkRule('Pricing', {
    id: 'link-pricing',
    category: 'business_model',
    statement: 'A pricing page is linked',
  }),
  createLinkRule('ServiceLevelAgreement', {
    id: 'link-service-level',
    category: 'business_model',
    statement: 'A service level agreement is linked',
  }),
  createLinkRule('TermsOfService', {
    id: 'link-terms',
    category: 'developer_restrictions',
    statement: 'Terms of service are linked',
  }),
  createLinkRule('PrivacyPolicy', {
    id: 'link-privacy',
    category: 'end_user_privacy',
    statement: 'A privacy policy is linked',
  }),
  createLinkRule('DeprecationPolicy', {
    id: 'link-deprecation-policy',
    category: 'deprecation',
    statement: 'A deprecation policy is linked',
  }),
  createLinkRule('RateLimits', {
    id: 'link-rate-limits',
    category: 'rate_limit',
    statement: 'A page on rate limits is linked',
  }),
]
