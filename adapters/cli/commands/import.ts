import { basename, resolve } from 'node:path'
import { ServiceError } from '../../../core/index.ts'
import type { OptionValues } from '../command-values.ts'
import { defineCommand } from '../define-command.ts'
import { CommandError } from '../errors.ts'
import { listDescriptionFiles, readFileBytes } from '../files.ts'
import { createImportTally, type ImportTally, printImportSummary } from '../import-summary.ts'
import type { CommandIo } from '../io.ts'
import { createProgress } from '../progress.ts'
import { type GlobalOptions, type OpenService, withService } from '../service.ts'

const IMPORT_OPTIONS = [
  ['--vendor <name>', 'vendor (default: provider name, domain or title of the description)'],
  ['--category <name>', 'category (default: category of the description, or a general one)'],
  ['--create-vendors', 'add vendors that are not in the catalogue'],
  ['--base-url <url>', 'absolute URL for resolving relative server URLs'],
  ['--private', 'mark the APIs as private'],
  ['--strict', 'exit with 1 if any file fails, for CI'],
] as const

type ImportOptions = GlobalOptions & OptionValues<typeof IMPORT_OPTIONS>

/** `import`. */
export const importCommand = defineCommand({
  name: 'import',
  description: 'Import Swagger and OpenAPI descriptions, MCP and A2A cards',
  arguments: [['<sources...>', 'description files, folders, or - for standard input']],
  options: IMPORT_OPTIONS,
  details: `
Exit codes:
  0  at least one file of each source imported
  1  no file of a source imported; with --strict: any file failed`,
  examples: [
    'import openapi.yaml --vendor Acme --category "Software & Services"',
    'import one.json two.yaml ./descriptions --create-vendors --strict',
  ],
  async run({ io, words: [sources], options }) {
    const found = await Promise.all(removeDuplicatePaths(sources).map(findSourceFiles))
    const [only] = found
    if (found.length === 1 && only?.reason) throw new CommandError(only.reason)
    await withService(io, options, (service) => importFiles({ io, service, options }, found))
  },
})

/** A source with its files, or the reason why it has none. */
interface ImportSource {
  readonly name: string
  readonly files: readonly string[]
  readonly reason?: string
}

async function findSourceFiles(name: string): Promise<ImportSource> {
  if (name === '-') return { name, files: ['-'] }
  if (/^https?:\/\//i.test(name)) {
    const reason = `Cannot import ${name}: URLs are not supported; download the description first`
    return { name, files: [], reason }
  }
  try {
    const files = await listDescriptionFiles(name)
    if (files.length > 0) return { name, files }
    const reason = `Cannot import ${name}: it contains no .json, .yaml or .yml file`
    return { name, files, reason }
  } catch (error) {
    if (error instanceof CommandError) return { name, files: [], reason: error.message }
    throw error
  }
}

/** Removes duplicate paths; the first spelling wins. */
function removeDuplicatePaths(names: readonly string[]): readonly string[] {
  const byPath = new Map<string, string>()
  for (const name of names) {
    const path = resolveSourcePath(name)
    if (!byPath.has(path)) byPath.set(path, name)
  }
  return [...byPath.values()]
}

function resolveSourcePath(name: string): string {
  return name === '-' ? name : resolve(name)
}

/** Imports each file once, in sequence. A failed file does not stop the rest. */
async function importFiles(
  context: {
    readonly io: CommandIo
    readonly service: OpenService
    readonly options: ImportOptions
  },
  sources: readonly ImportSource[],
): Promise<void> {
  const { io, options } = context
  const files = removeDuplicatePaths(sources.flatMap((source) => source.files))
  const missing = sources.filter(({ reason }) => reason !== undefined)
  const tally = createImportTally(files.length)
  for (const { name, reason = '' } of missing) tally.fail({ file: name, reason })
  const progress = createProgress(io, files.length)
  const failed = new Set<string>()
  for (const file of files) {
    const isImported = await importFile(context, { file, tally })
    if (!isImported) failed.add(resolveSourcePath(file))
    progress.advance(!isImported)
  }
  progress.end()
  const summary = tally.summary()
  if (options.json) io.result(JSON.stringify(summary))
  else printImportSummary(io, summary, { folder: findOnlyFolder(sources) })
  const gaveNothing = sources.some((source) =>
    source.files.every((file) => failed.has(resolveSourcePath(file))),
  )
  if (gaveNothing || (options.strict && failed.size > 0)) io.setFailed()
}

/** Returns the folder that is the only source; undefined for files and several sources. */
function findOnlyFolder([first, ...others]: readonly ImportSource[]): string | undefined {
  const isFolder = first && others.length === 0 && !first.files.includes(first.name)
  return isFolder ? first.name : undefined
}

/** Imports a file and records the outcome in the tally. Resolves with whether it was imported. */
async function importFile(
  context: {
    readonly io: CommandIo
    readonly service: OpenService
    readonly options: ImportOptions
  },
  { file, tally }: { readonly file: string; readonly tally: ImportTally },
): Promise<boolean> {
  const { io, service, options } = context
  try {
    const bytes = file === '-' ? await io.readInput() : await readFileBytes(file)
    const imported = await service.app.imports.importDescription({
      bytes,
      vendorName: options.vendor,
      categoryName: options.category,
      createVendor: options.createVendors ?? false,
      baseUrl: options.baseUrl,
      isPublic: !options.private,
      fileName: file === '-' ? '' : basename(file),
    })
    tally.succeed(file, imported)
    return true
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof CommandError)) throw error
    const vendor = error instanceof ServiceError ? error.extra.unknown_vendor : undefined
    const isVendor = typeof vendor === 'string'
    tally.fail({ file, reason: error.message, ...(isVendor && { unknown_vendor: vendor }) })
    return false
  }
}
