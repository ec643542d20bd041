import type { Api } from '../catalogue/records.ts'
import type { Account } from '../shared/account.ts'
import { runInTimeSlices } from '../shared/time-slices.ts'
import { assessFacts } from './assess-facts.ts'
import { collectFacts } from './collect-facts.ts'
import { ASSESSMENT_RULES } from './rules.ts'
import type { Assessment, AssessmentDeps } from './service.ts'

/** Collects the facts of an API and evaluates the rules. */
export async function assessApi(
  deps: AssessmentDeps,
  request: { readonly api: Api; readonly account: Account },
): Promise<Assessment> {
  const facts = await collectFacts(deps, request)
  const statements = await runInTimeSlices(assessFacts(facts, deps.rules ?? ASSESSMENT_RULES))
  return { facts, statements }
}
