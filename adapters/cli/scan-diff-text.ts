import { type ScanDiff, type StoredUse, toUseName } from '../../core/scans/index.ts'
import { type Io, toPrintable } from './io.ts'

/** Prints the differences of two scans: `+` added, `-` removed, `~` changed. */
export function printDiff(io: Io, { endpoints, apis, hosts }: ScanDiff): void {
  const tell = (text: string) => io.result(toPrintable(text))
  for (const api of apis.new) tell(`+ API ${api.apiName} (${api.vendorName})`)
  for (const api of apis.gone) tell(`- API ${api.apiName} (${api.vendorName})`)
  for (const host of hosts.new) tell(`+ host ${host}`)
  for (const host of hosts.gone) tell(`- host ${host}`)
  for (const use of endpoints.new) tell(`+ ${toUseName(use)}${toFiles(use)}`)
  for (const use of endpoints.gone) tell(`- ${toUseName(use)}${toFiles(use)}`)
  for (const { before, after, what } of endpoints.changed) {
    const changes = what.map(
      (each) => `${each}: ${toText(before)[each] || 'none'} -> ${toText(after)[each] || 'none'}`,
    )
    tell(`~ ${toUseName(after)}  ${changes.join('; ')}`)
  }
}

/** The document of `scan diff --json`. */
export function toDiffDocument({ endpoints, apis, hosts }: ScanDiff) {
  const toApis = (list: ScanDiff['apis']['new']) =>
    list.map(({ apiName, vendorName }) => ({ api_name: apiName, vendor_name: vendorName }))
  return {
    endpoints: {
      new: endpoints.new.map(toWire),
      gone: endpoints.gone.map(toWire),
      changed: endpoints.changed.map(({ before, after, what }) => ({
        what,
        before: toWire(before),
        after: toWire(after),
      })),
    },
    apis: { new: toApis(apis.new), gone: toApis(apis.gone) },
    hosts,
  }
}

function toWire({ url, method, host, apiName, vendorName, approval, files }: StoredUse) {
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

function toText({ apiName, approval, files }: StoredUse) {
  return { api: apiName, approval, files: files?.join(', ') }
}

function toFiles({ files = [] }: StoredUse): string {
  const [first, ...rest] = files
  if (first === undefined) return ''
  return `  ${first}${rest.length > 0 ? ` (+${rest.length})` : ''}`
}
