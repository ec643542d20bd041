import { defineServiceCommand } from '../define-command.ts'
import { CommandError } from '../errors.ts'
import { readFileBytes } from '../files.ts'

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
export const setAgreementsCommand = defineServiceCommand({
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
