import {
  evaluatePolicy,
  findPolicyNeeds,
  type Policy,
  type PolicyNeeds,
  writePolicySarif,
} from '../../../core/assessments/index.ts'
import { toAssessmentDocument, toVerdictDocument } from '../assess-document.ts'
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
import type { CommandIo } from '../io.ts'
import {
  hasNoDatabase,
  IMPORT_ADVICE,
  type LocalCatalogue,
  NO_CATALOGUE,
  readLocalCatalogue,
} from '../local-catalogue.ts'
import { printPackageCheck } from '../package-table.ts'
import { printUnknownVendors } from '../policy-vendors.ts'
import { type ServiceOfAccount, withAccount } from '../service.ts'
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
