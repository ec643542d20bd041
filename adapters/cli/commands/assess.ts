import type { Command } from 'commander'
import {
  evaluatePolicy,
  findPolicyNeeds,
  type Policy,
  type PolicyNeeds,
  writePolicySarif,
} from '../../../core/assessments/index.ts'
import { toAssessmentDocument, toVerdictDocument } from '../assess-document.ts'
import { type AssessOptions, type AssessPlan, planAssessment } from '../assess-options.ts'
import { type AssessedSubject, assessSubject } from '../assess-subject.ts'
import { printAssessment, printPolicyVerdict, printRules, printViolations } from '../assess-text.ts'
import { TOOL, writeDocument } from '../bom-files.ts'
import { CommandError } from '../errors.ts'
import type { CommandIo } from '../io.ts'
import { IMPORT_ADVICE, type LocalCatalogue, readLocalCatalogue } from '../local-catalogue.ts'
import { integerParser } from '../numbers.ts'
import { printPackageCheck } from '../package-table.ts'
import { collectValues } from '../scan-options.ts'
import { addAccountOption, type ServiceOfAccount, withAccount } from '../service.ts'
import { EXIT_CODE_CHECK_FAILED } from './scan-project.ts'

/** Adds `assess`. */
export function addAssessCommand(program: Command, io: CommandIo): void {
  addAccountOption(program.command('assess'))
    .argument('[subject]', 'API (ID, name or VENDOR/NAME) or folder (., ./shop, /srv/shop)')
    .description('Assess an API, or check an API or a project against a policy')
    .option(
      '--policy <file>',
      'JSON or YAML policy file; - for standard input; exit with 3 if the policy fails',
    )
    .option(
      '--project <name>',
      'assess a stored scan: the newest one with this name, or the one with this ID',
    )
    .option('--rules', 'list all assessment rules and policy conditions')
    .option('--sarif', 'print a SARIF 2.1.0 log; needs --policy')
    .option('--output <file>', 'write the JSON or SARIF document to a file')
    .option(
      '--include <pattern>',
      'for a folder: only matching files, in .gitignore syntax; repeatable',
      collectValues,
    )
    .option(
      '--exclude <pattern>',
      'for a folder: skip matching files and folders; repeatable',
      collectValues,
    )
    .option('--no-ignore', 'for a folder: also read files that .gitignore excludes')
    .option('--packages <file>', 'for a folder: JSON list of additional vendor libraries')
    .option(
      '--workers <n>',
      'for a folder: number of threads (default: one per core, at most 4)',
      integerParser(1, 64),
    )
    .option('--name <name>', 'for a folder: project name (default: name of the folder)')
    .option(
      '--baseline <file>',
      'for a folder: earlier scan or review file with approvals; for --project: only its reviews of CVEs',
    )
    .addHelpText(
      'after',
      `
Exit codes:
  0  assessed; with --policy: the policy passed
  1  not assessed, for example because the catalogue is empty
  2  invalid usage, including an invalid policy and an ambiguous name
  3  the policy failed

Examples:
  api-discovery assess "Skycast Weather"
  api-discovery assess . --policy api-policy.yaml --sarif --output policy.sarif
  api-discovery assess --project storefront --account ci --policy api-policy.yaml`,
    )
    .action(async (subject: string | undefined, _, command: Command) => {
      const options = command.optsWithGlobals<AssessOptions>()
      if (options.rules) return printRules(io, options.json === true)
      const plan = await planAssessment(io, { subject, options })
      await withAccount(io, options, (service) => runAssessment(io, { plan, options, service }))
    })
}

/** Inputs of an assessment. */
interface AssessmentInputs {
  readonly plan: AssessPlan
  readonly options: AssessOptions
  readonly service: ServiceOfAccount
}

async function runAssessment(io: CommandIo, inputs: AssessmentInputs): Promise<void> {
  const { plan, options, service } = inputs
  const known = await readLocalCatalogue(service)
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
  const { plan, options, policy, subject } = inputs
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
