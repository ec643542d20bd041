import { concatBytes } from '../shared/bytes.ts'
import { type CaptureFlows, readCapture } from './capture/read-capture.ts'
import type { CaptureReport, Damage, Flow } from './flow.ts'
import { readAccessLine, readAccessRecord } from './logs/access-logs.ts'
import { detectFormat, HEAD_BYTES, isCapture, type TrafficFormat } from './logs/formats.ts'
import { readHar } from './logs/har.ts'
import { parseRecord } from './logs/records.ts'
import { createZeekReader, isZeekRecord } from './logs/zeek.ts'
import { createZeekTable } from './logs/zeek-table.ts'

/** Options for reading traffic. */
export interface TrafficOptions {
  /**
   * Addresses of the observed machines, or ranges of them (`10.1.0.0/16`); determine the direction
   * of flows. Throws `invalid_input` for other text.
   */
  readonly ownAddresses?: readonly string[] | undefined
}

/** Flows of one file; can be iterated once. `packets` counts the entries of a log. */
export interface TrafficFlows extends CaptureFlows {
  /** Available once the iteration has started; undefined if the format is unknown. */
  format(): TrafficFormat | undefined
  /** Result of reading; available once the iteration has ended. */
  outcome(): TrafficOutcome
}

/**
 * `traffic` if the file is traffic, even if damaged or without flows; `empty`. `other` for an
 * unknown format, or a log without any request. `too_large` for a HAR file above 256 MiB, of which
 * the first entries are read.
 */
export type TrafficOutcome = 'traffic' | 'empty' | 'other' | 'too_large'

/** Reads related files of traffic. */
export interface TrafficReader {
  /**
   * Reads a file and detects its format: pcap, pcapng, HAR, Zeek logs or access logs. Reports
   * invalid bytes as damage and never throws for them.
   */
  read(chunks: AsyncIterable<Uint8Array>): TrafficFlows
  /**
   * Call after all files: returns flows that waited for other files, such as Zeek connections
   * without other records.
   */
  finish(): readonly Flow[]
}

const MAX_DAMAGED = 100
/** Limit for reading a HAR file. */
const MAX_HAR_BYTES = 256 * 1024 * 1024

/**
 * Creates a reader that joins the records of a Zeek connection across files.
 *
 * @example
 * ```ts
 * import { createReadStream } from 'node:fs'
 * import { createTrafficReader } from 'api-discovery/scans'
 *
 * const reader = createTrafficReader()
 * for (const name of ['conn.log', 'ssl.log']) {
 *   for await (const { host } of reader.read(createReadStream(name))) console.log(host)
 * }
 * for (const { ip } of reader.finish()) console.log(ip)
 * ```
 */
export function createTrafficReader({ ownAddresses }: TrafficOptions = {}): TrafficReader {
  const zeek = createZeekReader({ ownAddresses })

  function read(chunks: AsyncIterable<Uint8Array>): TrafficFlows {
    let format: TrafficFormat | undefined
    let outcome: TrafficOutcome = 'traffic'
    let capture: CaptureFlows | undefined
    const log = createLogReport()

    async function* readAll(): AsyncIterable<Flow> {
      const { head, all } = await peekBytes(chunks, HEAD_BYTES)
      format = detectFormat(head)
      if (format === undefined) {
        outcome = isBlank(head) ? 'empty' : 'other'
        log.addBytes(head.length)
        const isEmpty = outcome === 'empty'
        const what = isEmpty ? 'it is empty' : 'it is not a known capture, HAR or log format'
        log.addDamage({ at: 0, reason: `Cannot read the file: ${what}` })
      } else if (format === 'pcap' || format === 'pcapng') {
        capture = readCapture(all, ownAddresses ? { ownAddresses } : {})
        yield* capture
      } else if (format === 'har') outcome = yield* readHarFile(log.count(all), log)
      else {
        const toEntry = toEntryReader(format)
        const given = { log, toEntry, takeEarly: zeek.takeEvicted }
        const shows = yield* readLog(log.count(all), given)
        // Zeek also has logs without traffic.
        if (shows || format.startsWith('zeek')) return
        outcome = 'other'
        const { packets } = log.report()
        const count = packets === 1 ? 'its only line is not a' : `none of its ${packets} lines is a`
        if (packets > 0) log.addDamage({ at: 0, reason: `Cannot read the file: ${count} request` })
      }
    }

    return {
      format: () => format,
      outcome: () => outcome,
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
      // Servers also log records that are not requests.
      return readAccessRecord(record) ?? 'nothing'
    }
  }

  return { read, finish: zeek.finish }
}

/**
 * Converts a line to a flow. Returns `waits` or `nothing` for valid lines without a flow, undefined
 * for invalid ones.
 */
type ReadEntry = (line: string) => Flow | 'waits' | 'nothing' | undefined

interface LogReport {
  addDamage(damage: Damage): void
  addEntries(count: number): void
  addBytes(count: number): void
  /** Counts the bytes of chunks. */
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
): AsyncGenerator<Flow, TrafficOutcome> {
  const decoder = new TextDecoder()
  const texts: string[] = []
  let bytes = 0
  let isWhole = true
  for await (const chunk of chunks) {
    bytes += chunk.length
    isWhole = bytes <= MAX_HAR_BYTES
    if (!isWhole) break
    texts.push(decoder.decode(chunk, { stream: true }))
  }
  const { isHar, entries, flows, damaged } = readHar(texts.join('') + decoder.decode(), {
    isCut: !isWhole,
  })
  if (!isWhole) {
    const what = 'it exceeds 256 MiB; only complete entries are read'
    log.addDamage({ at: 0, reason: `Cannot read the whole HAR file: ${what}` })
  }
  log.addEntries(entries)
  for (const damage of damaged) log.addDamage(damage)
  yield* flows
  if (!isWhole) return 'too_large'
  return isHar ? 'traffic' : 'other'
}

/** Returns whether any line contains traffic. */
async function* readLog(
  chunks: AsyncIterable<Uint8Array>,
  options: {
    readonly log: LogReport
    readonly toEntry: ReadEntry
    readonly takeEarly: () => readonly Flow[]
  },
): AsyncGenerator<Flow, boolean> {
  const { log, toEntry, takeEarly } = options
  let shows = false
  for await (const lines of readLines(chunks)) {
    for (const { number, text } of lines) {
      const entry = text === undefined ? undefined : toEntry(text)
      if (entry === undefined) {
        const what = text === undefined ? 'it is too long' : 'it is not an entry of this log'
        log.addDamage({ at: number, reason: `Cannot read line ${number}: ${what}` })
        continue
      }
      log.addEntries(1)
      shows ||= entry !== 'nothing'
      if (typeof entry === 'object') yield entry
    }
    yield* takeEarly()
  }
  return shows
}

/** Whether it contains only white space. */
function isBlank(head: Uint8Array): boolean {
  return head.every((byte) => byte === 32 || (byte >= 9 && byte <= 13))
}

/** Returns the first bytes, and an iterable over all bytes. */
async function peekBytes(chunks: AsyncIterable<Uint8Array>, length: number) {
  const source = chunks[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let known = 0
  while (known < length) {
    const next = await source.next()
    if (next.done) break
    first.push(next.value)
    known += next.value.length
    // Live captures wait for each packet.
    if (isCapture(concatBytes(first.slice(0, 4)))) break
  }
  const head = concatBytes(first)
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

/** A line of text. */
interface Line {
  /** From 1. */
  readonly number: number
  /** Without its line break; undefined if the line is too long. */
  readonly text: string | undefined
}

/** Longer lines are not log lines. */
const MAX_CHARACTERS = 1 << 20

/** Splits UTF-8 bytes into lines, in one batch per chunk. Skips empty lines. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncIterable<readonly Line[]> {
  const decoder = new TextDecoder()
  let [rest, number, isTooLong] = ['', 0, false]
  const toLine = (text: string): readonly Line[] => {
    number += 1
    const wasTooLong = isTooLong || text.length > MAX_CHARACTERS
    isTooLong = false
    if (wasTooLong) return [{ number, text: undefined }]
    return text.trim() === '' ? [] : [{ number, text: text.trimEnd() }]
  }
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    yield parts.flatMap(toLine)
    if (rest.length <= MAX_CHARACTERS) continue
    isTooLong = true
    rest = ''
  }
  const last = rest + decoder.decode()
  if (last !== '' || isTooLong) yield toLine(last)
}
