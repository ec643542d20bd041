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

/** An API with known terms, privacy policy and country, and the facts of the test. */
export function toJudged(
  facts: Partial<AssessmentFacts> = {},
  more: {
    readonly statements?: readonly Statement[]
    readonly uses?: readonly EvaluatedUsage[]
  } = {},
): EvaluatedApi {
  return { facts: createFacts(facts), statements: [], uses: [], ...more }
}

/** A subject of APIs and hosts, evaluated on the day of the facts. */
export function toSubject(
  apis: readonly EvaluatedApi[],
  hosts: readonly EvaluatedHost[] = [],
): PolicySubject {
  return { apis, hosts, now: NOW }
}

/** An unreviewed usage at one location. */
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

/** A policy that denies the conditions; `more` adds other members. */
export function toPolicy(conditions: readonly string[], more: object = {}) {
  return parsePolicy(JSON.stringify({ deny: conditions, ...more }))
}

/** An agreement in the form of the facts. */
export function toAgreement(kind: string, name = kind): AssessmentFacts['agreements'][number] {
  const link = 'https://sky.example/legal'
  return { name, link, kind, spdxId: '', text: undefined, at: NOW }
}

/** A licence in the form of the facts. */
export function toLicence(spdxId: string, name = spdxId): AssessmentFacts['licences'][number] {
  return { name, url: '', spdxId, at: NOW }
}

/** A CVE in the form of the facts. */
export function toCve(
  id: string,
  given: { readonly score?: number; readonly isExploited?: boolean } = {},
): AssessmentFacts['vulnerabilities']['found'][number] {
  const { score, isExploited = false } = given
  const isCritical = (score ?? 0) >= 9
  return { id, description: 'A hole', publishedAt: NOW, isExploited, score, isCritical }
}

/** An API whose vendor and product have these CVEs. */
export function toVulnerable(
  found: AssessmentFacts['vulnerabilities']['found'],
  more: Parameters<typeof toJudged>[1] = {},
): EvaluatedApi {
  const { vulnerabilities } = createFacts()
  return toJudged({ vulnerabilities: { ...vulnerabilities, count: found.length, found } }, more)
}

/** The API of the facts, with a plain HTTP server. */
export const PLAIN = createApi({
  servers: [{ url: 'http://api.sky.example', name: '', variables: [] }],
})
