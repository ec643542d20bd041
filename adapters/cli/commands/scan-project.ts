import { writeFile } from 'node:fs/promises'
import { buildFindingsBom, renderBom } from '../../../core/boms/index.ts'
import {
  buildProjectReport,
  checkReport,
  type FindDecision,
  listUsedPackages,
  mergeCveReviews,
  mergeReviewFile,
  mergeUsages,
  type ProjectFindings,
  type ProjectReport,
  type ScanFailure,
  toOpenVex,
  toReviewFile,
  writeFindingsDocument,
  writeSarif,
} from '../../../core/scans/index.ts'
import { TOOL, writeDocument } from '../bom-files.ts'
import { defineCommand } from '../define-command.ts'
import { CommandError } from '../errors.ts'
import { type FolderScan, findReviewDecisions, scanProjectFolder } from '../folder-scan.ts'
import { type CommandIo, formatTable, type Io, toPrintable } from '../io.ts'
import {
  assertCheckDataLoaded,
  createPackageFinder,
  createVulnerabilityFinder,
  type FindReviewedPackages,
  readFactsOfFindings,
  withLocalCatalogue,
} from '../local-catalogue.ts'
import { printPackageCheck, printVulnerablePackages } from '../package-table.ts'
import {
  planScan,
  SCAN_PROJECT_OPTIONS,
  type ScanPlan,
  type ScanProjectOptions,
} from '../scan-options.ts'
import { submitScan } from '../scan-submit.ts'
import { printScanSummary } from '../scan-summary.ts'
import { printProjectDetails, printProjectReport } from '../scan-table.ts'
import { describeSystemError } from '../system-errors.ts'

/** Exit code of a scan that failed a check of `--fail-on`, and of a failed policy. */
export const EXIT_CODE_CHECK_FAILED = 3

/** `scan project`. */
export const scanProjectCommand = defineCommand({
  name: 'project',
  description: 'Find the third-party APIs that the code and configuration of a project use',
  arguments: [['<folder>', 'project folder']],
  options: SCAN_PROJECT_OPTIONS,
  details: `
Without a database, scans report vendors and hosts; with one, also the APIs in its catalogue.

Exit codes:
  0    scanned; with --fail-on: no findings
  1    not scanned, checked or stored; with --vex: no package has a known CVE
  2    invalid usage
  3    with --fail-on: findings
  130  stopped`,
  examples: [
    'scan project .',
    'scan project . --sarif --output apis.sarif --fail-on new,kev --baseline apis.json',
  ],
  async run({ io, words: [folder], options }) {
    const plan = await planScan(io, { folder, options })
    await withLocalCatalogue(io, options, (known) => runProjectScan(io, { plan, options, known }))
  },
})

/** Inputs of a scan. */
interface ProjectScan extends FolderScan {
  readonly options: ScanProjectOptions
}

async function runProjectScan(io: CommandIo, scan: ProjectScan): Promise<void> {
  const { plan, options, known } = scan
  assertCheckDataLoaded(known, plan.checks)
  if (plan.output.kind === 'vex' && known.cveRecords === 0) {
    throw new CommandError(
      'Cannot print a VEX document: no vulnerabilities are loaded; run "sync all" first',
    )
  }
  if (known.emptyReason !== undefined) io.note(known.emptyReason)
  const decide = await findReviewDecisions(io, scan)
  const startedAt = Date.now()
  const found = await scanProjectFolder(io, scan)
  const seconds = (Date.now() - startedAt) / 1000
  const facts = await readFactsOfFindings(known, {
    found,
    withVulnerabilities: plan.output.kind === 'sarif' || plan.checks.has('kev'),
  })
  const hasAllCves = plan.output.kind === 'vex' || options.writeBaseline !== undefined
  const findPackages = createPackageFinder(known, {
    reviews: plan.cveReviews,
    ...(hasAllCves && { limit: Number.MAX_SAFE_INTEGER }),
  })
  const usedPackages = listUsedPackages(mergeUsages(found.findings))
  const vulnerablePackages = await findPackages(usedPackages)
  const report = buildProjectReport(found, { facts, decide, vulnerablePackages })
  const failures = checkReport(report, plan)
  await printScanOutput(io, { ...scan, found, report, decide, failures, findPackages })
  const isTable = plan.output.kind === 'table'
  printScanSummary(io, { found, seconds, hasHint: isTable && known.emptyReason === undefined })
  printPackageCheck(io, {
    used: usedPackages.length,
    vulnerable: vulnerablePackages.length,
    cveRecords: known.cveRecords,
  })
  if (isTable && !options.verbose && found.findings.length > 0) {
    io.note('Add --verbose to list all services, endpoints and locations, or --json for all data.')
  }
  if (options.writeBaseline !== undefined) {
    await writeReviewFile(io, { path: options.writeBaseline, plan, report })
  }
  if (plan.checks.size > 0 && found.files === 0) {
    throw new CommandError(`Cannot check ${[...plan.checks].join(', ')}: no file was read`)
  }
  if (found.files === 0) io.setFailed()
  if (failures.length > 0) {
    printScanFailures(io, failures)
    io.setFailed(EXIT_CODE_CHECK_FAILED)
  }
  if (!plan.submit) return
  const { projectId, endpoints, matched, advice } = await submitScan(plan.submit, {
    name: plan.name,
    findings: found.findings,
  })
  io.note(
    toPrintable(
      `Stored as ${projectId}: ${endpoints} ${endpoints === 1 ? 'endpoint or library' : 'endpoints and libraries'}, ${matched} matched. ${advice}`,
    ),
  )
}

async function printScanOutput(
  io: CommandIo,
  scan: ProjectScan & {
    readonly found: ProjectFindings
    readonly report: ProjectReport
    readonly decide: FindDecision
    readonly failures: readonly ScanFailure[]
    readonly findPackages: FindReviewedPackages
  },
): Promise<void> {
  const { plan, options, known, found, report, decide, failures } = scan
  const { output, name: projectName } = plan
  if (output.kind === 'table') {
    const print = options.verbose ? printProjectDetails : printProjectReport
    print(io, { found, report, decide, hasCatalogue: known.emptyReason === undefined })
    return printVulnerablePackages(io, report.vulnerablePackages)
  }
  if (output.kind === 'bom') {
    const bom = buildFindingsBom(known.service?.storage.catalogue ?? EMPTY_CATALOGUE, {
      projectName,
      scannedAt: plan.now,
      uses: mergeUsages(found.findings, decide),
    })
    const findVulnerabilities = createVulnerabilityFinder(known)
    const chunks = await renderBom(bom, {
      ...{ shape: output.shape, tool: TOOL, findVulnerabilities },
      findPackageVulnerabilities: scan.findPackages,
    })
    return writeDocument(io, chunks, options.output)
  }
  if (output.kind === 'vex') {
    // The format needs at least one statement.
    if (report.vulnerablePackages.length === 0) {
      io.note('No VEX document to write: no package has a known CVE.')
      io.setFailed()
      return
    }
    const { author = projectName } = options
    const vex = await toOpenVex(report.vulnerablePackages, { author, now: plan.now, tool: TOOL })
    return writeDocument(io, encodeLine(JSON.stringify(vex, null, 2)), options.output)
  }
  const chunks =
    output.kind === 'sarif'
      ? writeSarif(report, { projectName, tool: TOOL, baseline: plan.baseline, failures })
      : writeFindingsDocument(
          { ...found, vulnerablePackages: report.vulnerablePackages },
          projectName,
        )
  await writeDocument(io, chunks, options.output)
}

async function* encodeLine(text: string): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(`${text}\n`)
}

/** An empty catalogue, for a BOM that lists hosts only. */
const EMPTY_CATALOGUE: Parameters<typeof buildFindingsBom>[0] = {
  findApis: async () => [],
  listAgreementsOf: async () => new Map(),
  listVendorAgreements: async () => [],
  findEndpointSummaries: async () => [],
}

async function writeReviewFile(
  io: CommandIo,
  review: { readonly path: string; readonly plan: ScanPlan; readonly report: ProjectReport },
): Promise<void> {
  const { path, plan, report } = review
  const { existingReview: existing } = plan
  const { file, kept, added } = mergeReviewFile(
    toReviewFile(plan.name, report),
    existing?.usages ?? [],
  )
  const merged = mergeCveReviews(file, existing?.cveReviews ?? [])
  try {
    await writeFile(path, `${JSON.stringify(merged, null, 2)}\n`)
  } catch (error) {
    throw new CommandError(`Cannot write ${path}: ${describeSystemError(error)}`)
  }
  const advice = `To approve an endpoint, set its "approval" to "yes".${
    merged.vulnerabilities ? ' To review a CVE, set its "status".' : ''
  }`
  const counts = existing ? `: ${kept} existing decisions preserved, ${added} new` : ''
  io.note(`Wrote ${path}${counts}. ${advice}`)
}

/** Maximum number of printed failures. */
const MAX_PRINTED_FAILURES = 200

/** Prints the findings of `--fail-on`. */
function printScanFailures(io: Io, failures: readonly ScanFailure[]): void {
  const shown = failures.slice(0, MAX_PRINTED_FAILURES)
  io.note(
    formatTable(
      ['CHECK', 'SUBJECT', 'LOCATION', 'REASON'],
      shown.map(({ check, subject, place, reason }) => [
        check,
        subject,
        place ? `${place.file}:${place.line}` : '-',
        reason,
      ]),
    ),
  )
  if (failures.length > shown.length) io.note(`… and ${failures.length - shown.length} more.`)
}
