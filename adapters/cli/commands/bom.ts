import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import {
  BOM_FORMATS,
  type BomDifference,
  type BomValidation,
  compareBoms,
  explainBom,
  mergeBoms,
  renderBom,
  renderBoms,
} from '../../../core/boms/index.ts'
import { APPROVAL_LABELS } from '../approval-labels.ts'
import {
  readBomFormat,
  readBoms,
  readTextFile,
  TOOL,
  withFileName,
  writeDocument,
} from '../bom-files.ts'
import type { OptionRow } from '../command-values.ts'
import { defineCommand, defineServiceCommand } from '../define-command.ts'
import { CommandError, UsageError } from '../errors.ts'
import { checkOutputs } from '../files.ts'
import { type CommandIo, type Io, toPrintable } from '../io.ts'
import { withScanAdvice } from '../stored-scan.ts'

/** `bom validate`. */
const bomValidateCommand = defineCommand({
  name: 'validate',
  description: 'Validate a CycloneDX document and explain how to fix it',
  arguments: [['<file>', 'document to validate; - for standard input']],
  details: `
JSON is validated with the official schema. XML is validated with the official XSD if xmllint is
installed, otherwise with built-in rules for the most frequent errors.

Exit codes:
  0  valid
  1  not valid or not readable`,
  examples: ['bom validate bom.json', 'bom validate - --json < bom.xml'],
  async run({ io, words: [file], options }) {
    const text = await readTextFile(io, file)
    const verdict = await withFileName(file, () => validateBom(text))
    if (options.json) io.result(JSON.stringify(verdict))
    else printBomVerdict(io, verdict)
    if (!verdict.isValid) return io.setFailed()
    io.note(verdict.isBySchema ? 'Valid.' : 'No errors found.')
    if (!verdict.isBySchema) io.note('Install xmllint to validate XML with the official XSD.')
  },
})

/** Maximum number of reported errors. */
const MAX_LINES = 50

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

/** Validates with the core's rules, then, for XML without findings, with the XSD. */
async function validateBom(text: string): Promise<BomValidation> {
  const verdict = await explainBom(text)
  if (verdict.shape !== 'cyclonedx-xml' || !verdict.isValid) return verdict
  const errors = await validateXml(text, verdict.version)
  if (!errors) return verdict
  const explanations = errors.map((line) => ({
    pointer: '',
    what: line,
    why: 'The official XSD requires it',
    repair: 'change the element to satisfy this rule',
  }))
  return { ...verdict, isBySchema: true, isValid: errors.length === 0, explanations }
}

/**
 * Validates an XML document with `xmllint` and the official XSD of a version. Resolves with its
 * error messages, empty if the document is valid, or with undefined if `xmllint` is not installed.
 */
function validateXml(text: string, version: string): Promise<readonly string[] | undefined> {
  const manifest = createRequire(import.meta.url).resolve(
    '@cyclonedx/cyclonedx-library/package.json',
  )
  const schema = join(dirname(manifest), 'res', 'schema', `bom-${version}.SNAPSHOT.xsd`)
  return new Promise((resolve) => {
    const child = spawn('xmllint', ['--noout', '--nonet', '--schema', schema, '-'], {
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    let errorOutput = ''
    child.on('error', () => resolve(undefined))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      if (errorOutput.length < 1_000_000) errorOutput += chunk
    })
    child.on('close', (code) => {
      if (code === 0) return resolve([])
      const lines = errorOutput
        .split('\n')
        .filter((line) => line !== '' && !/^- (?:fails|vali)/.test(line))
      resolve(lines.slice(0, MAX_LINES))
    })
    // `xmllint` may exit before it has read all input.
    child.stdin.on('error', () => {})
    child.stdin.end(text)
  })
}

const BOM_SHAPE_NAMES = {
  project: 'a project BOM of the specification (2.9)',
  network: 'a network BOM of the specification (2.10)',
  'cyclonedx-json': 'CycloneDX as JSON',
  'cyclonedx-xml': 'CycloneDX as XML',
} as const

/** Prints the differences of two BOMs: `+` added, `-` removed, `~` changed. */
function printBomDifference(io: Io, { services, isSame }: BomDifference): void {
  if (isSame) io.note('No differences.')
  for (const name of services.added) io.result(`+ ${toPrintable(name)}`)
  for (const name of services.gone) io.result(`- ${toPrintable(name)}`)
  for (const change of services.changed) {
    io.result(`~ ${toPrintable(change.name)}`)
    for (const [field, before, after] of change.fields) {
      io.result(
        `    ${field}: ${toPrintable(before) || '(none)'} -> ${toPrintable(after) || '(none)'}`,
      )
    }
    for (const endpoint of change.added) io.result(`  + ${toPrintable(endpoint)}`)
    for (const endpoint of change.gone) io.result(`  - ${toPrintable(endpoint)}`)
    for (const { endpoint, before, after } of change.approvals) {
      const [former, current] = [APPROVAL_LABELS[before], APPROVAL_LABELS[after]]
      io.result(`  ~ ${toPrintable(endpoint)}: ${former} -> ${current}`)
    }
  }
}

/** Prints the format of a document and its validation errors. */
function printBomVerdict(io: Io, verdict: BomValidation): void {
  const { shape, version, explanations } = verdict
  if (shape)
    io.note(`This is ${BOM_SHAPE_NAMES[shape]}${version === '' ? '' : `, version ${version}`}.`)
  for (const { pointer, what, why, repair } of explanations) {
    io.result(`${toPrintable(pointer) || '/'}: ${toPrintable(what)}`)
    io.result(`    why: ${toPrintable(why)}`)
    io.result(`    fix: ${toPrintable(repair)}`)
  }
}
