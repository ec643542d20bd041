import type { Command } from 'commander'
import type { Api, ApiDiscovery } from '../../../core/index.ts'
import { ServiceError } from '../../../core/index.ts'
import { CommandError } from '../errors.ts'
import { readFileBytes } from '../files.ts'
import { type CommandIo, formatTable, type Io, toPrintable } from '../io.ts'
import { type GlobalOptions, OPERATOR, withService } from '../service.ts'
import { addSetAgreementsCommand } from './agreements-set.ts'

/** Adds `agreements list|history|set|import`. */
export function addAgreementCommands(program: Command, io: CommandIo): void {
  const agreements = program
    .command('agreements')
    .description('Show and add licences, terms, policies and prices of APIs')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery agreements list "Skycast Weather"\n  api-discovery agreements import apis.json',
    )
  addListAgreementsCommand(agreements, io)
  addAgreementHistoryCommand(agreements, io)
  addSetAgreementsCommand(agreements, io)
  addImportAgreementsCommand(agreements, io)
}

/** Finds APIs by ID or name: several major versions may share a name. */
async function findCataloguedApis(app: ApiDiscovery, idOrName: string): Promise<readonly Api[]> {
  const apis = await app.agreements.findApis(idOrName)
  if (apis.length > 0) return apis
  throw new CommandError(
    `API "${idOrName}" not found. Use an ID or a name from: api-discovery search`,
  )
}

function addListAgreementsCommand(agreements: Command, io: Io): void {
  agreements
    .command('list')
    .argument('<api>', 'API ID or name')
    .description('List the agreements of an API, both imported and added')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery agreements list "Skycast Weather"\n  api-discovery agreements list 3 --json',
    )
    .action(async (idOrName: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const apis = await findCataloguedApis(app, idOrName)
        const input = (id: number) => ({ api_id: String(id), extended: true })
        for (const { id, name } of apis) {
          const found = await app.call('getAgreementsById', input(id), OPERATOR)
          if (options.json) io.result(JSON.stringify(found))
          else if (found.agreements.length === 0) {
            io.note(
              `No agreements of ${toPrintable(name)} yet. Add one: api-discovery agreements set ${id} --terms URL`,
            )
          } else {
            io.result(
              formatTable(
                ['KIND', 'NAME', 'SPDX', 'SOURCE', 'CHANGED', 'LINK'],
                found.agreements.map((each) => [
                  each.type ?? '',
                  each.agreement_name,
                  each.spdx_id || '-',
                  each.source ?? '',
                  (each.last_changed ?? '').slice(0, 10),
                  each.agreement_link,
                ]),
              ),
            )
          }
        }
      })
    })
}

function addAgreementHistoryCommand(agreements: Command, io: Io): void {
  agreements
    .command('history')
    .argument('<api>', 'API ID or name')
    .description('List changes to the agreements of an API, newest first')
    .option('--page <n>', 'page number; a page has 100 changes', '1')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery agreements history "Skycast Weather"\n  api-discovery agreements history 3 --page 2 --json',
    )
    .action(async (idOrName: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly page: string }>()
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        for (const { id, name } of await findCataloguedApis(app, idOrName)) {
          const page = options.page as unknown as number
          const input = { api_id: String(id), size: 100, page }
          const found = await app.call('listAgreementChanges', input, OPERATOR)
          if (options.json) io.result(JSON.stringify(found))
          else if (found.num_results === 0) {
            io.note(`No changes to the agreements of ${toPrintable(name)} yet.`)
          } else {
            io.result(
              formatTable(
                ['DATE', 'CHANGE', 'SOURCE', 'KIND', 'BEFORE', 'AFTER'],
                found.changes.map(({ changed_at, change, source, before, after }) => [
                  changed_at.slice(0, 10),
                  change,
                  source,
                  (after ?? before)?.type ?? '',
                  before?.agreement_link ?? '-',
                  after?.agreement_link ?? '-',
                ]),
              ),
            )
          }
        }
      })
    })
}

function addImportAgreementsCommand(agreements: Command, io: CommandIo): void {
  agreements
    .command('import')
    .argument('<files...>', 'APIs.json files (JSON or YAML), or - for standard input')
    .description('Add the agreements of catalogued APIs from APIs.json files')
    .addHelpText(
      'after',
      `
APIs in a file are matched to catalogued APIs by name and provider, by name and host, or by base URL.

Exit codes:
  0  all files read
  1  a file could not be read

Examples:
  api-discovery agreements import apis.yaml
  curl -s https://apis.example/apis.json | api-discovery agreements import -`,
    )
    .action(async (files: readonly string[], _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        for (const file of new Set(files)) await importAgreementsFile({ io, app, options }, file)
      })
    })
}

async function importAgreementsFile(
  context: { readonly io: CommandIo; readonly app: ApiDiscovery; readonly options: GlobalOptions },
  file: string,
): Promise<void> {
  const { io, app, options } = context
  try {
    const bytes = file === '-' ? await io.readInput() : await readFileBytes(file)
    const apis = await app.agreements.importIndex({ bytes, by: OPERATOR.account })
    if (options.json) return io.result(JSON.stringify({ file, apis }))
    const rows = apis.map((api) => [
      api.name,
      String(api.agreements),
      api.agreements === 0
        ? 'no agreements in file'
        : api.apis.map(({ apiName, apiId }) => `${apiName} (${apiId})`).join(', ') ||
          'not in the catalogue',
    ])
    if (rows.length > 0) io.result(formatTable(['API', 'AGREEMENTS', 'ADDED TO'], rows))
    else io.note(toPrintable(`${file} lists no APIs.`))
  } catch (error) {
    if (!(error instanceof ServiceError) && !(error instanceof CommandError)) throw error
    io.note(toPrintable(`${file}: ${error.message}`))
    io.setFailed()
  }
}
