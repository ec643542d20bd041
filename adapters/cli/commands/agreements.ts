import type { Api } from '../../../core/catalogue/index.ts'
import { type ApiDiscovery, ServiceError } from '../../../core/index.ts'
import { defineCommand, defineServiceCommand } from '../define-command.ts'
import { CommandError } from '../errors.ts'
import { readFileBytes } from '../files.ts'
import { type CommandIo, formatTable, toPrintable } from '../io.ts'
import { type GlobalOptions, OPERATOR } from '../service.ts'

/** The APIs.json type of an agreement and its default name, by the option of its link. */
const LINKS = {
  terms: ['TermsOfService', 'Terms of service'],
  license: ['InterfaceLicense', 'License'],
  privacy: ['PrivacyPolicy', 'Privacy policy'],
  pricing: ['Pricing', 'Pricing'],
  sla: ['ServiceLevelAgreement', 'Service level agreement'],
  rateLimits: ['RateLimits', 'Rate limits'],
  deprecation: ['DeprecationPolicy', 'Deprecation policy'],
  status: ['StatusPage', 'Status page'],
  changelog: ['ChangeLog', 'Change log'],
  support: ['Support', 'Support'],
} as const

/** `agreements set`. */
const setAgreementsCommand = defineServiceCommand({
  name: 'set',
  description: 'Add agreements of an API; each replaces the previous one of its kind',
  arguments: [['<api>', 'API ID, or API name with --vendor']],
  options: [
    ['--vendor <name>', 'vendor of the named API; adds the API if it is unknown'],
    ['--terms <url>', 'terms of service URL'],
    ['--license <url>', 'license URL'],
    ['--privacy <url>', 'privacy policy URL'],
    ['--pricing <url>', 'pricing URL'],
    ['--sla <url>', 'service level agreement URL'],
    ['--rate-limits <url>', 'rate limits URL'],
    ['--deprecation <url>', 'deprecation policy URL'],
    ['--status <url>', 'status page URL'],
    ['--changelog <url>', 'change log URL'],
    ['--support <url>', 'support URL'],
    ['--name <name>', 'name of the agreement, such as "Apache 2.0"; needs exactly one link'],
    ['--text <file>', 'file with its text, which assessments may quote; needs exactly one link'],
  ],
  examples: [
    'agreements set 3 --terms https://skycast.example/terms --text terms.txt',
    'agreements set "Skycast Weather" --vendor Skycast --pricing https://skycast.example/prices',
  ],
  async prepare({ options }) {
    const links = readLinks(options)
    const text = options.text === undefined ? undefined : await readAgreementText(options.text)
    return links.map((each) => ({ ...each, text }))
  },
  async run({ app, caller, words: [api], options, prepared: agreements }) {
    const entered = await app.agreements.enter({
      target:
        options.vendor === undefined
          ? { apiId: api }
          : { apiName: api, vendorName: options.vendor },
      agreements,
      by: caller.account,
      mode: 'kinds',
    })
    const list = await app.agreements.list(entered)
    const own = list.filter(({ source }) => source === 'entered')
    return {
      json: own,
      table: {
        headings: ['KIND', 'NAME', 'LINK'],
        rows: own.map(({ kind, name, link }) => [kind, name, link]),
      },
    }
  },
})

/** `agreements list|history|set|import`. */
export const agreementCommands = defineCommand({
  name: 'agreements',
  description: 'Show and add licences, terms, policies and prices of APIs',
  examples: ['agreements list "Skycast Weather"', 'agreements import apis.json'],
  commands: [
    defineServiceCommand({
      name: 'list',
      description: 'List the agreements of an API, both imported and added',
      arguments: [['<api>', 'API ID or name']],
      examples: ['agreements list "Skycast Weather"', 'agreements list 3 --json'],
      async run({ io, app, caller, words: [idOrName], options }) {
        for (const { id, name } of await findCataloguedApis(app, idOrName)) {
          const input = { api_id: String(id), extended: true }
          const found = await app.call('getAgreementsById', input, caller)
          const rows = found.agreements.map((each) => [
            each.type ?? '',
            each.agreement_name,
            each.spdx_id || '-',
            each.source ?? '',
            (each.last_changed ?? '').slice(0, 10),
            each.agreement_link,
          ])
          if (options.json) io.result(JSON.stringify(found))
          else if (rows.length === 0) {
            io.note(
              `No agreements of ${toPrintable(name)} yet. Add one: api-discovery agreements set ${id} --terms URL`,
            )
          } else {
            io.result(formatTable(['KIND', 'NAME', 'SPDX', 'SOURCE', 'CHANGED', 'LINK'], rows))
          }
        }
      },
    }),
    defineServiceCommand({
      name: 'history',
      description: 'List changes to the agreements of an API, newest first',
      arguments: [['<api>', 'API ID or name']],
      options: [['--page <n>', 'page number; a page has 100 changes', { default: '1' }]],
      examples: ['agreements history "Skycast Weather"', 'agreements history 3 --page 2 --json'],
      async run({ io, app, caller, words: [idOrName], options }) {
        for (const { id, name } of await findCataloguedApis(app, idOrName)) {
          const page = options.page as unknown as number
          const input = { api_id: String(id), size: 100, page }
          const found = await app.call('listAgreementChanges', input, caller)
          const rows = found.changes.map(({ changed_at, change, source, before, after }) => [
            changed_at.slice(0, 10),
            change,
            source,
            (after ?? before)?.type ?? '',
            before?.agreement_link ?? '-',
            after?.agreement_link ?? '-',
          ])
          if (options.json) io.result(JSON.stringify(found))
          else if (found.num_results === 0) {
            io.note(`No changes to the agreements of ${toPrintable(name)} yet.`)
          } else {
            io.result(formatTable(['DATE', 'CHANGE', 'SOURCE', 'KIND', 'BEFORE', 'AFTER'], rows))
          }
        }
      },
    }),
    setAgreementsCommand,
    defineServiceCommand({
      name: 'import',
      description: 'Add the agreements of catalogued APIs from APIs.json files',
      arguments: [['<files...>', 'APIs.json files (JSON or YAML), or - for standard input']],
      details: `
APIs in a file are matched to catalogued APIs by name and provider, by name and host, or by base URL.

Exit codes:
  0  all files read
  1  a file could not be read`,
      examples: [
        'agreements import apis.yaml',
        'curl -s https://apis.example/apis.json | api-discovery agreements import -',
      ],
      async run({ io, app, words: [files], options }) {
        for (const file of new Set(files)) await importAgreementsFile({ io, app, options }, file)
      },
    }),
  ],
})

/** Finds APIs by ID or name: several major versions may share a name. */
async function findCataloguedApis(app: ApiDiscovery, idOrName: string): Promise<readonly Api[]> {
  const apis = await app.agreements.findApis(idOrName)
  if (apis.length > 0) return apis
  throw new CommandError(
    `API "${idOrName}" not found. Use an ID or a name from: api-discovery search`,
  )
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

function readLinks(
  options: { readonly [Name in keyof typeof LINKS]?: string | undefined } & {
    readonly name?: string | undefined
    readonly text?: string | undefined
  },
) {
  const links = Object.entries(LINKS).flatMap(([name, [type, label]]) => {
    const link = options[name as keyof typeof LINKS]
    return link === undefined ? [] : [{ type, name: options.name ?? label, link }]
  })
  if (links.length === 0) {
    throw new CommandError('Cannot set agreements: pass --terms URL or another link')
  }
  if (links.length > 1 && (options.text !== undefined || options.name !== undefined)) {
    throw new CommandError('Cannot use --name or --text with several links: set one link at a time')
  }
  return links
}

async function readAgreementText(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFileBytes(file))
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`Cannot read ${file}: it is not valid UTF-8`)
  }
}
