import {
  diffUsages,
  getUsageName,
  isEmptyDiff,
  type ScanDiff,
  type StoredUsage,
} from '../../../core/scans/index.ts'
import { defineCommand } from '../define-command.ts'
import { UsageError } from '../errors.ts'
import { checkOutputs } from '../files.ts'
import { openGeoip } from '../geoip.ts'
import { type CommandIo, formatCount, type Io, toPrintable } from '../io.ts'
import { withLocalCatalogue } from '../local-catalogue.ts'
import { scanInterface } from '../network-live.ts'
import {
  checkNetworkOptions,
  findSubmitTarget,
  SCAN_NETWORK_OPTIONS,
  type ScanNetworkOptions,
  toNetworkHead,
} from '../network-options.ts'
import { printDamage, printFlows } from '../network-print.ts'
import { listSources, readSources, type SourceFlows } from '../network-sources.ts'
import { type NetworkSubmission, openSubmission } from '../network-submit.ts'
import { collectValues, parseChecks, readUsagesFile } from '../scan-options.ts'
import { withStop } from '../with-stop.ts'
import { EXIT_CODE_CHECK_FAILED, scanProjectCommand } from './scan-project.ts'

/** `scan network`. */
const scanNetworkCommand = defineCommand({
  name: 'network',
  description: 'Find the third-party APIs that a network calls',
  arguments: [['[files...]', 'captures, HAR files, logs or folders; - for standard input']],
  options: SCAN_NETWORK_OPTIONS,
  details: `
Reads pcap and pcapng captures, HAR files, Zeek logs, and access logs of servers and proxies, each
optionally compressed with gzip.

Exit codes:
  0    scanned
  1    a source could not be read, or the scan could not be stored
  2    invalid usage
  130  stopped`,
  examples: [
    'scan network capture.pcap session.har access.log.gz',
    'scan network --interface eth0 --duration 01:00:00 --submit http://127.0.0.1:8080',
  ],
  async run({ io, words: [files], options }) {
    checkNetworkOptions(files, options)
    await checkOutputs([options.output])
    const { interface: name } = options
    if (name === undefined) await scanFiles(io, { files, options })
    else await scanInterface(io, { name, options })
  },
})

/** Maximum number of skipped files to name. */
const MAX_PRINTED_FILES = 5

/** `scan diff`. */
const scanDiffCommand = defineCommand({
  name: 'diff',
  description: 'List new, removed and changed endpoints, APIs and hosts between two project scans',
  arguments: [
    ['<before>', 'JSON output of an earlier scan, a review file or a BOM'],
    ['<after>', 'later scan, in any of these formats; - for standard input'],
  ],
  options: [
    [
      '--fail-on <checks>',
      'exit with 3 on findings of this check: new',
      { parse: collectValues, suggestions: ['new'] },
    ],
  ],
  details: `
To compare network scans, export their BOMs with "bom export --repo ID" and use "bom diff".

Exit codes:
  0  compared
  1  a scan could not be read
  2  invalid usage
  3  with --fail-on new: new endpoints found`,
  examples: [
    'scan diff before.json after.json --json',
    'api-discovery scan project . --json | api-discovery scan diff apis.json - --fail-on new',
  ],
  async run({ io, words: [before, after], options }) {
    if (before === '-' && after === '-') {
      throw new UsageError('Cannot compare: only one of the scans can be read from standard input')
    }
    const checks = parseChecks(options.failOn ?? [], ['new'])
    const diff = diffUsages(await readUsagesFile(io, before), await readUsagesFile(io, after))
    if (options.json) io.result(JSON.stringify(toScanDiffJson(diff)))
    else if (isEmptyDiff(diff)) io.note('No differences.')
    else printScanDiff(io, diff)
    const { length } = diff.endpoints.new
    if (!checks.has('new') || length === 0) return
    io.note(`Failed: ${length} new ${length === 1 ? 'endpoint' : 'endpoints'}.`)
    io.setFailed(EXIT_CODE_CHECK_FAILED)
  },
})

/** `scan project|network|diff`. */
export const scanCommands = defineCommand({
  name: 'scan',
  description: 'Find the third-party APIs that a project or a network uses',
  examples: ['scan project .', 'scan network capture.pcap'],
  commands: [scanProjectCommand, scanNetworkCommand, scanDiffCommand],
})

/** Prints the differences of two scans: `+` added, `-` removed, `~` changed. */
function printScanDiff(io: Io, { endpoints, apis, hosts }: ScanDiff): void {
  const printLine = (text: string) => io.result(toPrintable(text))
  for (const api of apis.new) printLine(`+ API ${api.apiName} (${api.vendorName})`)
  for (const api of apis.gone) printLine(`- API ${api.apiName} (${api.vendorName})`)
  for (const host of hosts.new) printLine(`+ host ${host}`)
  for (const host of hosts.gone) printLine(`- host ${host}`)
  for (const use of endpoints.new) printLine(`+ ${getUsageName(use)}${formatFirstFile(use)}`)
  for (const use of endpoints.gone) printLine(`- ${getUsageName(use)}${formatFirstFile(use)}`)
  for (const { before, after, what } of endpoints.changed) {
    const changes = what.map(
      (each) =>
        `${each}: ${toComparedFields(before)[each] || 'none'} -> ${toComparedFields(after)[each] || 'none'}`,
    )
    printLine(`~ ${getUsageName(after)}  ${changes.join('; ')}`)
  }
}

/** Returns the document of `scan diff --json`. */
function toScanDiffJson({ endpoints, apis, hosts }: ScanDiff) {
  const toApis = (list: ScanDiff['apis']['new']) =>
    list.map(({ apiName, vendorName }) => ({ api_name: apiName, vendor_name: vendorName }))
  return {
    endpoints: {
      new: endpoints.new.map(toUsageJson),
      gone: endpoints.gone.map(toUsageJson),
      changed: endpoints.changed.map(({ before, after, what }) => ({
        what,
        before: toUsageJson(before),
        after: toUsageJson(after),
      })),
    },
    apis: { new: toApis(apis.new), gone: toApis(apis.gone) },
    hosts,
  }
}

function toUsageJson({ url, method, host, apiName, vendorName, approval, files }: StoredUsage) {
  return {
    url,
    ...(method ? { method } : {}),
    host,
    ...(apiName === undefined ? {} : { api_name: apiName }),
    ...(vendorName === undefined ? {} : { vendor_name: vendorName }),
    ...(approval === undefined ? {} : { approval }),
    ...(files === undefined ? {} : { files }),
  }
}

function toComparedFields({ apiName, approval, files }: StoredUsage) {
  return { api: apiName, approval, files: files?.join(', ') }
}

function formatFirstFile({ files = [] }: StoredUsage): string {
  const [first, ...rest] = files
  if (first === undefined) return ''
  return `  ${first}${rest.length > 0 ? ` (+${rest.length})` : ''}`
}

async function scanFiles(
  io: CommandIo,
  request: { readonly files: readonly string[]; readonly options: ScanNetworkOptions },
): Promise<void> {
  const { files, options } = request
  const target = findSubmitTarget(io, options)
  const sources = await listSources(io, files)
  const places = await openGeoip(options.geoip)
  const submission = target && (await openSubmission(target))
  try {
    await withLocalCatalogue(io, options, (known) =>
      withStop({ io, message: describeStop(options) }, async (signal) => {
        const { ownAddress: ownAddresses = [] } = options
        const flows = readSources(sources, { ownAddresses, signal })
        const head = toNetworkHead(options, files[0] ?? '-')
        await printFlows(io, { flows, known, options, head, locate: places, sink: submission })
        printDamage(io, flows)
        printSkippedFiles(io, flows)
        if (flows.isIncomplete) io.setFailed()
      }),
    )
    if (submission) await submitFlows(io, { submission, options, files })
  } finally {
    await submission?.close()
  }
}

function printSkippedFiles(io: Io, { skipped }: SourceFlows): void {
  if (skipped.length === 0) return
  const rest = skipped.length - MAX_PRINTED_FILES
  const names =
    skipped.slice(0, MAX_PRINTED_FILES).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
  io.note(toPrintable(`Skipped files without traffic: ${names}`))
}

function describeStop({ submit, json }: ScanNetworkOptions): string {
  if (submit !== undefined) return 'Stopped: nothing was submitted.'
  return json ? 'Stopped: the document is incomplete.' : 'Stopped: no report was printed.'
}

async function submitFlows(
  io: Io,
  request: {
    readonly submission: NetworkSubmission
    readonly options: ScanNetworkOptions
    readonly files: readonly string[]
  },
): Promise<void> {
  const { submission, options, files } = request
  const stored = await submission.send(toNetworkHead(options, files[0] ?? '-'))
  if (!stored) return io.note('Nothing was stored: no flows were found.')
  const { instanceId, flows, matched, advice } = stored
  io.note(
    toPrintable(
      `Stored as ${instanceId}: ${formatCount(flows, 'flow')}, ${matched} matched. ${advice}`,
    ),
  )
}
