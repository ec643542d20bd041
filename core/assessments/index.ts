export { assessFacts } from './assess-facts.ts'
export {
  checkVendorNames,
  findPolicyNeeds,
  type PolicyNeeds,
  type VendorNameCheck,
} from './policy/check-policy.ts'
export { evaluatePolicy } from './policy/evaluate-policy.ts'
export { parsePolicy } from './policy/parse-policy.ts'
export type * from './policy/policy.ts'
export { POLICY_CONDITIONS, type PolicyConditionKind } from './policy/policy-conditions.ts'
export { type PolicySarifAbout, toPolicySarif, writePolicySarif } from './policy/policy-sarif.ts'
export * from './records.ts'
export { type LicenceFamily, toLicenceFamily } from './rules/licences.ts'
export { ASSESSMENT_RULES } from './rules.ts'
export { splitSentences } from './sentences.ts'
export type { Assessment, Assessments } from './service.ts'
