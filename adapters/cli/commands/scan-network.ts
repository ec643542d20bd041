import type { Command } from 'commander'
import { checkOutputs } from '../files.ts'
import { openGeoip } from '../geoip.ts'
import { type CommandIo, formatCount, type Io, toPrintable } from '../io.ts'
import { withLocalCatalogue } from '../local-catalogue.ts'
import { scanInterface } from '../network-live.ts'
import {
  checkNetworkOptions,
  findSubmitTarget,
  parseClock,
  type ScanNetworkOptions,
  toNetworkHead,
} from '../network-options.ts'
import { printDamage, printFlows } from '../network-print.ts'
import { listSources, readSources, type SourceFlows } from '../network-sources.ts'
import { type NetworkSubmission, openSubmission } from '../network-submit.ts'
import { collectValues } from '../scan-options.ts'
import { withStop } from '../with-stop.ts'

/** Adds `scan network`. */
export function addScanNetworkCommand(scan: Command, io: CommandIo): void {
  scan
    .command('network')
    .argument('[files...]', 'captures, HAR files, logs or folders; - for standard input')
    .description('Find the third-party APIs that a network calls')
    .option('--interface <name>', 'capture live from this interface with tcpdump or dumpcap')
    .option(
      '--capture-tool <file>',
      'tcpdump, dumpcap or a compatible program (default: the first one found)',
    )
    .option('--filter <expression>', 'capture filter in tcpdump syntax: "port 53 or port 443"')
    .option('--duration <HH:MM:SS>', 'duration of the capture (default: until Ctrl-C)', parseClock)
    .option('--send-every <HH:MM:SS>', 'interval for sending flows (default: 00:01:00)', parseClock)
    .option('--spool <folder>', 'folder that stores unsent flows; resumes the scan stored in it')
    .option('--geoip <file>', 'MaxMind database (.mmdb) for geolocation; repeatable', collectValues)
    .option(
      '--own-address <address>',
      'address or range (10.1.0.0/16) of the observed network; repeatable',
      collectValues,
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

/** Maximum number of skipped files to name. */
const MAX_PRINTED_FILES = 5

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
