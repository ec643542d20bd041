import { getUsageName, type ScanDiff, type StoredUsage } from '../../core/scans/index.ts'
import { type Io, toPrintable } from './io.ts'

/** Prints the differences of two scans: `+` added, `-` removed, `~` changed. */
export function printScanDiff(io: Io, { endpoints, apis, hosts }: ScanDiff): void {
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
export function toScanDiffJson({ endpoints, apis, hosts }: ScanDiff) {
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
