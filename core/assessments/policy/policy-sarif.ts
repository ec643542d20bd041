import {
  type SarifContent,
  type SarifLevel,
  type SarifResult,
  type SarifRule,
  toSarifLog,
  writeSarifLog,
} from '../../shared/sarif.ts'
import type { Policy, PolicyCondition, PolicyEvaluation, PolicyViolation } from './policy.ts'
import { POLICY_CONDITIONS } from './policy-conditions.ts'

/** The evaluated policy and subject, with the reporting tool. */
export interface PolicySarifAbout {
  readonly policy: Policy
  /** Name of the project or the API. */
  readonly subject: string
  readonly tool: { readonly name: string; readonly version: string }
}

/** Maximum number of further locations reported for an API. */
const MAX_RELATED = 20

/**
 * Converts a verdict to a SARIF 2.1.0 log with one run. Each policy condition is a rule; each violation
 * is a result, and each location of a usage is a separate one. Violations without a file have a
 * logical location, excepted ones are suppressed. Fingerprints don't depend on line numbers.
 *
 * @example
 * ```ts
 * import { toPolicySarif } from 'api-discovery/assessments'
 *
 * const tool = { name: 'storefront-ci', version: '1.0.0' }
 * const sarif = toPolicySarif(verdict, { policy, subject: 'storefront', tool })
 * ```
 */
export function toPolicySarif(verdict: PolicyEvaluation, about: PolicySarifAbout) {
  return toSarifLog(toSarifContent(verdict, about))
}

/**
 * Writes the same log in chunks of UTF-8.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { writePolicySarif } from 'api-discovery/assessments'
 *
 * const tool = { name: 'storefront-ci', version: '1.0.0' }
 * const about = { policy, subject: 'storefront', tool }
 * await writeFile('policy.sarif', writePolicySarif(verdict, about))
 * ```
 */
export function writePolicySarif(
  verdict: PolicyEvaluation,
  about: PolicySarifAbout,
): AsyncIterable<Uint8Array> {
  return writeSarifLog(toSarifContent(verdict, about))
}

function toSarifContent(
  { violations }: PolicyEvaluation,
  { policy, subject, tool }: PolicySarifAbout,
): SarifContent {
  const rules = [
    ...policy.deny.flatMap((condition) => toSarifRules(condition, 'error')),
    ...policy.warn.flatMap((condition) => toSarifRules(condition, 'warning')),
  ]
  const levels = new Map(rules.map(({ id, level }) => [id, level]))
  return {
    rules,
    results: violations.flatMap((each) =>
      toSarifResults(each, levels.get(each.condition) ?? 'error'),
    ),
    id: `${tool.name}/policy/${subject}/`,
    tool,
    fingerprint: 'apiPolicy/v1',
  }
}

function toSarifRules({ text, kind }: PolicyCondition, level: SarifLevel): readonly SarifRule[] {
  return POLICY_CONDITIONS.filter((entry) => entry.kind === kind).map(
    ({ name, applies, unknown, help }) => ({
      id: text,
      name,
      level,
      title: `Policy: ${text}`,
      text: `Applies if ${applies}. If that is unknown, it ${unknown}.`,
      help,
      tags: ['third-party-api', 'policy'],
    }),
  )
}

function toSarifResults(violation: PolicyViolation, level: SarifLevel): readonly SarifResult[] {
  const { condition, api, vendor, host, use, statement, evidence, places, exception } = violation
  const name = api ? `${api.name} (${vendor})` : (violation.package ?? host ?? vendor)
  const base = {
    rule: condition,
    level,
    text: `${use ?? name}: ${statement}${formatEvidence(violation)}.`,
    related: [],
    subject: use ?? name,
    accepted: exception && `${exception.reason} (until ${exception.until})`,
    properties: {
      ...(api ? { apiName: api.name, apiId: api.encryptedId } : {}),
      ...(vendor === '' ? {} : { vendorName: vendor }),
      ...(host === undefined ? {} : { host }),
      ...(violation.package === undefined ? {} : { package: violation.package }),
      evidence: evidence.map(({ source, quote, link, at }) => ({
        source,
        quote,
        ...(link === '' ? {} : { link }),
        date: new Date(at).toISOString(),
      })),
    },
  }
  if (use !== undefined && places.length > 0)
    return places.map((location) => ({ ...base, location }))
  const [place, ...others] = places.toSorted(
    (a, b) => compareFiles(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0),
  )
  return [{ ...base, location: place, related: others.slice(0, MAX_RELATED) }]
}

function formatEvidence({ evidence: [first] }: PolicyViolation): string {
  return first ? ` (${first.source}: ${first.quote})` : ''
}

function compareFiles(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
