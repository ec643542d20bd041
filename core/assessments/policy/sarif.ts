import {
  type SarifContent,
  type SarifLevel,
  type SarifResult,
  type SarifRule,
  toSarifLog,
  writeSarifLog,
} from '../../shared/sarif.ts'
import type { Policy, PolicyVerdict, PolicyViolation, PolicyWord } from './policy.ts'
import { POLICY_WORDS } from './words.ts'

/** What was judged, by which policy, and who tells it. */
export interface PolicySarifAbout {
  readonly policy: Policy
  /** Name of the project or the API. */
  readonly subject: string
  readonly tool: { readonly name: string; readonly version: string }
}

/** Other places that are told with an API. */
const MAX_RELATED = 20

/**
 * A verdict as a SARIF 2.1.0 log with one run: a rule for each word of the policy, a result for each
 * violation, of a use for each of its places. What is in no file has a logical location; what an
 * exception lets pass is suppressed. Fingerprints stay when lines move.
 */
export function toPolicySarif(verdict: PolicyVerdict, about: PolicySarifAbout) {
  return toSarifLog(toContent(verdict, about))
}

/** Writes that log in chunks of UTF-8. */
export function writePolicySarif(
  verdict: PolicyVerdict,
  about: PolicySarifAbout,
): AsyncIterable<Uint8Array> {
  return writeSarifLog(toContent(verdict, about))
}

function toContent(
  { violations }: PolicyVerdict,
  { policy, subject, tool }: PolicySarifAbout,
): SarifContent {
  const rules = [
    ...policy.deny.flatMap((word) => toRules(word, 'error')),
    ...policy.warn.flatMap((word) => toRules(word, 'warning')),
  ]
  const levels = new Map(rules.map(({ id, level }) => [id, level]))
  return {
    rules,
    results: violations.flatMap((each) => toResults(each, levels.get(each.word) ?? 'error')),
    id: `${tool.name}/policy/${subject}/`,
    tool,
    fingerprint: 'apiPolicy/v1',
  }
}

function toRules({ text, kind }: PolicyWord, level: SarifLevel): readonly SarifRule[] {
  return POLICY_WORDS.filter((entry) => entry.kind === kind).map(
    ({ name, applies, unknown, help }) => ({
      id: text,
      name,
      level,
      title: `Policy: ${text}`,
      text: `Applies where ${applies}. Where that is not known, it ${unknown}.`,
      help,
      tags: ['third-party-api', 'policy'],
    }),
  )
}

function toResults(violation: PolicyViolation, level: SarifLevel): readonly SarifResult[] {
  const { word, api, vendor, host, use, statement, evidence, places, exception } = violation
  const name = api ? `${api.name} (${vendor})` : (host ?? vendor)
  const base = {
    rule: word,
    level,
    text: `${use ?? name}: ${statement}${toProof(violation)}.`,
    related: [],
    subject: use ?? name,
    accepted: exception && `${exception.reason} (until ${exception.until})`,
    properties: {
      ...(api ? { apiName: api.name, apiId: api.encryptedId } : {}),
      ...(vendor === '' ? {} : { vendorName: vendor }),
      ...(host === undefined ? {} : { host }),
      evidence: evidence.map(({ source, quote, link, at }) => ({
        source,
        quote,
        ...(link === '' ? {} : { link }),
        date: new Date(at).toISOString(),
      })),
    },
  }
  if (use !== undefined && places.length > 0) return places.map((place) => ({ ...base, place }))
  const [place, ...others] = places.toSorted(
    (a, b) => compare(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0),
  )
  return [{ ...base, place, related: others.slice(0, MAX_RELATED) }]
}

function toProof({ evidence: [first] }: PolicyViolation): string {
  return first ? ` (${first.source}: ${first.quote})` : ''
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
