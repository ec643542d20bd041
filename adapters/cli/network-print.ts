import type { FindGeolocation } from '../../core/index.ts'
import {
  createNetworkReport,
  type Flow,
  type MatchedFlow,
  scanNetwork,
  toFlowDocument,
} from '../../core/scans/index.ts'
import { writeDocument } from './bom-files.ts'
import { type CommandIo, formatCount, type Io, toPrintable } from './io.ts'
import type { LocalCatalogue } from './local-catalogue.ts'
import type { NetworkHead, ScanNetworkOptions } from './network-options.ts'
import type { SourceDamage } from './network-sources.ts'
import { printNetworkReport } from './network-table.ts'
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
