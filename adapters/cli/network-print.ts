import type { FindGeolocation } from '../../core/index.ts'
import {
  createNetworkReport,
  type Flow,
  type FlowGroup,
  isLocalHost,
  type MatchedFlow,
  type NetworkReport,
  scanNetwork,
  toFlowDocument,
} from '../../core/scans/index.ts'
import { writeDocument } from './bom-files.ts'
import { printFittedTable } from './fitted-table.ts'
import { type CommandIo, formatCount, type Io, toPrintable } from './io.ts'
import type { LocalCatalogue } from './local-catalogue.ts'
import type { NetworkHead, ScanNetworkOptions } from './network-options.ts'
import type { SourceDamage } from './network-sources.ts'
import { PROGRESS_INTERVAL_MS } from './progress.ts'

/** Flows that are being read, with the damage found so far. */
export interface ReadFlows extends AsyncIterable<Flow> {
  /** Number of bytes read so far. */
  readonly bytes: number
  /** The first damages. */
  readonly damaged: readonly SourceDamage[]
  /** Number of all damages. */
  readonly damagedCount: number
}

/** Flows to print, and an optional sink that also receives them. */
export interface FlowOutput {
  readonly flows: ReadFlows
  readonly known: LocalCatalogue
  readonly options: ScanNetworkOptions
  /** Names of the scan, the last members of the `--json` document. */
  readonly head: NetworkHead
  readonly locate: FindGeolocation | undefined
  /** Receives each flow. */
  readonly sink: { add(flow: MatchedFlow): Promise<void> } | undefined
}

/** Prints flows as a table, or as JSON while they arrive. */
export async function printFlows(io: CommandIo, output: FlowOutput): Promise<void> {
  const { flows, known, options, locate, sink } = output
  if (known.emptyReason !== undefined) io.note(known.emptyReason)
  const startedAt = Date.now()
  // JSON output needs no report.
  const report = options.json ? undefined : createNetworkReport()
  let count = 0
  async function* match(): AsyncIterable<MatchedFlow> {
    for await (const flow of scanNetwork({ flows, catalogue: known.catalogue })) {
      count += 1
      report?.add(flow)
      yield flow
    }
  }
  const seen = passFlowsThrough(io, { matched: match(), flows, sink, count: () => count })
  if (report === undefined) await writeDocument(io, serializeFlows(seen, output), options.output)
  else {
    for await (const _ of seen);
    printNetworkReport(io, { report, places: locate })
  }
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  io.note(`${formatCount(count, 'flow')} in ${formatSize(flows.bytes)}; ${seconds} s.`)
}

/** Passes flows through to the sink and reports progress. */
async function* passFlowsThrough(
  io: Io,
  progress: Pick<FlowOutput, 'flows' | 'sink'> & {
    readonly matched: AsyncIterable<MatchedFlow>
    readonly count: () => number
  },
): AsyncIterable<MatchedFlow> {
  const { matched, count, flows, sink } = progress
  let shownAt = Date.now()
  try {
    for await (const flow of matched) {
      await sink?.add(flow)
      yield flow
      if (!io.isInteractive || Date.now() - shownAt < PROGRESS_INTERVAL_MS.redraw) continue
      shownAt = Date.now()
      io.status(`${formatSize(flows.bytes)} read  ${count()} flows`)
    }
  } finally {
    io.status(undefined)
  }
}

const CHUNK_CHARACTERS = 64 * 1024

/** Serializes the document of `--json` while flows arrive. */
async function* serializeFlows(
  matched: AsyncIterable<MatchedFlow>,
  { flows, head }: Pick<FlowOutput, 'flows' | 'head'>,
): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder()
  let [text, separator] = ['{"flows":[', '']
  for await (const flow of matched) {
    text += separator + JSON.stringify(toFlowDocument(flow))
    separator = ','
    if (text.length < CHUNK_CHARACTERS) continue
    yield encoder.encode(text)
    text = ''
  }
  yield encoder.encode(
    `${text}],"damaged":${JSON.stringify(flows.damaged)},${JSON.stringify(head).slice(1)}`,
  )
}

const MAX_PRINTED_DAMAGES = 10

/** Prints what could not be read. */
export function printDamage(io: Io, { damaged, damagedCount }: ReadFlows): void {
  for (const { file, at, reason } of damaged.slice(0, MAX_PRINTED_DAMAGES)) {
    const isTold = at === 0 || reason.includes(`line ${at}:`) || reason.includes(`entry ${at}:`)
    io.note(toPrintable(`${file}${isTold ? '' : ` at ${at}`}: ${reason}`))
  }
  const rest = damagedCount - Math.min(damaged.length, MAX_PRINTED_DAMAGES)
  if (rest > 0) io.note(`… and ${rest} more errors.`)
}

function formatSize(bytes: number): string {
  if (bytes < 1e5) return `${(bytes / 1e3).toFixed(1)} kB`
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/** Maximum number of printed requests of one API. */
const MAX_PRINTED_REQUESTS = 5
/** Maximum number of printed uncatalogued hosts. */
const MAX_PRINTED_HOSTS = 100

/**
 * Prints a report as text: APIs with their requests, then the other hosts. Hosts of the local
 * network are only counted.
 */
function printNetworkReport(
  io: Io,
  printed: { readonly report: NetworkReport; readonly places: FindGeolocation | undefined },
): void {
  const { report, places } = printed
  const apis = report.apis()
  const others = report.hosts().filter((group) => !isLocalGroup(group))
  const ambiguous = others.filter(({ candidates }) => candidates)
  const hosts = others.filter(({ candidates }) => !candidates)
  const tail = ['FLOWS', 'ADDRESSES', ...(places ? ['LOCATION'] : []), 'DIRECTION', 'FIRST', 'LAST']
  const toTail = (group: FlowGroup) => [
    String(group.flows),
    formatAddresses(group),
    ...(places ? [formatGeolocation(places, group.address)] : []),
    group.directions.join(', '),
    formatMinute(group.firstAt),
    formatMinute(group.lastAt),
  ]
  if (apis.length > 0) {
    const blank = tail.map(() => '')
    printFittedTable(io, {
      headings: ['API', 'VENDOR', 'ENDPOINTS', ...tail],
      rows: apis.flatMap((group) => [
        [group.apiName ?? '', group.vendorName ?? '', formatEndpointCount(group), ...toTail(group)],
        ...group.requests
          .slice(0, MAX_PRINTED_REQUESTS)
          .map(({ text, count }) => ['', '', `  ${text}`, String(count), ...blank.slice(1)]),
        ...formatRemainingRequests(group).map((text) => ['', '', text, ...blank]),
      ]),
      // The least important first.
      dropped: [tail.length + 1, 1],
    })
  }
  printLocalHostCount(io, report)
  if (ambiguous.length > 0) {
    if (apis.length > 0) io.result('')
    printFittedTable(io, {
      headings: ['SHARED HOST', 'CANDIDATES', 'VENDOR', ...tail],
      rows: ambiguous.map((group) => [
        group.host,
        group.candidates?.join(', ') ?? '',
        group.vendorName ?? '-',
        ...toTail(group),
      ]),
      dropped: [tail.length + 1, 2],
    })
  }
  if (hosts.length === 0) return
  if (apis.length + ambiguous.length > 0) io.result('')
  printFittedTable(io, {
    headings: ['UNCATALOGUED HOST', 'VENDOR', ...tail],
    rows: hosts
      .slice(0, MAX_PRINTED_HOSTS)
      .map((group) => [group.host || '(clients)', group.vendorName ?? '-', ...toTail(group)]),
    dropped: [tail.length, 1],
  })
  if (hosts.length > MAX_PRINTED_HOSTS)
    io.note(`… and ${hosts.length - MAX_PRINTED_HOSTS} more hosts.`)
}

function printLocalHostCount(io: Io, report: NetworkReport): void {
  const local = report.hosts().filter(isLocalGroup)
  if (local.length === 0) return
  const flows = local.reduce((sum, group) => sum + group.flows, 0)
  const names = formatCount(local.length, 'host')
  io.note(
    `Not listed: ${names} of the local network with ${formatCount(flows, 'flow')}. Use --json to list all.`,
  )
}

/** Excludes names in brackets, which are placeholders for unknown hosts. */
function isLocalGroup({ host }: FlowGroup): boolean {
  return host !== '' && !host.startsWith('(') && isLocalHost(host)
}

/** Formats a geolocation as `City Country [Region]`, as responses of the service do. */
function formatGeolocation(places: FindGeolocation, address: string): string {
  const found = address === '' ? undefined : places(address)
  if (!found) return '-'
  const { city, country, region } = found
  const words = [city, country].filter((word) => word !== '').join(' ')
  return region === '' ? words || '-' : `${words} [${region}]`.trimStart()
}

function formatEndpointCount({ endpoints, requests }: FlowGroup): string {
  if (requests.length === 0) return 'not visible'
  return `${endpoints} endpoint${endpoints === 1 ? '' : 's'}`
}

function formatRemainingRequests({ requests }: FlowGroup): readonly string[] {
  const rest = requests.length - MAX_PRINTED_REQUESTS
  return rest > 0 ? [`  … ${rest} more`] : []
}

function formatAddresses({ address, addresses }: FlowGroup): string {
  if (addresses === 0) return '-'
  return addresses === 1 ? address : `${address} (+${addresses - 1})`
}

function formatMinute(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
}
