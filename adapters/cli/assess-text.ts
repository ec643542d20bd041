import {
  ASSESSMENT_RULES,
  CLASSIFICATIONS,
  type EvaluatedApi,
  POLICY_CONDITIONS,
  type Policy,
  type PolicyEvaluation,
  type PolicyViolation,
  type StatementEvidence,
} from '../../core/assessments/index.ts'
import type { AssessedSubject } from './assess-subject.ts'
import { printFittedTable } from './fitted-table.ts'
import { formatCount, formatTable, type Io, toPrintable, truncate } from './io.ts'

/** Maximum length of a printed quote, in characters. */
const MAX_QUOTE_LENGTH = 100
/** Maximum number of printed violations. */
const MAX_PRINTED_VIOLATIONS = 200

/** Prints the assessment rules and the policy conditions. */
export function printRules(io: Io, isJson: boolean): void {
  const rules = ASSESSMENT_RULES.map(({ id, category, classification, statement, applies }) => {
    return { id, category, classification, statement, applies }
  })
  const conditions = POLICY_CONDITIONS.map(({ form, applies, unknown }) => ({
    condition: form,
    applies,
    unknown,
  }))
  if (isJson) {
    io.result(JSON.stringify({ rules, conditions }))
    return
  }
  io.result(
    formatTable(
      ['RULE', 'CATEGORY', 'CLASS', 'APPLIES WHEN'],
      rules.map((rule) => [rule.id, rule.category, rule.classification, rule.applies]),
    ),
  )
  io.result('')
  io.result(
    formatTable(
      ['POLICY CONDITION', 'APPLIES WHEN', 'IF UNKNOWN'],
      conditions.map(({ condition, applies, unknown }) => [condition, applies, unknown]),
    ),
  )
}

/** Prints the statements on each API by category, then the shared and uncatalogued hosts. */
export function printAssessment(io: Io, { apis, hosts, kind }: AssessedSubject): void {
  for (const [index, api] of apis.entries()) {
    if (index > 0) io.result('')
    printAssessedApi(io, api)
  }
  let hasTable = apis.length > 0
  for (const [heading, listed] of [
    ['SHARED HOST', hosts.filter(({ candidates }) => candidates)],
    ['UNCATALOGUED HOST', hosts.filter(({ candidates }) => !candidates)],
  ] as const) {
    if (listed.length === 0) continue
    if (hasTable) io.result('')
    hasTable = true
    printFittedTable(io, {
      headings: [heading, 'VENDOR', 'ENDPOINTS', 'LOCATION'],
      rows: listed.map(({ host, vendorName, uses, candidates }) => [
        candidates ? `${host}: one of ${candidates.join(', ')}` : host,
        vendorName ?? '-',
        String(uses.length),
        formatFirstLocation(uses[0]?.places ?? []),
      ]),
      dropped: [2, 1],
      cutAtStart: [3],
    })
  }
  if (kind !== 'api' && apis.length === 0) io.note('No catalogued APIs are used.')
}

function printAssessedApi(io: Io, { facts: { api }, statements }: EvaluatedApi): void {
  const name = [api.name, api.version].filter((part) => part !== '').join(' ')
  const title = toPrintable(`${name} (${api.vendor.name}), id ${api.id}`)
  if (statements.length === 0) {
    io.result(`${title}: no rule applies`)
    return
  }
  const counts = CLASSIFICATIONS.flatMap((each) => {
    const count = statements.filter(({ classification }) => classification === each).length
    return count > 0 ? [`${count} ${each}`] : []
  })
  io.result(`${title}: ${counts.join(', ')}`)
  printFittedTable(io, {
    headings: ['CATEGORY', 'CLASS', 'STATEMENT', 'EVIDENCE', 'DATE', 'LINK'],
    rows: statements.map(({ category, classification, statement, evidence }, at) => [
      statements[at - 1]?.category === category ? '' : category,
      classification,
      statement,
      formatEvidenceQuote(evidence),
      formatDate(evidence.at),
      evidence.link || '-',
    ]),
    dropped: [5, 4],
  })
}

/** Prints the violations of a policy. */
export function printViolations(io: Io, violations: readonly PolicyViolation[]): void {
  const shown = violations.slice(0, MAX_PRINTED_VIOLATIONS)
  if (shown.length === 0) return
  printFittedTable(io, {
    headings: ['RESULT', 'CONDITION', 'SUBJECT', 'REASON', 'EVIDENCE', 'LOCATION'],
    rows: shown.map((each) => [
      each.severity,
      each.condition,
      formatViolationSubject(each),
      formatViolationReason(each),
      each.evidence[0]
        ? `${formatEvidenceQuote(each.evidence[0])} (${formatDate(each.evidence[0].at)})`
        : '-',
      formatFirstLocation(each.places),
    ]),
    dropped: [4, 5],
    cutAtStart: [5],
  })
  if (violations.length > shown.length) {
    io.note(`… and ${violations.length - shown.length} more: see --json.`)
  }
}

/** Prints skipped conditions, exceptions without effect, and whether the policy passed. */
export function printPolicyVerdict(
  io: Io,
  verdict: PolicyEvaluation,
  { policy, subject }: { readonly policy: Policy; readonly subject: AssessedSubject },
): void {
  const { kind, apis } = subject
  if (kind !== 'api' && apis.length === 0) {
    io.note('No catalogued APIs are used: conditions on APIs were not checked.')
  }
  const left = kind === 'api' ? findProjectConditions(policy) : []
  if (left.length > 0) {
    io.note(`Not checked, because these conditions apply only to projects: ${left.join(', ')}.`)
  }
  for (const { exception, why } of verdict.idle) {
    const { api, vendor, host, package: purl, allow, until, reason } = exception
    const of = `"${api ?? vendor ?? host ?? purl}" (${allow.join(', ')}: ${reason})`
    io.note(
      toPrintable(
        why === 'expired'
          ? `The exception for ${of} expired after ${until}.`
          : `The exception for ${of} has no effect here.`,
      ),
    )
  }
  io.note(summarizeVerdict(verdict, subject))
}

function findProjectConditions({ deny, warn }: Policy): readonly string[] {
  const kinds = new Set<string>(
    POLICY_CONDITIONS.filter(({ about }) => about === 'project').map(({ kind }) => kind),
  )
  return [...deny, ...warn].filter(({ kind }) => kinds.has(kind)).map(({ text }) => text)
}

/** Counts violations by severity, and the APIs, hosts and packages that were checked. */
function summarizeVerdict(
  { violations }: PolicyEvaluation,
  { kind, apis, hosts, packageCheck: { used, cveRecords } }: AssessedSubject,
): string {
  const of = (wanted: PolicyViolation['severity']) =>
    violations.filter(({ severity }) => severity === wanted).length
  const counts = [
    formatCount(of('fail'), 'failure'),
    formatCount(of('warn'), 'warning'),
    `${of('excepted')} excepted`,
  ].join(', ')
  const others = formatCount(hosts.length, 'other host')
  const packages = formatCount(cveRecords === 0 ? 0 : used, 'package')
  const judged =
    kind === 'api' ? '1 API' : `${formatCount(apis.length, 'API')}, ${others} and ${packages}`
  const verdict = of('fail') > 0 ? 'failed' : 'passed'
  return `Policy ${verdict}: ${counts}; ${judged} checked.`
}

function formatViolationSubject({ use, api, vendor, host, ...rest }: PolicyViolation): string {
  return use ?? (api ? `${api.name} (${vendor})` : (rest.package ?? host ?? vendor))
}

function formatViolationReason({ statement, exception }: PolicyViolation): string {
  return exception === undefined
    ? statement
    : `${statement}; excepted until ${exception.until}: ${exception.reason}`
}

function formatEvidenceQuote({ source, quote }: StatementEvidence): string {
  return `${source}: ${truncate(toPrintable(quote), MAX_QUOTE_LENGTH)}`
}

function formatFirstLocation(places: PolicyViolation['places']): string {
  const [first, ...others] = places
  if (!first) return '-'
  const line = first.line === undefined ? '' : `:${first.line}`
  return `${first.file}${line}${others.length > 0 ? ` (+${others.length})` : ''}`
}

function formatDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
