import type { SteppedWork } from '../shared/time-slices.ts'
import type { AssessmentFacts, AssessmentRule, Statement } from './records.ts'

/**
 * Evaluates the rules on the facts of an API. Returns statements in the order of the rules; no
 * statement means unknown. A rule whose evidence has no quote makes no statement.
 *
 * @example
 * ```ts
 * import { ASSESSMENT_RULES, assessFacts } from 'api-discovery/assessments'
 *
 * const api = await app.catalogue.getApi('aB3dE5f')
 * const { facts } = await app.assessments.assess(api, account)
 * const work = assessFacts(facts, ASSESSMENT_RULES)
 * let step = work.next()
 * while (!step.done) step = work.next()
 * for (const { classification, statement } of step.value) console.log(classification, statement)
 * ```
 */
export function* assessFacts(
  facts: AssessmentFacts,
  rules: readonly AssessmentRule[],
): SteppedWork<readonly Statement[]> {
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
