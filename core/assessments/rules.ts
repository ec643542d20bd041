import { ASSESSMENT_CATEGORIES, type AssessmentRule } from './records.ts'
import { AUTHENTICATION_RULES } from './rules/authentication.ts'
import { DATA_RULES } from './rules/data.ts'
import { DESCRIPTION_RULES } from './rules/description.ts'
import { HEADER_RULES } from './rules/headers.ts'
import { LICENCE_RULES } from './rules/licences.ts'
import { LINK_RULES } from './rules/links.ts'
import { OBSERVED_RULES } from './rules/observed.ts'
import { BUSINESS_RULES, JURISDICTION_RULES, RESTRICTION_RULES } from './rules/terms.ts'
import { TRANSPORT_RULES } from './rules/transport.ts'

/** The default rules by category; a host may add to or replace them. */
export const ASSESSMENT_RULES: readonly AssessmentRule[] = [
  ...LINK_RULES,
  ...LICENCE_RULES,
  ...BUSINESS_RULES,
  ...RESTRICTION_RULES,
  ...DATA_RULES,
  ...JURISDICTION_RULES,
  ...TRANSPORT_RULES,
  ...AUTHENTICATION_RULES,
  ...DESCRIPTION_RULES,
  ...HEADER_RULES,
  ...OBSERVED_RULES,
].sort(
  (a, b) => ASSESSMENT_CATEGORIES.indexOf(a.category) - ASSESSMENT_CATEGORIES.indexOf(b.category),
)
