import {
  diffUsages,
  getUsageName,
  isEmptyDiff,
  type ScanDiff,
  type StoredUsage,
} from '../../../core/scans/index.ts'
import { defineCommand } from '../define-command.ts'
import { UsageError } from '../errors.ts'
import { type Io, toPrintable } from '../io.ts'
import { collectValues, parseChecks, readUsagesFile } from '../scan-options.ts'
import { EXIT_CODE_CHECK_FAILED } from './scan-project.ts'

/** `scan diff`. */
export const scanDiffCommand = defineCommand({
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
