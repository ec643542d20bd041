import { writeDocument } from '../bom-files.ts'
import type { OptionRow } from '../command-values.ts'
import { defineCommand, defineServiceCommand } from '../define-command.ts'
import { UsageError } from '../errors.ts'
import { checkOutputs } from '../files.ts'

const SHARED_OPTIONS = [
  ['--base-url <url>', 'address of the HTTP API, for links to descriptions', { parse: readUrl }],
  ['--output <file>', 'write to a file'],
] as const satisfies readonly OptionRow[]

/** `export apis-json|backstage`. */
export const exportCommands = defineCommand({
  name: 'export',
  description: 'Export the catalogue for other registries and developer portals',
  examples: [
    'export apis-json --url https://tools.example/apis.json --output apis.json',
    'export backstage --account ci --owner group:platform --output catalog-info.yaml',
  ],
  commands: [
    defineServiceCommand({
      name: 'apis-json',
      description: 'Export all APIs with their agreements as APIs.json 0.17',
      options: [
        [
          '--url <url>',
          'address at which the file will be published',
          { parse: readUrl, isRequired: true },
        ],
        ['--name <name>', 'name of the collection'],
        ...SHARED_OPTIONS,
      ],
      examples: [
        'export apis-json --url https://tools.example/apis.json > apis.json',
        'export apis-json --url https://tools.example/apis.json --base-url https://tools.example/api',
      ],
      prepare: ({ options }) => checkOutputs([options.output]),
      run: ({ io, app, options }) => {
        const { url, name, baseUrl, output } = options
        return writeDocument(io, app.exports.apisJson({ url, name, baseUrl }), output)
      },
    }),
    defineServiceCommand({
      name: 'backstage',
      description: 'Export all APIs and the scanned projects of an account as Backstage entities',
      account: 'operator',
      options: [
        ['--owner <reference>', 'owner of the entities', { default: 'unknown' }],
        ...SHARED_OPTIONS,
      ],
      details: `
Definitions are the texts of the descriptions. With --base-url they are links to them, which Backstage
reads with an API key.`,
      examples: [
        'export backstage --account ci --owner group:platform --output catalog-info.yaml',
        'export backstage --base-url https://tools.example/api > catalog-info.yaml',
      ],
      prepare: ({ options }) => checkOutputs([options.output]),
      run: ({ io, app, caller, options }) => {
        const { owner, baseUrl, output } = options
        const { account } = caller
        return writeDocument(io, app.exports.backstage({ account, owner, baseUrl }), output)
      },
    }),
  ],
})

function readUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
    return text.replace(/\/+$/, '')
  throw new UsageError(`Invalid URL "${text}": must look like https://tools.example/api`)
}
