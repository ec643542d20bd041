import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { buildFindingsBom, renderBom } from '../../../core/index.ts'
import {
  buildProjectReport,
  type FindDecision,
  joinUses,
  judgeReport,
  mergeReviewFile,
  type ProjectFindings,
  type ProjectReport,
  toReviewFile,
  writeFindingsDocument,
  writeSarif,
} from '../../../core/scans/index.ts'
import { TOOL, writeOut } from '../bom-files.ts'
import { CommandError } from '../errors.ts'
import { type CommandIo, toCount, toPrintable } from '../io.ts'
import { toInteger } from '../numbers.ts'
import { findDecisions, findUses, type GivenScan } from '../project-scan.ts'
import { toReason } from '../reasons.ts'
import {
  readFacts,
  refuseBlindChecks,
  toVulnerabilityFinder,
  withKnownApis,
} from '../scan-catalogue.ts'
import { printFailures } from '../scan-failures.ts'
import { collect, planScan, type ScanPlan, type ScanProjectOptions } from '../scan-options.ts'
import { submitScan } from '../scan-submit.ts'
import { printReport, printSummary } from '../scan-table.ts'

/** The exit code of a scan that found what it was told to fail on. */
export const FOUND_FAILURES = 3

/** Adds `scan project`. */
export function addScanProjectCommand(scan: Command, io: CommandIo): void {
  scan
    .command('project')
    .argument('<folder>', 'folder of the project')
    .description('Find the third-party APIs that the code and configuration of a project use.')
    .option(
      '--include <pattern>',
      'only these files, as in a .gitignore; vendored and generated ones where it names them',
      collect,
    )
    .option('--exclude <pattern>', 'not these files or folders; repeatable', collect)
    .option('--no-ignore', 'read what .gitignore files leave out as well')
    .option('--packages <file>', "JSON list of more vendors' libraries")
    .option('--workers <n>', 'threads; as many as there are cores, at most 4', toInteger(1, 64))
    .option('--name <name>', "name of the project; the folder's when absent")
    .option(
      '--account <name>',
      'whose stored reviews count; of the only one that has any when absent',
    )
    .option('--sarif', 'print a SARIF 2.1.0 log')
    .option('--bom <shape>', 'print cyclonedx-json, cyclonedx-xml or specification')
    .option('--spec-version <version>', 'of CycloneDX: 1.5, 1.6 or 1.7 (1.5)')
    .option('--output <file>', 'write the document there')
    .option(
      '--fail-on <checks>',
      'exit with 3 on unapproved, no-terms, kev or new, comma-separated',
      collect,
    )
    .option('--baseline <file>', 'a former scan or a review file: what is known and approved')
    .option(
      '--write-baseline <file>',
      'write a review file: each endpoint with its approval; keeps what is decided in it',
    )
    .option(
      '--submit <url>',
      'store the scan in a service, with the key that API_DISCOVERY_KEY holds',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery scan project .\n  api-discovery scan project . --sarif --output apis.sarif --fail-on new,kev --baseline apis.json',
    )
    .action(async (folder: string, _, command: Command) => {
      const options = command.optsWithGlobals<ScanProjectOptions>()
      const plan = await planScan(io, { folder, options })
      await withKnownApis(io, options, (known) => runScan(io, { plan, options, known }))
    })
}

/** What a scan works with. */
interface Given extends GivenScan {
  readonly options: ScanProjectOptions
}

async function runScan(io: CommandIo, given: Given): Promise<void> {
  const { plan, options, known } = given
  refuseBlindChecks(known, plan.checks)
  if (known.missing !== undefined) io.note(known.missing)
  const startedAt = Date.now()
  const found = await findUses(io, given)
  const seconds = (Date.now() - startedAt) / 1000
  const facts = await readFacts(known, {
    found,
    withVulnerabilities: plan.output.kind === 'sarif' || plan.checks.has('kev'),
  })
  const decide = await findDecisions(io, given)
  const report = buildProjectReport(found, { facts, decide })
  await print(io, { ...given, found, report, decide })
  // Where some are matched, it is known how.
  const hasHint =
    plan.output.kind === 'table' && known.missing === undefined && report.apis.length === 0
  printSummary(io, { found, seconds, hasHint })
  if (options.writeBaseline !== undefined) {
    await writeReviewFile(io, { path: options.writeBaseline, plan, report })
  }
  if (plan.checks.size > 0 && found.files === 0) {
    throw new CommandError(`Cannot check ${[...plan.checks].join(', ')}: no file was read`)
  }
  const failures = judgeReport(report, plan)
  if (failures.length > 0) {
    printFailures(io, failures)
    io.setFailed(FOUND_FAILURES)
  }
  if (!plan.submit) return
  const { projectId, endpoints, matched, advice } = await submitScan(plan.submit, {
    name: plan.name,
    findings: found.findings,
  })
  io.note(
    toPrintable(
      `Stored as ${projectId}: ${toCount(endpoints, 'endpoint')}, ${matched} matched. ${advice}`,
    ),
  )
}

async function print(
  io: CommandIo,
  given: Given & {
    readonly found: ProjectFindings
    readonly report: ProjectReport
    readonly decide: FindDecision
  },
): Promise<void> {
  const { plan, options, known, found, report, decide } = given
  const { output, name: projectName } = plan
  if (output.kind === 'table') return printReport(io, report)
  if (output.kind === 'bom') {
    const bom = buildFindingsBom(known.service?.storage.catalogue ?? NO_CATALOGUE, {
      projectName,
      scannedAt: Date.now(),
      uses: joinUses(found.findings, decide),
    })
    const findVulnerabilities = toVulnerabilityFinder(known)
    const chunks = await renderBom(bom, { shape: output.shape, tool: TOOL, findVulnerabilities })
    return writeOut(io, chunks, options.output)
  }
  const chunks =
    output.kind === 'sarif'
      ? writeSarif(report, { projectName, tool: TOOL, baseline: plan.baseline })
      : writeFindingsDocument(found, projectName)
  await writeOut(io, chunks, options.output)
}

/** For a bill of hosts alone. */
const NO_CATALOGUE: Parameters<typeof buildFindingsBom>[0] = {
  findApis: async () => [],
  listAgreementsOf: async () => new Map(),
  listVendorAgreements: async () => [],
  findEndpointSummaries: async () => [],
}

async function writeReviewFile(
  io: CommandIo,
  given: { readonly path: string; readonly plan: ScanPlan; readonly report: ProjectReport },
): Promise<void> {
  const { path, plan, report } = given
  const { file, kept, added } = mergeReviewFile(
    toReviewFile(plan.name, report),
    plan.reviewed ?? [],
  )
  try {
    await writeFile(path, `${JSON.stringify(file, null, 2)}\n`)
  } catch (error) {
    throw new CommandError(`Cannot write ${path}: ${toReason(error)}`)
  }
  const counts = plan.reviewed ? `: ${kept} decided before and kept, ${added} new` : ''
  io.note(`Written to ${path}${counts}; approve an endpoint there with "approval": "yes".`)
}
