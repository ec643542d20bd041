import type { SlicedWork } from '../shared/slices.ts'
import type { AssessmentFacts, AssessmentRule, Statement } from './records.ts'

/**
 * What the rules say of an API, in their order; what they say nothing of is not known. A rule whose
 * evidence has no quote says nothing either.
 */
export function* assessFacts(
  facts: AssessmentFacts,
  rules: readonly AssessmentRule[],
): SlicedWork<readonly Statement[]> {
  const statements: Statement[] = []
  for (const { id, category, classification, statement, when } of rules) {
    const evidence = when(facts)
    if (evidence && evidence.quote.trim() !== '') {
      statements.push({ rule: id, category, classification, statement, evidence })
    }
    yield
  }
  return statements
}
