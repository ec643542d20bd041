import { joinBytes } from '../../shared/bytes.ts'
import { type CaptureFlows, readCapture } from './capture/read-capture.ts'
import type { CaptureReport, Damage, Flow } from './flow.ts'
import { readAccessLine } from './logs/access-lines.ts'
import { readAccessRecord } from './logs/access-records.ts'
import { detectFormat, HEAD_BYTES, isCapture, type TrafficFormat } from './logs/formats.ts'
import { readHar } from './logs/har.ts'
import { readLines } from './logs/lines.ts'
import { parseRecord } from './logs/records.ts'
import { createZeekReader, isZeekRecord } from './logs/zeek.ts'
import { createZeekTable } from './logs/zeek-table.ts'

/** How traffic is read. */
export interface TrafficOptions {
  /**
   * Addresses of the machines that are watched, or ranges of them (`10.1.0.0/16`): they decide a
   * flow's direction. What is neither is refused with `invalid_input`.
   */
  readonly ownAddresses?: readonly string[] | undefined
}

/** The flows of one file; to be iterated once. Of a log `packets` counts its entries. */
export interface TrafficFlows extends CaptureFlows {
  /** Known once the iteration has begun; undefined for a file of no known format. */
  format(): TrafficFormat | undefined
}

/** Reads files of traffic that belong together. */
export interface TrafficReader {
  /**
   * The flows of a file, whose format its content tells: pcap, pcapng, HAR, Zeek's logs, access logs.
   * Never throws for what the bytes hold: damage is reported.
   */
  read(chunks: AsyncIterable<Uint8Array>): TrafficFlows
  /** After all files: flows that waited for other files, such as connections that no log of Zeek's names. */
  finish(): readonly Flow[]
}

const MAX_DAMAGED = 100
/** More is not read of a HAR file. */
const MAX_HAR_BYTES = 256 * 1024 * 1024

/** Creates a reader; Zeek's logs of one connection are joined over its files. */
export function createTrafficReader({ ownAddresses }: TrafficOptions = {}): TrafficReader {
  const zeek = createZeekReader({ ownAddresses })

  function read(chunks: AsyncIterable<Uint8Array>): TrafficFlows {
    let format: TrafficFormat | undefined
    let capture: CaptureFlows | undefined
    const log = createLogReport()

    async function* readAll(): AsyncIterable<Flow> {
      const { head, all } = await peek(chunks, HEAD_BYTES)
      format = detectFormat(head)
      if (format === undefined) {
        const isEmpty = head.length === 0
        log.addBytes(head.length)
        const what = isEmpty ? 'it is empty' : 'it is no capture, HAR file or log that is known'
        log.addDamage({ at: 0, reason: `Cannot read the file: ${what}` })
      } else if (format === 'pcap' || format === 'pcapng') {
        capture = readCapture(all, ownAddresses ? { ownAddresses } : {})
        yield* capture
      } else if (format === 'har') yield* readHarFile(log.count(all), log)
      else {
        const toEntry = toEntryReader(format)
        yield* readLog(log.count(all), { log, toEntry, takeEarly: zeek.takeEarly })
      }
    }

    return {
      format: () => format,
      report: () => capture?.report() ?? log.report(),
      [Symbol.asyncIterator]: () => readAll()[Symbol.asyncIterator](),
    }
  }

  function toEntryReader(format: TrafficFormat): ReadEntry {
    if (format === 'access-log') return readAccessLine
    if (format === 'zeek-table') {
      const table = createZeekTable()
      return (line) => {
        const record = table.read(line)
        if (record === undefined) return 'nothing'
        return isZeekRecord(record) ? (zeek.read(record) ?? 'nothing') : 'nothing'
      }
    }
    return (line) => {
      const record = parseRecord(line)
      if (record === undefined) return readAccessLine(line)
      if (format === 'zeek')
        return isZeekRecord(record) ? (zeek.read(record) ?? 'nothing') : undefined
      // Servers write other things into their logs too.
      return readAccessRecord(record) ?? 'nothing'
    }
  }

  return { read, finish: zeek.finish }
}

/** The flow of a line; `waits` and `nothing` for lines that are as they should be and show none. */
type ReadEntry = (line: string) => Flow | 'waits' | 'nothing' | undefined

interface LogReport {
  addDamage(damage: Damage): void
  addEntries(count: number): void
  addBytes(count: number): void
  /** The chunks, counted. */
  count(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  report(): CaptureReport
}

function createLogReport(): LogReport {
  const damaged: Damage[] = []
  let [damagedCount, packets, bytes] = [0, 0, 0]
  return {
    addDamage(damage) {
      damagedCount += 1
      if (damaged.length < MAX_DAMAGED) damaged.push(damage)
    },
    addEntries(count) {
      packets += count
    },
    addBytes(count) {
      bytes += count
    },
    async *count(chunks) {
      for await (const chunk of chunks) {
        bytes += chunk.length
        yield chunk
      }
    },
    report: () => ({ packets, bytes, damaged: [...damaged], damagedCount }),
  }
}

async function* readHarFile(
  chunks: AsyncIterable<Uint8Array>,
  log: LogReport,
): AsyncIterable<Flow> {
  const decoder = new TextDecoder()
  const texts: string[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > MAX_HAR_BYTES) {
      log.addDamage({ at: 0, reason: `Cannot read the file: more than ${MAX_HAR_BYTES} bytes` })
      break
    }
    texts.push(decoder.decode(chunk, { stream: true }))
  }
  const { entries, flows, damaged } = readHar(texts.join('') + decoder.decode())
  log.addEntries(entries)
  for (const damage of damaged) log.addDamage(damage)
  yield* flows
}

async function* readLog(
  chunks: AsyncIterable<Uint8Array>,
  given: {
    readonly log: LogReport
    readonly toEntry: ReadEntry
    readonly takeEarly: () => readonly Flow[]
  },
): AsyncIterable<Flow> {
  const { log, toEntry, takeEarly } = given
  for await (const lines of readLines(chunks)) {
    for (const { number, text } of lines) {
      const entry = text === undefined ? undefined : toEntry(text)
      if (entry === undefined) {
        const what = text === undefined ? 'it is too long' : 'it is no entry of this log'
        log.addDamage({ at: number, reason: `Cannot read line ${number}: ${what}` })
        continue
      }
      log.addEntries(1)
      if (typeof entry === 'object') yield entry
    }
    yield* takeEarly()
  }
}

/** The first bytes, and all of them. */
async function peek(chunks: AsyncIterable<Uint8Array>, length: number) {
  const source = chunks[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let known = 0
  while (known < length) {
    const next = await source.next()
    if (next.done) break
    first.push(next.value)
    known += next.value.length
    // Who captures now waits for each packet.
    if (isCapture(joinBytes(first.slice(0, 4)))) break
  }
  const head = joinBytes(first)
  async function* all(): AsyncIterable<Uint8Array> {
    try {
      yield head
      yield* { [Symbol.asyncIterator]: () => source }
    } finally {
      await source.return?.(undefined)
    }
  }
  return { head, all: all() }
}
