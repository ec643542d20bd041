import type { Command } from 'commander'
import { checkOutputs } from '../files.ts'
import { type CommandIo, type Io, toCount, toPrintable } from '../io.ts'
import { scanInterface } from '../network-live.ts'
import {
  checkNetworkOptions,
  findTarget,
  type ScanNetworkOptions,
  toClockMs,
  toNetworkHead,
} from '../network-options.ts'
import { printFlows, tellDamage } from '../network-print.ts'
import { listSources, readSources, type SourceFlows } from '../network-sources.ts'
import { type NetworkSubmission, openSubmission } from '../network-submit.ts'
import { findPlaces } from '../places.ts'
import { withKnownApis } from '../scan-catalogue.ts'
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
    .option('--interface <name>', 'capture now, with tcpdump or dumpcap, until Ctrl-C')
    .option('--capture-tool <file>', 'tcpdump, dumpcap or what takes their arguments; looked for')
    .option('--filter <expression>', 'what to capture, as tcpdump takes it: "port 53 or port 443"')
    .option('--duration <HH:MM:SS>', 'how long to capture', toClockMs)
    .option('--send-every <HH:MM:SS>', 'how often flows are sent (00:01:00)', toClockMs)
    .option('--spool <folder>', 'keeps flows until they are sent; a scan that it holds goes on')
    .option('--geoip <file>', 'MaxMind database (.mmdb) that tells places; repeatable', collect)
    .option(
      '--own-address <address>',
      'address of the watched network, or a range of them (10.1.0.0/16); repeatable',
      collect,
    )
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
      '\nExamples:\n  api-discovery scan network capture.pcap session.har access.log.gz\n  api-discovery scan network --interface eth0 --duration 01:00:00 --submit http://127.0.0.1:8080',
    )
    .action(async (files: readonly string[], _, command: Command) => {
      const options = command.optsWithGlobals<ScanNetworkOptions>()
      checkNetworkOptions(files, options)
      await checkOutputs([options.output])
      const { interface: name } = options
      if (name === undefined) await scanFiles(io, { files, options })
      else await scanInterface(io, { name, options })
    })
}

async function scanFiles(
  io: CommandIo,
  given: { readonly files: readonly string[]; readonly options: ScanNetworkOptions },
): Promise<void> {
  const { files, options } = given
  const target = findTarget(io, options)
  const sources = await listSources(io, files)
  const places = await findPlaces(options.geoip)
  const submission = target && (await openSubmission(target))
  try {
    await withKnownApis(io, options, (known) =>
      withStop({ io, message: toStopped(options) }, async (signal) => {
        const { ownAddress: ownAddresses = [] } = options
        const flows = readSources(sources, { ownAddresses, signal })
        const head = toNetworkHead(options, files[0] ?? '-')
        await printFlows(io, { flows, known, options, head, places, sink: submission })
        tellDamage(io, flows)
        tellPassedOver(io, flows)
        if (flows.isIncomplete) io.setFailed()
      }),
    )
    if (submission) await submit(io, { submission, options, files })
  } finally {
    await submission?.close()
  }
}

/** Names that are told of files that are passed over. */
const SHOWN_FILES = 5

function tellPassedOver(io: Io, { passedOver }: SourceFlows): void {
  if (passedOver.length === 0) return
  const rest = passedOver.length - SHOWN_FILES
  const names = passedOver.slice(0, SHOWN_FILES).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
  io.note(toPrintable(`Passed over, as they are no traffic: ${names}`))
}

function toStopped({ submit, json }: ScanNetworkOptions): string {
  if (submit !== undefined) return 'Stopped: nothing was sent.'
  return json ? 'Stopped: the document is cut off.' : 'Stopped: nothing is printed.'
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
  const { instanceId, flows, matched, advice } = stored
  io.note(
    toPrintable(
      `Stored as ${instanceId}: ${toCount(flows, 'flow')}, ${matched} matched. ${advice}`,
    ),
  )
}
