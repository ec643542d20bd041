import type { Command } from 'commander'
import { CommandError } from '../errors.ts'
import { readFileBytes } from '../files.ts'
import { type CommandIo, formatTable } from '../io.ts'
import { type GlobalOptions, OPERATOR, withService } from '../service.ts'

/** Link options by name: the APIs.json type of the agreement and its default name. */
const LINK_OPTIONS = {
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

type LinkOptions = { readonly [Name in keyof typeof LINK_OPTIONS]?: string }

interface SetOptions extends GlobalOptions, LinkOptions {
  readonly vendor?: string
  readonly name?: string
  readonly text?: string
}

/** Adds `agreements set`. */
export function addSetAgreementsCommand(agreements: Command, io: CommandIo): void {
  const command = agreements
    .command('set')
    .argument('<api>', 'API ID, or API name with --vendor')
    .description('Add agreements of an API; each replaces the previous one of its kind')
    .option('--vendor <name>', 'vendor of the named API; adds the API if it is unknown')
  for (const [name, [, label]] of Object.entries(LINK_OPTIONS)) {
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    command.option(`--${flag} <url>`, `${label.toLowerCase()} URL`)
  }
  command
    .option('--name <name>', 'name of the agreement, such as "Apache 2.0"; needs exactly one link')
    .option(
      '--text <file>',
      'file with its text, which assessments may quote; needs exactly one link',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery agreements set 3 --terms https://skycast.example/terms --text terms.txt\n  api-discovery agreements set "Skycast Weather" --vendor Skycast --pricing https://skycast.example/prices',
    )
    .action(async (api: string, _, action: Command) => {
      const options = action.optsWithGlobals<SetOptions>()
      const links = Object.entries(LINK_OPTIONS).flatMap(([name, [type, label]]) => {
        const link = options[name as keyof LinkOptions]
        return link === undefined ? [] : [{ type, name: options.name ?? label, link }]
      })
      if (links.length === 0)
        throw new CommandError('Cannot set agreements: pass --terms URL or another link')
      if (links.length > 1 && (options.text !== undefined || options.name !== undefined)) {
        throw new CommandError(
          'Cannot use --name or --text with several links: set one link at a time',
        )
      }
      const text = options.text === undefined ? undefined : await readAgreementText(options.text)
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const entered = await app.agreements.enter({
          target:
            options.vendor === undefined
              ? { apiId: api }
              : { apiName: api, vendorName: options.vendor },
          agreements: links.map((each) => ({ ...each, text })),
          by: OPERATOR.account,
          mode: 'kinds',
        })
        const list = await app.agreements.list(entered)
        const own = list.filter(({ source }) => source === 'entered')
        if (options.json) return io.result(JSON.stringify(own))
        io.result(
          formatTable(
            ['KIND', 'NAME', 'LINK'],
            own.map(({ kind, name, link }) => [kind, name, link]),
          ),
        )
      })
    })
}

async function readAgreementText(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFileBytes(file))
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`Cannot read ${file}: it is not valid UTF-8`)
  }
}
