import type { CaptureReport, Damage, Flow } from '../flow.ts'
import { toAddressWords } from './addresses.ts'
import { createAnalyzer } from './analyzer.ts'
import type { FrameReader, FrameSink } from './frames.ts'
import { isKnownLink } from './link-layers.ts'
import { createPacketReader } from './packets.ts'
import { createPcapReader, isPcap } from './pcap.ts'
import { createPcapngReader, isPcapng } from './pcapng.ts'
import { createWindow } from './window.ts'

/** Options for reading a capture. */
export interface CaptureOptions {
  /**
   * Addresses of the observed machines, or ranges of them (`10.1.0.0/16`); determine the direction
   * of flows. Throws `invalid_input` for other text.
   */
  readonly ownAddresses?: readonly string[]
  /** Called for each unreadable part, when it is read. */
  readonly onDamage?: (damage: Damage) => void
}

/** Flows of a capture, in the order they are found. Can be iterated once. */
export interface CaptureFlows extends AsyncIterable<Flow> {
  /** Report on the bytes read so far; complete once the iteration has ended. */
  report(): CaptureReport
}

const MAX_DAMAGED = 100
const MAX_CHUNK_BYTES = 1 << 18
const MAGIC_BYTES = 4

/**
 * Reads the flows of a pcap or pcapng capture from chunks of any size, in constant memory. Reports
 * invalid bytes as damage and never throws for them. Yields a flow as soon as its name is known.
 * Flows without a name follow when they end or become idle, or when the capture ends. A DNS lookup
 * is a flow to the resolver with the requested name; `via` and `protocol` are `dns`. It shows that
 * a host is used, not that it was reached. Each HTTP request is a flow.
 *
 * @example
 * ```ts
 * import { createReadStream } from 'node:fs'
 * import { readCapture } from 'api-discovery/scans'
 *
 * const flows = readCapture(createReadStream('office.pcap'), { ownAddresses: ['192.168.0.0/16'] })
 * for await (const { host, ip, port } of flows) console.log(host ?? ip, port)
 * console.log(flows.report().packets)
 * ```
 */
export function readCapture(
  chunks: AsyncIterable<Uint8Array>,
  options: CaptureOptions = {},
): CaptureFlows {
  const reading = createReading(options)
  return {
    report: reading.report,
    async *[Symbol.asyncIterator]() {
      for await (const chunk of chunks) {
        for (let at = 0; at < chunk.length; at += MAX_CHUNK_BYTES) {
          reading.add(chunk.subarray(at, at + MAX_CHUNK_BYTES))
          yield* reading.takeFlows()
        }
      }
      reading.end()
      yield* reading.takeFlows()
    },
  }
}

function createReading({ ownAddresses = [], onDamage }: CaptureOptions) {
  const window = createWindow()
  const damaged: Damage[] = []
  let [damagedCount, packets, bytes] = [0, 0, 0]
  let flows: Flow[] = []
  let reader: FrameReader | undefined
  let isUnknown = false
  const unknownLinks = new Set<number>()

  const addDamage = (damage: Damage) => {
    damagedCount += 1
    if (damaged.length < MAX_DAMAGED) damaged.push(damage)
    onDamage?.(damage)
  }
  const analyzer = createAnalyzer({ ownAddresses, onFlow: (flow) => flows.push(flow) })
  const readPacket = createPacketReader(analyzer.add)
  const sink: FrameSink = {
    onFrame(frame) {
      packets += 1
      if (!isKnownLink(frame.linkType)) {
        if (unknownLinks.has(frame.linkType)) return
        unknownLinks.add(frame.linkType)
        const reason = `Cannot read the frames: unknown link type ${frame.linkType}`
        addDamage({ at: window.offset, reason })
        return
      }
      readPacket(frame)
    },
    onDamage: addDamage,
    onOwnAddress: (address) => analyzer.addOwnAddress(toAddressWords(address)),
  }
  const begin = () => {
    if (isPcapng(window.view, window.at)) reader = createPcapngReader(window, sink)
    else if (isPcap(window.view, window.at)) reader = createPcapReader(window, sink)
    else {
      isUnknown = true
      addDamage({ at: 0, reason: 'Cannot read the capture: it is neither pcap nor pcapng' })
    }
  }

  return {
    add(chunk: Uint8Array) {
      bytes += chunk.length
      if (isUnknown) return
      window.append(chunk)
      if (reader === undefined && window.end - window.at >= MAGIC_BYTES) begin()
      for (let used = reader?.read() ?? 0; used > 0; used = reader?.read() ?? 0)
        window.consume(used)
    },
    end() {
      if (reader !== undefined) reader.finish()
      else if (!isUnknown) {
        addDamage({ at: 0, reason: `Cannot read the capture: it has only ${bytes} bytes` })
      }
      analyzer.end()
    },
    takeFlows(): readonly Flow[] {
      const taken = flows
      flows = []
      return taken
    },
    report: (): CaptureReport => ({ packets, bytes, damaged: [...damaged], damagedCount }),
  }
}
