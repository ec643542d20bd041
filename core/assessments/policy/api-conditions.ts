import { isBindingKind } from '../../shared/agreement-kinds.ts'
import { toCveUrl } from '../../shared/cves.ts'
import { foldName } from '../../shared/text.ts'
import { foldVendorName } from '../../vendors/known-vendors.ts'
import type { AssessmentFacts, StatementEvidence } from '../records.ts'
import { createDescriptionEvidence, formatShare } from '../rules/description.ts'
import { findLicenceFamily } from '../rules/licences.ts'
import { ASSESSMENT_RULES } from '../rules.ts'
import type { EvaluatedApi, Policy, PolicyCondition, PolicyList } from './policy.ts'
import type { PolicyConditionKind } from './policy-conditions.ts'

/** A problem of an API, host or usage, with its evidence. */
export interface PolicyFault {
  readonly statement: string
  readonly evidence: readonly StatementEvidence[]
}

/** The input of a policy condition. */
interface ApiConditionInput {
  readonly api: EvaluatedApi
  readonly condition: PolicyCondition
  readonly policy: Policy
}

const DAY_MS = 86_400_000

/** Maximum number of CVEs reported per API or package. */
export const MAX_CVES = 5

/** Evaluates a policy condition for an API as a whole. */
export function evaluateApiCondition(input: ApiConditionInput): readonly PolicyFault[] {
  return API_CONDITIONS[input.condition.kind](input)
}

/** Returns why the policy does not approve of a vendor; undefined if it does. */
export function findVendorFault(name: string, { vendors }: Policy): string | undefined {
  const why = vendors && findNameFault(name, { list: vendors, fold: foldVendorName })
  return why && `The vendor ${name} ${why}`
}

const none = (): readonly PolicyFault[] => []

/** Most conditions use facts, not statements: a host may replace the rules that derive statements. */
const API_CONDITIONS: Readonly<
  Record<PolicyConditionKind, (asked: ApiConditionInput) => readonly PolicyFault[]>
> = {
  'no-terms': ({ api: { facts } }) => {
    const terms = [...facts.licences, ...facts.agreements.filter(({ kind }) => isBindingKind(kind))]
    return terms.some(({ name }) => name.trim() !== '') ? [] : createUnknownFault(facts, 'terms')
  },
  'no-licence': ({ api: { facts } }) =>
    facts.licences.length > 0 ? [] : createUnknownFault(facts, 'licence'),
  'no-privacy-policy': ({ api: { facts } }) =>
    facts.agreements.some(({ kind }) => kind === 'PrivacyPolicy')
      ? []
      : createUnknownFault(facts, 'privacy policy'),
  'no-country': ({ api: { facts } }) =>
    toCountries(facts).length > 0 ? [] : createUnknownFault(facts, 'country'),
  copyleft: ({ api: { facts } }) => {
    const found = facts.licences.filter((licence) => {
      const family = findLicenceFamily(licence)
      return family === 'copyleft' || family === 'network-copyleft'
    })
    return found.map((licence) => createLicenceFault(licence, 'is copyleft'))
  },
  unauthenticated: ({ api: { facts } }) => {
    const { api, endpoints } = facts
    if (!api.isDescribed || endpoints.open.length === 0) return []
    const evidence = createDescriptionEvidence(api, formatShare(endpoints.open, endpoints))
    const statement =
      'Some or all endpoints require no authentication, according to the description'
    return [{ statement, evidence: [evidence] }]
  },
  'plain-http': evaluateRules(['transport-plain', 'transport-plain-secrets']),
  kev: ({ api: { facts } }) =>
    findVulnerabilityFaults(facts, {
      test: ({ isExploited }) => isExploited,
      are: 'known to be exploited',
    }),
  cve: ({ api: { facts }, condition: { number = 0 } }) =>
    findVulnerabilityFaults(facts, {
      test: ({ score }) => score !== undefined && score >= number,
      are: `with a CVSS score of ${number} or more`,
    }),
  deprecated: evaluateRules(['deprecated-all', 'deprecated-by-words', 'header-deprecation']),
  stale: ({ api: { facts }, condition: { number = 365 } }) => {
    const { api, now, importedAt: at } = facts
    if (!api.isDescribed || now - at <= number * DAY_MS) return []
    const day = new Date(at).toISOString().slice(0, 10)
    const evidence = { ...createDescriptionEvidence(api, `imported on ${day}`), at }
    const statement = `The description was imported more than ${number} days ago`
    return [{ statement, evidence: [evidence] }]
  },
  'unapproved-vendor': ({ api: { facts }, policy }) => {
    const { vendor } = facts.api
    const statement = findVendorFault(vendor.name, policy)
    return statement === undefined
      ? []
      : [{ statement, evidence: [createCatalogueEvidence(facts, vendor.name, vendor.homepage)] }]
  },
  'unapproved-licence': ({ api: { facts }, policy: { licences: list } }) =>
    facts.licences.flatMap((licence) => {
      const why = list && findNameFault(licence.spdxId || licence.name, { list, fold: foldName })
      return why ? [createLicenceFault(licence, why)] : []
    }),
  'unapproved-country': ({ api: { facts }, policy: { countries: list } }) =>
    toCountries(facts).flatMap((country) => {
      const why = list && findNameFault(country, { list, fold: (code) => code })
      const evidence = [createCatalogueEvidence(facts, toCountries(facts).join(', '), '')]
      return why ? [{ statement: `The country ${country} ${why}`, evidence }] : []
    }),
  blocker: ({ api }) =>
    findStatementFaults(api, ({ classification }) => classification === 'blocker'),
  bad: ({ api, condition }) =>
    findStatementFaults(
      api,
      ({ category, classification }) =>
        category === condition.name && (classification === 'bad' || classification === 'blocker'),
    ),
  statement: ({ api, condition }) =>
    findStatementFaults(api, ({ rule }) => rule === condition.name),
  'unknown-host': none,
  'unknown-vendor': none,
  unreviewed: none,
  rejected: none,
}

/** Evaluates some of the default rules. */
function evaluateRules(
  ids: readonly string[],
): (asked: ApiConditionInput) => readonly PolicyFault[] {
  const rules = ASSESSMENT_RULES.filter(({ id }) => ids.includes(id))
  return ({ api: { facts } }) =>
    rules.flatMap(({ statement, when }) => {
      const evidence = when(facts)
      return evidence ? [{ statement, evidence: [evidence] }] : []
    })
}

function findStatementFaults(
  { statements }: EvaluatedApi,
  test: (statement: EvaluatedApi['statements'][number]) => boolean,
): readonly PolicyFault[] {
  return statements
    .filter(test)
    .map(({ statement, evidence }) => ({ statement, evidence: [evidence] }))
}

/** Creates the problem that something is unknown. */
function createUnknownFault(facts: AssessmentFacts, what: string): readonly PolicyFault[] {
  const evidence = createCatalogueEvidence(facts, `${what}: none known`, '')
  return [
    { statement: `No ${what} ${what.endsWith('s') ? 'are' : 'is'} known`, evidence: [evidence] },
  ]
}

function createCatalogueEvidence(
  { now }: AssessmentFacts,
  quote: string,
  link: string,
): StatementEvidence {
  return { source: 'catalogue', quote, link, at: now }
}

function createLicenceFault(
  { name, spdxId, url, at }: AssessmentFacts['licences'][number],
  why: string,
): PolicyFault {
  const shown = name === spdxId || spdxId === '' ? name : `${name} (${spdxId})`
  const evidence = { source: 'licence', quote: shown, link: url, at }
  return { statement: `The licence ${shown} ${why}`, evidence: [evidence] }
}

function toCountries({ api }: AssessmentFacts): readonly string[] {
  return api.countries.length > 0 ? api.countries : api.vendor.countries
}

function findVulnerabilityFaults(
  { vulnerabilities }: AssessmentFacts,
  {
    test,
    are,
  }: {
    readonly test: (cve: AssessmentFacts['vulnerabilities']['found'][number]) => boolean
    readonly are: string
  },
): readonly PolicyFault[] {
  const found = vulnerabilities.found.filter(test)
  if (found.length === 0) return []
  const count = found.length === 1 ? 'a CVE' : `${found.length} CVEs`
  const evidence = found.slice(0, MAX_CVES).map(toCveEvidence)
  const statement = `The vendor's product has ${count} ${are} (matched by name, unconfirmed)`
  return [{ statement, evidence }]
}

/** Creates the evidence of a CVE. */
export function toCveEvidence(cve: {
  readonly id: string
  readonly score: number | undefined
  readonly description: string
  readonly publishedAt: number
  readonly authority?: 'nvd' | 'cve' | undefined
}): StatementEvidence {
  const { id, score, description, publishedAt } = cve
  return {
    source: 'vulnerability database',
    quote: [id, ...(score === undefined ? [] : [`CVSS ${score}`]), description.slice(0, 300)]
      .filter((part) => part !== '')
      .join(': '),
    link: toCveUrl(cve),
    at: publishedAt,
  }
}

/** Returns why a name is not allowed; undefined if it is. */
function findNameFault(
  name: string,
  { list, fold }: { readonly list: PolicyList; readonly fold: (name: string) => string },
): string | undefined {
  const isIn = (names: readonly string[]) => names.some((one) => fold(one) === fold(name))
  if (isIn(list.deny)) return 'is denied'
  return list.allow && !isIn(list.allow) ? 'is not in the allow list' : undefined
}
