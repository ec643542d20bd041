import type { Command } from 'commander'
import { ServiceError } from '../../../core/index.ts'
import { CommandError } from '../errors.ts'
import { listDescriptionFiles, readFileBytes } from '../files.ts'
import { createImportTally, type ImportTally, printImportSummary } from '../import-summary.ts'
import type { CommandIo } from '../io.ts'
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

/** Adds `import`. */
export function addImportCommand(program: Command, io: CommandIo): void {
  program
    .command('import')
    .argument('<source>', 'a description, a folder of them, or - for standard input')
    .description('Import Swagger and OpenAPI descriptions.')
    .option(
      '--vendor <name>',
      "vendor; the description's provider name, domain or title when absent",
    )
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
  const tally = createImportTally(files.length)
  const progress = createProgress(io, files.length)
  for (const file of files) {
    const reason = await importFile(given, { file, tally })
    if (reason !== undefined) tally.fail(file, reason)
    progress.advance(reason !== undefined)
  }
  progress.end()
  const summary = tally.summary()
  if (options.json) io.result(JSON.stringify(summary))
  else printImportSummary(io, summary)
  const hasFailed = summary.imported === 0 || (options.strict && summary.failures.length > 0)
  if (hasFailed) io.setFailed()
}

/** Why a file could not be imported; undefined when it was. */
async function importFile(
  given: { readonly io: CommandIo; readonly service: OpenService; readonly options: ImportOptions },
  { file, tally }: { readonly file: string; readonly tally: ImportTally },
): Promise<string | undefined> {
  const { io, service, options } = given
  try {
    const bytes = file === '-' ? await io.readInput() : await readFileBytes(file)
    const imported = await service.app.imports.importDescription({
      bytes,
      vendorName: options.vendor,
      categoryName: options.category,
      createVendor: options.createVendors ?? false,
      baseUrl: options.baseUrl,
      isPublic: !options.private,
    })
    tally.succeed(file, imported)
    return undefined
  } catch (error) {
    if (error instanceof ServiceError || error instanceof CommandError) return error.message
    throw error
  }
}
