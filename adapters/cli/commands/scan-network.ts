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
    .argument('[files...]', 'captures, HAR files, logs or folders; - for standard input')
    .description('Find the third-party APIs that a network calls')
    .option('--interface <name>', 'capture live from this interface with tcpdump or dumpcap')
    .option(
      '--capture-tool <file>',
      'tcpdump, dumpcap or a compatible program (default: searched for)',
    )
    .option('--filter <expression>', 'capture filter in tcpdump syntax: "port 53 or port 443"')
    .option('--duration <HH:MM:SS>', 'duration of the capture (default: until Ctrl-C)', toClockMs)
    .option('--send-every <HH:MM:SS>', 'interval for sending flows (default: 00:01:00)', toClockMs)
    .option('--spool <folder>', 'folder that stores unsent flows; resumes the scan stored in it')
    .option('--geoip <file>', 'MaxMind database (.mmdb) for geolocation; repeatable', collect)
    .option(
      '--own-address <address>',
      'address or range (10.1.0.0/16) of the observed network; repeatable',
      collect,
    )
    .option('--output <file>', 'write the JSON document to a file; needs --json')
    .option('--submit <url>', 'store the scan in a service, using the key in API_DISCOVERY_KEY')
    .option('--network-name <name>', 'network name (default: host name)')
    .option('--project-name <name>', 'project name (default: name of the first file)')
    .option('--organization <name>', 'organization that owns the network')
    .option('--nic-ip <text>', 'addresses of the capturing interface')
    .option('--nic-name <name>', 'name of the capturing interface')
    .option('--mac-address <text>', 'MAC address of the capturing interface')
    .addHelpText(
      'after',
      `
Reads pcap and pcapng captures, HAR files, Zeek logs, and access logs of servers and proxies, each
optionally compressed with gzip.

Exit codes:
  0    scanned
  1    a source could not be read, or the scan could not be stored
  2    invalid usage
  130  stopped

Examples:
  api-discovery scan network capture.pcap session.har access.log.gz
  api-discovery scan network --interface eth0 --duration 01:00:00 --submit http://127.0.0.1:8080`,
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

/** Maximum number of skipped files to name. */
const SHOWN_FILES = 5

function tellPassedOver(io: Io, { passedOver }: SourceFlows): void {
  if (passedOver.length === 0) return
  const rest = passedOver.length - SHOWN_FILES
  const names = passedOver.slice(0, SHOWN_FILES).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
  io.note(toPrintable(`Skipped files without traffic: ${names}`))
}

function toStopped({ submit, json }: ScanNetworkOptions): string {
  if (submit !== undefined) return 'Stopped: nothing was submitted.'
  return json ? 'Stopped: the document is incomplete.' : 'Stopped: no report was printed.'
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
  if (!stored) return io.note('Nothing was stored: no flows were found.')
  const { instanceId, flows, matched, advice } = stored
  io.note(
    toPrintable(
      `Stored as ${instanceId}: ${toCount(flows, 'flow')}, ${matched} matched. ${advice}`,
    ),
  )
}
