import {
  BOM_FORMATS,
  compareBoms,
  mergeBoms,
  renderBom,
  renderBoms,
} from '../../../core/boms/index.ts'
import { readBomFormat, readBoms, TOOL, writeDocument } from '../bom-files.ts'
import { printBomDifference } from '../bom-text.ts'
import type { OptionRow } from '../command-values.ts'
import { defineCommand, defineServiceCommand } from '../define-command.ts'
import { CommandError, UsageError } from '../errors.ts'
import { checkOutputs } from '../files.ts'
import type { CommandIo } from '../io.ts'
import { withScanAdvice } from '../stored-scan.ts'
import { bomValidateCommand } from './bom-validate.ts'

const FORMAT = ['--to <format>', 'format: specification, cyclonedx-json or cyclonedx-xml'] as const
const OUTPUT_OPTIONS = [
  ['--spec-version <version>', 'CycloneDX version: 1.5, 1.6 or 1.7 (default: 1.5)'],
  ['--output <file>', 'write to a file'],
] as const satisfies readonly OptionRow[]
const CYCLONEDX_OPTIONS = [
  [...FORMAT, { suggestions: BOM_FORMATS, default: 'cyclonedx-json' }],
  ...OUTPUT_OPTIONS,
] as const

/** `bom export|validate|convert|merge|diff`. */
export const bomCommands = defineCommand({
  name: 'bom',
  description: 'Export, validate, convert, merge and compare bills of materials (BOMs)',
  examples: ['bom export --project shop --output shop.cdx.json', 'bom validate shop.cdx.json'],
  commands: [
    defineServiceCommand({
      name: 'export',
      description: 'Export the BOM of a stored scan',
      account: 'operator',
      options: [
        [...FORMAT, { suggestions: BOM_FORMATS, default: 'specification' }],
        ...OUTPUT_OPTIONS,
        ['--project <id>', 'export only the scan with this project ID'],
        ['--name <name>', 'project name; exports its latest scans'],
        ['--repo <id>', 'ID of a network repository'],
        ['--network <name>', 'network name; exports its repositories'],
      ],
      examples: [
        'bom export --account ci --name storefront --to cyclonedx-json --output bom.json',
        'bom export --network office --to cyclonedx-xml > bom.xml',
      ],
      async prepare({ options }) {
        const shape = readBomFormat(options)
        const selected = [options.project ?? options.name, options.repo ?? options.network]
        if (selected.filter((each) => each !== undefined).length !== 1) {
          throw new UsageError('Cannot export: pass one of --project, --name, --repo and --network')
        }
        await checkOutputs([options.output])
        return shape
      },
      run: (service) =>
        withScanAdvice(service, async () => {
          const { io, app, caller, options } = service
          const { project, repo, name, network: networkName, output } = options
          const { account } = caller
          const isNone =
            (name !== undefined &&
              (await app.scans.findProjects(account, { name, limit: 1 })).length === 0) ||
            (networkName !== undefined &&
              (
                await app.scans.findNetworks(account, {
                  networkName,
                  repositories: 1,
                  instances: 1,
                })
              ).length === 0)
          if (isNone) {
            throw new CommandError(
              `Cannot export: no scan of "${name ?? networkName}" in this account`,
            )
          }
          const { format, version } = service.prepared
          const asked = { format, spec_version: version } as const
          const bytes =
            (project ?? name) === undefined
              ? await app.call(
                  'getNetworkBom',
                  { ...asked, repo_id: repo, network_name: networkName },
                  caller,
                )
              : await app.call('getProjectBom', { ...asked, project_id: project, name }, caller)
          await writeDocument(io, toSingleChunk(bytes), output)
        }),
    }),
    bomValidateCommand,
    defineCommand({
      name: 'convert',
      description: 'Convert a BOM to another format; repairs BOMs in the specification format',
      arguments: [['<file>', 'BOM in any supported format; - for standard input']],
      options: CYCLONEDX_OPTIONS,
      examples: [
        'bom convert sbom.json --to cyclonedx-xml --spec-version 1.6',
        'bom convert - --output bom.json < bom.xml',
      ],
      async run({ io, words: [file], options }) {
        const shape = readBomFormat(options)
        await checkOutputs([options.output])
        const { boms } = await readBoms(io, file)
        await writeDocument(io, await renderBoms(boms, { shape, tool: TOOL }), options.output)
      },
    }),
    defineCommand({
      name: 'merge',
      description: 'Merge BOMs; the strictest approval of an endpoint wins',
      arguments: [['<files...>', 'BOMs to merge']],
      options: [
        ...CYCLONEDX_OPTIONS,
        ['--name <name>', 'name of the merged project (default: name in the first BOM)'],
      ],
      examples: [
        'bom merge web.json worker.json --name storefront --output all.json',
        'bom merge web.json worker.json --to cyclonedx-xml',
      ],
      async run({ io, words: [files], options }) {
        const shape = readBomFormat(options)
        await checkOutputs([options.output])
        const boms = []
        for (const file of files) boms.push(...(await readBoms(io, file)).boms)
        const merged = await mergeBoms(boms, options.name)
        await writeDocument(io, await renderBom(merged, { shape, tool: TOOL }), options.output)
      },
    }),
    defineCommand({
      name: 'diff',
      description: 'Compare the services, endpoints and approvals of two BOMs',
      arguments: [
        ['<before>', 'earlier BOM'],
        ['<after>', 'later BOM'],
      ],
      details: `
Exit codes:
  0  no differences
  1  differences found, or a BOM could not be read`,
      examples: ['bom diff released.json bom.json', 'bom diff released.json bom.json --json'],
      async run({ io, words: [before, after], options }) {
        const [first, second] = [await readSingleBom(io, before), await readSingleBom(io, after)]
        const difference = await compareBoms(first, second)
        if (!difference.isSame) io.setFailed()
        if (options.json) return { json: difference }
        printBomDifference(io, difference)
        return undefined
      },
    }),
  ],
})

async function readSingleBom(io: CommandIo, file: string) {
  const { boms } = await readBoms(io, file)
  const [only] = boms
  if (only && boms.length === 1) return only
  throw new CommandError(
    `Cannot compare ${file}: it contains ${boms.length} BOMs; it must contain one`,
  )
}

async function* toSingleChunk<Item>(item: Item): AsyncIterable<Item> {
  yield item
}
