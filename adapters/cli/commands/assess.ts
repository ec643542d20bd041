import type { Command } from 'commander'
import {
  findPolicyNeeds,
  judgePolicy,
  type Policy,
  writePolicySarif,
} from '../../../core/assessments/index.ts'
import { toAssessmentDocument, toVerdictDocument } from '../assess-document.ts'
import { type AssessOptions, type AssessPlan, planAssessment } from '../assess-options.ts'
import { type AssessedSubject, findSubject } from '../assess-subject.ts'
import { printAssessment, printRules, printViolations, tellVerdict } from '../assess-text.ts'
import { TOOL, writeOut } from '../bom-files.ts'
import { CommandError } from '../errors.ts'
import type { CommandIo } from '../io.ts'
import { toInteger } from '../numbers.ts'
import { IMPORT_HELP, type KnownApis, readKnownApis } from '../scan-catalogue.ts'
import { collect } from '../scan-options.ts'
import { addAccountOption, type ServiceOfAccount, withAccount } from '../service.ts'
import { FOUND_FAILURES } from './scan-project.ts'

/** Adds `assess`. */
export function addAssessCommand(program: Command, io: CommandIo): void {
  addAccountOption(program.command('assess'))
    .argument('[subject]', 'API (id, name or vendor/name) or folder (., ./shop, /srv/shop)')
    .description('Tell what is good or bad about an API, or judge an API or a project by a policy.')
    .option(
      '--policy <file>',
      'JSON or YAML; - for standard input: exit with 3 where it is not kept',
    )
    .option('--project <name>', 'the newest stored scan of this name, or the scan of this id')
    .option('--rules', 'list what can be said, and the words of policies')
    .option('--sarif', 'with --policy: print a SARIF 2.1.0 log')
    .option('--output <file>', 'write the document there')
    .option('--include <pattern>', 'of a folder: only these files, as in a .gitignore', collect)
    .option('--exclude <pattern>', 'of a folder: not these files or folders; repeatable', collect)
    .option('--no-ignore', 'of a folder: read what .gitignore files leave out as well')
    .option('--packages <file>', "of a folder: JSON list of more vendors' libraries")
    .option('--workers <n>', 'of a folder: threads', toInteger(1, 64))
    .option('--name <name>', "of a folder: name of the project; the folder's when absent")
    .option('--baseline <file>', 'of a folder: a former scan or a review file, with approvals')
    .addHelpText(
      'after',
      `
Exit codes: 0 told, or the policy is kept; 1 it could not be judged, as without an API in the
catalogue; 2 wrongly used, by a wrong policy or an ambiguous name too; 3 the policy is not kept.

Examples:
  api-discovery assess "Skycast Weather"
  api-discovery assess . --policy api-policy.yaml --sarif --output policy.sarif
  api-discovery assess --project storefront --account ci --policy api-policy.yaml`,
    )
    .action(async (subject: string | undefined, _, command: Command) => {
      const options = command.optsWithGlobals<AssessOptions>()
      if (options.rules) return printRules(io, options.json === true)
      const plan = await planAssessment(io, { subject, options })
      await withAccount(io, options, (service) => assess(io, { plan, options, service }))
    })
}

/** What an assessment works with. */
interface Given {
  readonly plan: AssessPlan
  readonly options: AssessOptions
  readonly service: ServiceOfAccount
}

async function assess(io: CommandIo, given: Given): Promise<void> {
  const { plan, options, service } = given
  const known = await readKnownApis(service)
  if (known.missing !== undefined) {
    throw new CommandError(`Cannot assess: the catalogue holds no API; ${IMPORT_HELP}`)
  }
  const { policy } = plan
  if (policy) await refuseBlindPolicy(known, { policy, service })
  const subject = await findSubject({ io, service, known, options }, plan.target)
  if (policy) return judge(io, { ...given, policy, subject })
  if (plan.output === 'table') return printAssessment(io, subject)
  await writeOut(io, toChunks(toAssessmentDocument(subject)), options.output)
}

async function judge(
  io: CommandIo,
  given: Given & { readonly policy: Policy; readonly subject: AssessedSubject },
): Promise<void> {
  const { plan, options, policy, subject } = given
  const { name, apis, hosts, files } = subject
  if (files === 0) throw new CommandError('Cannot judge by the policy: no file was read')
  const verdict = judgePolicy(policy, { apis, hosts, now: Date.now() })
  if (plan.output === 'table') {
    printViolations(io, verdict.violations)
  } else {
    const chunks =
      plan.output === 'sarif'
        ? writePolicySarif(verdict, { policy, subject: name, tool: TOOL })
        : toChunks(toVerdictDocument(verdict, subject))
    await writeOut(io, chunks, options.output)
  }
  tellVerdict(io, verdict, { policy, subject })
  if (verdict.violations.some(({ severity }) => severity === 'fail')) io.setFailed(FOUND_FAILURES)
}

/** Throws a `CommandError` for words that could only pass, because nothing is loaded. */
async function refuseBlindPolicy(
  known: KnownApis,
  { policy, service }: { readonly policy: Policy; readonly service: ServiceOfAccount },
): Promise<void> {
  const needs = findPolicyNeeds(policy)
  if (needs.vulnerabilities.length > 0 && !known.hasVulnerabilities) {
    const words = needs.vulnerabilities.join(', ')
    throw new CommandError(
      `Cannot judge ${words}: no vulnerabilities are loaded; run "sync nvd" and "sync kev" first`,
    )
  }
  const { exploited } = await service.app.vulnerabilities.status()
  if (needs.exploited.length > 0 && exploited === 0) {
    throw new CommandError(
      `Cannot judge ${needs.exploited.join(', ')}: no list of exploited vulnerabilities is loaded; run "sync kev" first`,
    )
  }
}

async function* toChunks(document: unknown): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(JSON.stringify(document))
}
