import type { Command } from 'commander'
import { type ImportReport, ServiceError } from '../../../core/index.ts'
import { CommandError } from '../errors.ts'
import { listDescriptionFiles, readFileBytes } from '../files.ts'
import { type CommandIo, type Io, toTable } from '../io.ts'
import { createProgress } from '../progress.ts'
import { type GlobalOptions, type OpenService, withService } from '../service.ts'

interface ImportOptions extends GlobalOptions {
  readonly vendor?: string
  readonly category?: string
  readonly createVendors?: boolean
  readonly baseUrl?: string
  readonly private?: boolean
  readonly strict?: boolean
}

interface Failure {
  readonly file: string
  readonly reason: string
}

interface Totals {
  files: number
  imported: number
  operations: number
  added: number
  changed: number
  removed: number
  unchanged: number
  skipped: number
  warnings: number
}

/** Adds `import`. */
export function addImportCommand(program: Command, io: CommandIo): void {
  program
    .command('import')
    .argument('<source>', 'a description, a folder of them, or - for standard input')
    .description('Import Swagger and OpenAPI descriptions.')
    .option('--vendor <name>', "vendor; the description's provider name or host when absent")
    .option('--category <name>', "category; the description's own, else a general one, when absent")
    .option('--create-vendors', 'enter vendors that do not exist yet')
    .option('--base-url <url>', 'absolute URL against which relative servers are resolved')
    .option('--private', 'mark the APIs as not public')
    .option('--strict', 'exit with 1 when any file fails, for CI')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery import openapi.yaml --vendor Acme --category "Software & Services"\n  api-discovery import ./descriptions --create-vendors --strict',
    )
    .action(async (source: string, _, command: Command) => {
      const options = command.optsWithGlobals<ImportOptions>()
      const files = source === '-' ? ['-'] : await listDescriptionFiles(source)
      if (files.length === 0) {
        throw new CommandError(`Cannot import ${source}: it holds no .json, .yaml or .yml file`)
      }
      await withService(io, options, (service) => importFiles({ io, service, options }, files))
    })
}

/** Imports files one after another; a bad one never stops the rest. */
async function importFiles(
  given: { readonly io: CommandIo; readonly service: OpenService; readonly options: ImportOptions },
  files: readonly string[],
): Promise<void> {
  const { io, options } = given
  const totals = newTotals(files.length)
  const failures: Failure[] = []
  const progress = createProgress(io, files.length)
  for (const file of files) {
    const outcome = await importFile(given, file)
    if ('reason' in outcome) failures.push(outcome)
    else addReport(totals, outcome)
    progress.advance('reason' in outcome)
  }
  progress.end()
  if (options.json) io.result(JSON.stringify({ ...totals, failures }))
  else printTotals(io, totals, failures)
  const hasFailed = totals.imported === 0 || (options.strict && failures.length > 0)
  if (hasFailed) io.setFailed()
}

async function importFile(
  given: { readonly io: CommandIo; readonly service: OpenService; readonly options: ImportOptions },
  file: string,
): Promise<ImportReport | Failure> {
  const { io, service, options } = given
  try {
    const bytes = file === '-' ? await io.readInput() : await readFileBytes(file)
    const { report } = await service.app.imports.importDescription({
      bytes,
      vendorName: options.vendor,
      categoryName: options.category,
      createVendor: options.createVendors ?? false,
      baseUrl: options.baseUrl,
      isPublic: !options.private,
    })
    return report
  } catch (error) {
    const isExpected = error instanceof ServiceError || error instanceof CommandError
    if (!isExpected) throw error
    return { file, reason: error.message }
  }
}

function newTotals(files: number): Totals {
  return {
    files,
    imported: 0,
    operations: 0,
    added: 0,
    changed: 0,
    removed: 0,
    unchanged: 0,
    skipped: 0,
    warnings: 0,
  }
}

function addReport(totals: Totals, report: ImportReport): void {
  totals.imported += 1
  for (const name of [
    'operations',
    'added',
    'changed',
    'removed',
    'unchanged',
    'skipped',
  ] as const) {
    totals[name] += report[name]
  }
  totals.warnings += report.warnings.length
}

function printTotals(io: Io, totals: Totals, failures: readonly Failure[]): void {
  if (failures.length > 0) {
    io.note(
      toTable(
        ['NOT IMPORTED', 'REASON'],
        failures.map(({ file, reason }) => [file, reason]),
      ),
    )
  }
  if (failures.some(({ reason }) => reason.startsWith('vendor is unknown'))) {
    io.note('Vendors that do not exist yet are entered with --create-vendors.')
  }
  io.result(`${totals.imported} of ${totals.files} files imported, ${totals.operations} operations`)
  io.result(
    `endpoints: ${totals.added} added, ${totals.changed} changed, ${totals.removed} removed, ${totals.unchanged} unchanged`,
  )
  if (totals.skipped + totals.warnings > 0) {
    io.result(
      `${totals.skipped} operations skipped, ${totals.warnings} warnings (--json counts them)`,
    )
  }
}
