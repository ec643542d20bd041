import type { Command } from 'commander'
import { compareBoms, mergeBoms, renderBom, renderBoms } from '../../../core/index.ts'
import {
  type BomFormatOptions,
  readBomFormat,
  readBoms,
  TOOL,
  writeDocument,
} from '../bom-files.ts'
import { printBomDifference } from '../bom-text.ts'
import { CommandError, UsageError } from '../errors.ts'
import { checkOutputs } from '../files.ts'
import type { CommandIo } from '../io.ts'
import { type AccountOptions, addAccountOption, type GlobalOptions } from '../service.ts'
import { withStoredScan } from '../stored-scan.ts'
import { addBomValidateCommand } from './bom-validate.ts'

type ExportOptions = AccountOptions &
  BomFormatOptions & {
    readonly project?: string
    readonly repo?: string
    readonly name?: string
    readonly network?: string
  }

/** Adds `bom export|validate|convert|merge|diff`. */
export function addBomCommands(program: Command, io: CommandIo): void {
  const bom = program
    .command('bom')
    .description('Export, validate, convert, merge and compare bills of materials (BOMs)')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery bom export --project shop --output shop.cdx.json\n  api-discovery bom validate shop.cdx.json',
    )
  addBomExportCommand(bom, io)
  addBomValidateCommand(bom, io)
  addBomConvertCommand(bom, io)
  addBomMergeCommand(bom, io)
  addBomDiffCommand(bom, io)
}

function addBomExportCommand(bom: Command, io: CommandIo): void {
  addAccountOption(addFormatOptions(bom.command('export'), 'specification'))
    .description('Export the BOM of a stored scan')
    .option('--project <id>', 'export only the scan with this project ID')
    .option('--name <name>', 'project name; exports its latest scans')
    .option('--repo <id>', 'ID of a network repository')
    .option('--network <name>', 'network name; exports its repositories')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery bom export --account ci --name storefront --to cyclonedx-json --output bom.json\n  api-discovery bom export --network office --to cyclonedx-xml > bom.xml',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<ExportOptions>()
      const shape = readBomFormat(options)
      const selected = [options.project ?? options.name, options.repo ?? options.network]
      if (selected.filter((each) => each !== undefined).length !== 1) {
        throw new UsageError('Cannot export: pass one of --project, --name, --repo and --network')
      }
      await checkOutputs([options.output])
      await withStoredScan(io, options, async ({ app, caller }) => {
        const { name, network: networkName } = options
        const { account } = caller
        const isNone =
          (name !== undefined &&
            (await app.scans.findProjects(account, { name, limit: 1 })).length === 0) ||
          (networkName !== undefined &&
            (await app.scans.findNetworks(account, { networkName, repositories: 1, instances: 1 }))
              .length === 0)
        if (isNone)
          throw new CommandError(
            `Cannot export: no scan of "${name ?? networkName}" in this account`,
          )
        const asked = { format: shape.format, spec_version: shape.version } as const
        const bytes =
          selected[0] === undefined
            ? await app.call(
                'getNetworkBom',
                {
                  ...asked,
                  ...(options.repo === undefined ? {} : { repo_id: options.repo }),
                  ...(options.network === undefined ? {} : { network_name: options.network }),
                },
                caller,
              )
            : await app.call(
                'getProjectBom',
                {
                  ...asked,
                  ...(options.project === undefined ? {} : { project_id: options.project }),
                  ...(options.name === undefined ? {} : { name: options.name }),
                },
                caller,
              )
        await writeDocument(io, toSingleChunk(bytes), options.output)
      })
    })
}

function addBomConvertCommand(bom: Command, io: CommandIo): void {
  addFormatOptions(bom.command('convert'), 'cyclonedx-json')
    .argument('<file>', 'BOM in any supported format; - for standard input')
    .description('Convert a BOM to another format; repairs BOMs in the specification format')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery bom convert sbom.json --to cyclonedx-xml --spec-version 1.6\n  api-discovery bom convert - --output bom.json < bom.xml',
    )
    .action(async (file: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & BomFormatOptions>()
      const shape = readBomFormat(options)
      await checkOutputs([options.output])
      const { boms } = await readBoms(io, file)
      await writeDocument(io, await renderBoms(boms, { shape, tool: TOOL }), options.output)
    })
}

function addBomMergeCommand(bom: Command, io: CommandIo): void {
  addFormatOptions(bom.command('merge'), 'cyclonedx-json')
    .argument('<files...>', 'BOMs to merge')
    .description('Merge BOMs; the strictest approval of an endpoint wins')
    .option('--name <name>', 'name of the merged project (default: name in the first BOM)')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery bom merge web.json worker.json --name storefront --output all.json\n  api-discovery bom merge web.json worker.json --to cyclonedx-xml',
    )
    .action(async (files: readonly string[], _, command: Command) => {
      const options = command.optsWithGlobals<
        GlobalOptions & BomFormatOptions & { readonly name?: string }
      >()
      const shape = readBomFormat(options)
      await checkOutputs([options.output])
      const boms = []
      for (const file of files) boms.push(...(await readBoms(io, file)).boms)
      const merged = await mergeBoms(boms, options.name)
      await writeDocument(io, await renderBom(merged, { shape, tool: TOOL }), options.output)
    })
}

function addBomDiffCommand(bom: Command, io: CommandIo): void {
  bom
    .command('diff')
    .argument('<before>', 'earlier BOM')
    .argument('<after>', 'later BOM')
    .description('Compare the services, endpoints and approvals of two BOMs')
    .addHelpText(
      'after',
      `
Exit codes:
  0  no differences
  1  differences found, or a BOM could not be read

Examples:
  api-discovery bom diff released.json bom.json
  api-discovery bom diff released.json bom.json --json`,
    )
    .action(async (before: string, after: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const [first, second] = [await readSingleBom(io, before), await readSingleBom(io, after)]
      const difference = await compareBoms(first, second)
      if (options.json) io.result(JSON.stringify(difference))
      else printBomDifference(io, difference)
      if (!difference.isSame) io.setFailed()
    })
}

async function readSingleBom(io: CommandIo, file: string) {
  const { boms } = await readBoms(io, file)
  const [only] = boms
  if (only && boms.length === 1) return only
  throw new CommandError(
    `Cannot compare ${file}: it contains ${boms.length} BOMs; it must contain one`,
  )
}

function addFormatOptions(command: Command, fallback: string): Command {
  return command
    .option('--to <format>', 'format: specification, cyclonedx-json or cyclonedx-xml', fallback)
    .option('--spec-version <version>', 'CycloneDX version: 1.5, 1.6 or 1.7 (default: 1.5)')
    .option('--output <file>', 'write to a file')
}

async function* toSingleChunk<Item>(item: Item): AsyncIterable<Item> {
  yield item
}
