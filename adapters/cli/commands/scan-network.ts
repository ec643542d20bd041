import { defineCommand } from '../define-command.ts'
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
import { withStop } from '../with-stop.ts'

/** `scan network`. */
export const scanNetworkCommand = defineCommand({
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
