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

/** Exit code of a scan that failed a check of `--fail-on`, and of a failed policy. */
export const FOUND_FAILURES = 3

/** Adds `scan project`. */
export function addScanProjectCommand(scan: Command, io: CommandIo): void {
  scan
    .command('project')
    .argument('<folder>', 'project folder')
    .description('Find the third-party APIs that the code and configuration of a project use')
    .option(
      '--include <pattern>',
      'only matching files, in .gitignore syntax, even if vendored or generated; repeatable',
      collect,
    )
    .option('--exclude <pattern>', 'skip matching files and folders; repeatable', collect)
    .option('--no-ignore', 'also read files that .gitignore excludes')
    .option('--packages <file>', 'JSON list of additional vendor libraries')
    .option(
      '--workers <n>',
      'number of threads (default: one per core, at most 4)',
      toInteger(1, 64),
    )
    .option('--name <name>', 'project name (default: name of the folder)')
    .option(
      '--account <name>',
      'account whose stored reviews apply (default: the only account with this project)',
    )
    .option('--sarif', 'print a SARIF 2.1.0 log')
    .option('--bom <format>', 'print a BOM: cyclonedx-json, cyclonedx-xml or specification')
    .option('--spec-version <version>', 'CycloneDX version: 1.5, 1.6 or 1.7 (default: 1.5)')
    .option('--output <file>', 'write the document to a file')
    .option(
      '--fail-on <checks>',
      'exit with 3 on findings of these checks, comma-separated: unapproved, no-terms, kev, new',
      collect,
    )
    .option('--baseline <file>', 'known and approved endpoints: an earlier scan or a review file')
    .option(
      '--write-baseline <file>',
      'write a review file of all endpoints; existing decisions in it are preserved',
    )
    .option('--submit <url>', 'store the scan in a service, using the key in API_DISCOVERY_KEY')
    .addHelpText(
      'after',
      `
Exit codes:
  0    scanned; with --fail-on: no findings
  1    not scanned, checked or stored
  2    invalid usage
  3    with --fail-on: findings
  130  stopped

Examples:
  api-discovery scan project .
  api-discovery scan project . --sarif --output apis.sarif --fail-on new,kev --baseline apis.json`,
    )
    .action(async (folder: string, _, command: Command) => {
      const options = command.optsWithGlobals<ScanProjectOptions>()
      const plan = await planScan(io, { folder, options })
      await withKnownApis(io, options, (known) => runScan(io, { plan, options, known }))
    })
}

/** Inputs of a scan. */
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
  // Once APIs match, the user knows how to import descriptions.
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

/** An empty catalogue, for a BOM that lists hosts only. */
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
  const counts = plan.reviewed ? `: ${kept} existing decisions preserved, ${added} new` : ''
  io.note(`Wrote ${path}${counts}. To approve an endpoint, set its "approval" to "yes".`)
}
