import type { Command } from 'commander'
import {
  createNetworkReport,
  type FindPlace,
  type MatchedFlow,
  type NetworkReport,
  scanNetwork,
  toFlowDocument,
} from '../../../core/index.ts'
import { writeOut } from '../bom-files.ts'
import { type CommandIo, type Io, toPrintable } from '../io.ts'
import {
  checkNetworkOptions,
  findTarget,
  type ScanNetworkOptions,
  toNetworkHead,
} from '../network-options.ts'
import { listSources, readSources, type SourceFlows } from '../network-sources.ts'
import { type NetworkSubmission, openSubmission } from '../network-submit.ts'
import { printNetworkReport } from '../network-table.ts'
import { findPlaces } from '../places.ts'
import { TOLD_EVERY_MS } from '../progress.ts'
import { type KnownApis, withKnownApis } from '../scan-catalogue.ts'
import { collect } from '../scan-options.ts'
import { withStop } from '../stop.ts'

/** Adds `scan network`. */
export function addScanNetworkCommand(scan: Command, io: CommandIo): void {
  scan
    .command('network')
    .argument('[files...]', 'captures, HAR files, logs or folders of them; - for standard input')
    .description(
      'Find the third-party APIs that a network calls: in pcap and pcapng captures, HAR files, logs of Zeek, access logs of servers and proxies (each gzip too).',
    )
    .option('--geoip <file>', 'MaxMind database (.mmdb) that tells places; repeatable', collect)
    .option('--own-address <address>', 'address of the watched network; repeatable', collect)
    .option('--output <file>', 'with --json: write the document there')
    .option(
      '--submit <url>',
      'store the scan in a service, with the key that API_DISCOVERY_KEY holds',
    )
    .option('--network-name <name>', "name of the network; the machine's when absent")
    .option('--project-name <name>', "name of the project; the first file's when absent")
    .option('--organization <name>', 'whose network it is')
    .option('--nic-ip <text>', 'addresses of the interface that captured')
    .option('--nic-name <name>', 'its name')
    .option('--mac-address <text>', 'its hardware address')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery scan network capture.pcap session.har access.log.gz\n  tcpdump -i eth0 -w - | api-discovery scan network - --json',
    )
    .action(async (files: readonly string[], _, command: Command) => {
      const options = command.optsWithGlobals<ScanNetworkOptions>()
      checkNetworkOptions(files, options)
      const target = findTarget(io, options)
      const sources = await listSources(io, files)
      const places = await findPlaces(options.geoip)
      const submission = target && (await openSubmission(target))
      try {
        await withKnownApis(io, options, (known) =>
          withStop({ io, message: 'Stopped: nothing was sent.' }, async (signal) => {
            const { ownAddress: ownAddresses = [] } = options
            const flows = readSources(sources, { ownAddresses, signal })
            await printFlows(io, { flows, known, options, places, submission })
            tellDamage(io, flows)
            if (flows.unknown.length > 0) io.setFailed()
          }),
        )
        if (submission) await submit(io, { submission, options, files })
      } finally {
        await submission?.close()
      }
    })
}

interface Printing {
  readonly flows: SourceFlows
  readonly known: KnownApis
  readonly options: ScanNetworkOptions
  readonly places: FindPlace | undefined
  readonly submission: NetworkSubmission | undefined
}

async function printFlows(io: CommandIo, given: Printing): Promise<void> {
  const { flows, known, options, places, submission } = given
  if (known.missing !== undefined) io.note(known.missing)
  const startedAt = Date.now()
  const report = createNetworkReport()
  const seen = observe(io, {
    matched: scanNetwork({ flows, catalogue: known.catalogue }),
    report,
    flows,
    submission,
  })
  if (options.json) await writeOut(io, toDocument(seen, flows), options.output)
  else {
    for await (const _ of seen);
    printNetworkReport(io, { report, places })
  }
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  io.note(
    `${report.flows} ${report.flows === 1 ? 'flow' : 'flows'} in ${toMegabytes(flows.bytes)}; ${seconds} s.`,
  )
}

/** Counts and keeps flows as they pass by, and tells how far it is. */
async function* observe(
  io: Io,
  given: Pick<Printing, 'flows' | 'submission'> & {
    readonly matched: AsyncIterable<MatchedFlow>
    readonly report: NetworkReport
  },
): AsyncIterable<MatchedFlow> {
  const { matched, report, flows, submission } = given
  let shownAt = Date.now()
  try {
    for await (const flow of matched) {
      report.add(flow)
      await submission?.add(flow)
      yield flow
      if (!io.isInteractive || Date.now() - shownAt < TOLD_EVERY_MS.redraw) continue
      shownAt = Date.now()
      io.status(`${toMegabytes(flows.bytes)} read  ${report.flows} flows`)
    }
  } finally {
    io.status(undefined)
  }
}

const CHUNK_CHARACTERS = 64 * 1024

/** The document of `--json`, written while flows come. */
async function* toDocument(
  matched: AsyncIterable<MatchedFlow>,
  flows: SourceFlows,
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
  yield encoder.encode(`${text}],"damaged":${JSON.stringify(flows.damaged)}}`)
}

const SHOWN_DAMAGE = 10

function tellDamage(io: Io, { damaged, damagedCount }: SourceFlows): void {
  for (const { file, at, reason } of damaged.slice(0, SHOWN_DAMAGE)) {
    io.note(toPrintable(`${file}${at > 0 ? ` at ${at}` : ''}: ${reason}`))
  }
  const rest = damagedCount - Math.min(damaged.length, SHOWN_DAMAGE)
  if (rest > 0) io.note(`… and ${rest} more that could not be read.`)
}

async function submit(
  io: Io,
  given: {
    readonly submission: NetworkSubmission
    readonly options: ScanNetworkOptions
    readonly files: readonly string[]
  },
): Promise<void> {
  const { submission, options, files } = given
  const stored = await submission.send(toNetworkHead(options, files[0] ?? '-'))
  if (!stored) return io.note('Nothing is stored: there are no flows.')
  const { instanceId, flows, matched, url } = stored
  io.note(
    toPrintable(
      `Stored as ${instanceId}: ${flows} flows, ${matched} of them matched there. Read it at ${url}`,
    ),
  )
}

function toMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
