import { parsePolicy } from '../../../../core/assessments/policy/parse-policy.ts'
import type {
  EvaluatedApi,
  EvaluatedHost,
  EvaluatedUsage,
  PolicySubject,
} from '../../../../core/assessments/policy/policy.ts'
import type { AssessmentFacts, Statement } from '../../../../core/assessments/records.ts'
import { createApi, createFacts } from '../facts.ts'

const { now: NOW } = createFacts()

/** An API of which terms, privacy policy and country are known, as is what a test says. */
export function toJudged(
  facts: Partial<AssessmentFacts> = {},
  more: {
    readonly statements?: readonly Statement[]
    readonly uses?: readonly EvaluatedUsage[]
  } = {},
): EvaluatedApi {
  return { facts: createFacts(facts), statements: [], uses: [], ...more }
}

/** A subject of APIs and hosts, judged on the day of the facts. */
export function toSubject(
  apis: readonly EvaluatedApi[],
  hosts: readonly EvaluatedHost[] = [],
): PolicySubject {
  return { apis, hosts, now: NOW }
}

/** A use that nobody has reviewed, in one place. */
export function createUsage(given: Partial<EvaluatedUsage> = {}): EvaluatedUsage {
  const url = given.url ?? 'https://api.sky.example/v1/rain'
  return {
    url,
    method: 'get',
    host: 'api.sky.example',
    written: [url],
    approval: 'unreviewed',
    reason: '',
    places: [{ file: 'src/a.ts', line: 3, column: 5 }],
    ...given,
  }
}

/** A policy that denies the conditions, with other fields beside. */
export function toPolicy(conditions: readonly string[], more: object = {}) {
  return parsePolicy(JSON.stringify({ deny: conditions, ...more }))
}

/** An agreement as facts have it. */
export function toAgreement(kind: string, name = kind): AssessmentFacts['agreements'][number] {
  const link = 'https://sky.example/legal'
  return { name, link, kind, spdxId: '', text: undefined, at: NOW }
}

/** A licence as facts have it. */
export function toLicence(spdxId: string, name = spdxId): AssessmentFacts['licences'][number] {
  return { name, url: '', spdxId, at: NOW }
}

/** A CVE as facts have it. */
export function toCve(
  id: string,
  given: { readonly score?: number; readonly isExploited?: boolean } = {},
): AssessmentFacts['vulnerabilities']['found'][number] {
  const { score, isExploited = false } = given
  const isCritical = (score ?? 0) >= 9
  return { id, description: 'A hole', publishedAt: NOW, isExploited, score, isCritical }
}

/** An API of whose vendor and product these CVEs are known. */
export function toVulnerable(
  found: AssessmentFacts['vulnerabilities']['found'],
  more: Parameters<typeof toJudged>[1] = {},
): EvaluatedApi {
  const { vulnerabilities } = createFacts()
  return toJudged({ vulnerabilities: { ...vulnerabilities, count: found.length, found } }, more)
}

/** The facts' API, called by plain http. */
export const PLAIN = createApi({
  servers: [{ url: 'http://api.sky.example', name: '', variables: [] }],
})
