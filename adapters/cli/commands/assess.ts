import {
  checkVendorNames,
  type EvaluatedApi,
  type EvaluatedHost,
  evaluatePolicy,
  findPolicyNeeds,
  type Policy,
  type PolicyEvaluation,
  type PolicyNeeds,
  type PolicyViolation,
  type StatementEvidence,
  writePolicySarif,
} from '../../../core/assessments/index.ts'
import {
  ASSESS_OPTIONS,
  type AssessOptions,
  type AssessPlan,
  planAssessment,
} from '../assess-options.ts'
import { type AssessedSubject, assessSubject } from '../assess-subject.ts'
import { printAssessment, printPolicyVerdict, printRules, printViolations } from '../assess-text.ts'
import { TOOL, writeDocument } from '../bom-files.ts'
import { defineCommand } from '../define-command.ts'
import { CommandError } from '../errors.ts'
import { type CommandIo, type Io, toPrintable } from '../io.ts'
import {
  hasNoDatabase,
  IMPORT_ADVICE,
  type LocalCatalogue,
  NO_CATALOGUE,
  readLocalCatalogue,
} from '../local-catalogue.ts'
import { printPackageCheck } from '../package-table.ts'
import { type OpenService, type ServiceOfAccount, withAccount } from '../service.ts'
import { suggestName } from '../suggest-name.ts'
import { EXIT_CODE_CHECK_FAILED } from './scan-project.ts'

/** `assess`. */
export const assessCommand = defineCommand({
  name: 'assess',
  description: 'Assess an API, or check an API or a project against a policy',
  arguments: [['[subject]', 'API (ID, name or VENDOR/NAME) or folder (., ./shop, /srv/shop)']],
  options: ASSESS_OPTIONS,
  details: `
Exit codes:
  0  assessed; with --policy: the policy passed
  1  not assessed, for example because the catalogue is empty
  2  invalid usage, including an invalid policy and an ambiguous name
  3  the policy failed`,
  examples: [
    'assess "Skycast Weather"',
    'assess . --policy api-policy.yaml --sarif --output policy.sarif',
    'assess --project storefront --account ci --policy api-policy.yaml',
  ],
  async run({ io, words: [subject], options }) {
    if (options.rules) return printRules(io, options.json === true)
    const plan = await planAssessment(io, { subject, options })
    if (plan.target.kind === 'folder' && hasNoDatabase(io, options)) {
      return runAssessment(io, { plan, options, service: undefined })
    }
    await withAccount(io, options, (service) => runAssessment(io, { plan, options, service }))
  },
})

/** Inputs of an assessment. */
interface AssessmentInputs {
  readonly plan: AssessPlan
  readonly options: AssessOptions
  readonly service: ServiceOfAccount | undefined
}

async function runAssessment(io: CommandIo, inputs: AssessmentInputs): Promise<void> {
  const { plan, options, service } = inputs
  const known = service ? await readLocalCatalogue(service) : NO_CATALOGUE
  const { policy } = plan
  const needs = policy && findPolicyNeeds(policy)
  if (known.emptyReason !== undefined && needs?.catalogue.length !== 0) {
    throw new CommandError(`Cannot assess: the catalogue is empty; ${IMPORT_ADVICE}`)
  }
  if (needs) assertPolicyDataLoaded(known, needs)
  const subject = await assessSubject({ io, service, known, options }, plan.target)
  printPackageCheck(io, subject.packageCheck)
  if (policy) return checkPolicy(io, { ...inputs, policy, subject })
  if (plan.output === 'table') return printAssessment(io, subject)
  await writeDocument(io, encodeJson(toAssessmentDocument(subject)), options.output)
}

async function checkPolicy(
  io: CommandIo,
  inputs: AssessmentInputs & { readonly policy: Policy; readonly subject: AssessedSubject },
): Promise<void> {
  const { plan, options, policy, subject, service } = inputs
  const { name, apis, hosts, packages, files } = subject
  if (files === 0) throw new CommandError('Cannot check the policy: no file was read')
  const verdict = evaluatePolicy(policy, { apis, hosts, packages, now: Date.now() })
  if (plan.output === 'table') {
    printViolations(io, verdict.violations)
  } else {
    const chunks =
      plan.output === 'sarif'
        ? writePolicySarif(verdict, { policy, subject: name, tool: TOOL })
        : encodeJson(toVerdictDocument(verdict, subject))
    await writeDocument(io, chunks, options.output)
  }
  await printUnknownVendors(io, { policy, service })
  printPolicyVerdict(io, verdict, { policy, subject })
  if (verdict.violations.some(({ severity }) => severity === 'fail'))
    io.setFailed(EXIT_CODE_CHECK_FAILED)
}

/** Throws a `CommandError` for conditions that can only pass because their data is not loaded. */
function assertPolicyDataLoaded(known: LocalCatalogue, needs: PolicyNeeds): void {
  if (needs.vulnerabilities.length > 0 && known.cveRecords === 0) {
    const conditions = needs.vulnerabilities.join(', ')
    throw new CommandError(
      `Cannot check ${conditions}: no vulnerabilities are loaded; run "sync all" first`,
    )
  }
  if (needs.exploited.length > 0 && !known.hasExploited) {
    throw new CommandError(
      `Cannot check ${needs.exploited.join(', ')}: the KEV catalogue is not loaded; run "sync kev" first`,
    )
  }
}

async function* encodeJson(document: unknown): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(JSON.stringify(document))
}

/** Returns the document of `assess --json`; unknown values are absent. */
function toAssessmentDocument({ kind, name, apis, hosts }: AssessedSubject) {
  return {
    subject: { kind, name },
    apis: apis.map(toAssessedApiJson),
    hosts: hosts.map(toAssessedHostJson),
  }
}

/** Returns the document of `assess --policy --json`; unknown values are absent. */
function toVerdictDocument(
  { violations, idle }: PolicyEvaluation,
  { kind, name, apis, hosts, packageCheck: { used, cveRecords } }: AssessedSubject,
) {
  return {
    subject: { kind, name },
    passed: violations.every(({ severity }) => severity !== 'fail'),
    apis: apis.length,
    hosts: hosts.length,
    packages: cveRecords === 0 ? 0 : used,
    violations: violations.map(toViolationJson),
    idle_exceptions: idle.map(({ exception, why }) => ({ why, ...exception })),
  }
}

function toAssessedApiJson({ facts: { api }, statements, uses }: EvaluatedApi) {
  return {
    api_id: api.encryptedId,
    api_name: api.name,
    api_version: api.version,
    vendor_name: api.vendor.name,
    statements: statements.map(({ rule, category, classification, statement, evidence }) => ({
      rule,
      category,
      classification,
      statement,
      evidence: toEvidenceJson(evidence),
    })),
    uses: uses.map(toUsageJson),
  }
}

function toAssessedHostJson({ host, vendorName, uses }: EvaluatedHost) {
  return {
    host,
    ...(vendorName === undefined ? {} : { vendor_name: vendorName }),
    uses: uses.map(toUsageJson),
  }
}

function toUsageJson({ url, method, approval, places }: EvaluatedHost['uses'][number]) {
  return { url, ...(method ? { method } : {}), approval, places }
}

function toViolationJson(violation: PolicyViolation) {
  const { severity, condition, api, vendor, host, use, statement, exception } = violation
  const { package: purl } = violation
  return {
    severity,
    condition,
    ...(api ? { api_id: api.encryptedId, api_name: api.name, api_version: api.version } : {}),
    ...(vendor === '' ? {} : { vendor_name: vendor }),
    ...(host === undefined ? {} : { host }),
    ...(purl === undefined ? {} : { package: purl }),
    ...(use === undefined ? {} : { use }),
    statement,
    evidence: violation.evidence.map(toEvidenceJson),
    places: violation.places,
    ...(exception ? { exception: { until: exception.until, reason: exception.reason } } : {}),
  }
}

function toEvidenceJson({ source, quote, link, at }: StatementEvidence) {
  return { source, quote, link, date: new Date(at).toISOString() }
}

/** Prints the vendors in a policy's lists that are not known: they may be mistyped. */
async function printUnknownVendors(
  io: Io,
  {
    policy,
    service,
  }: { readonly policy: Policy; readonly service: Pick<OpenService, 'storage'> | undefined },
): Promise<void> {
  if (!policy.vendors) return
  const catalogued = service ? await listCataloguedVendors(service) : []
  const { unknown, known } = checkVendorNames(policy, catalogued)
  if (unknown.length === 0) return
  const names = unknown.map((name) => `"${name}"${suggestName(name, known).replace('\n', ' ')}`)
  io.note(
    toPrintable(
      `Vendors of the policy that are not known here: ${names.join(', ')}. Check their spelling.`,
    ),
  )
}

async function listCataloguedVendors({
  storage,
}: Pick<OpenService, 'storage'>): Promise<readonly string[]> {
  const names: string[] = []
  for (let page = 1; ; page += 1) {
    const { items, total } = await storage.catalogue.searchVendors({}, { page, size: 100 })
    names.push(...items.map(({ name }) => name))
    if (items.length === 0 || names.length >= total) return names
  }
}
