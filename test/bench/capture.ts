import process from 'node:process'
import { readCapture } from '../../core/traffic/capture/read-capture.ts'
import { pcap, START_MS, type TimedFrame } from '../helpers/capture-files.ts'
import {
  clientHello,
  cryptoFrame,
  dnsAnswer,
  dnsQuery,
  quicInitial,
  tlsRecords,
} from '../helpers/messages.ts'
import { ethernet, tcp, toAsciiBytes, udp, type Way } from '../helpers/packets.ts'

/**
 * Reads 500 MB of pcap in chunks of 64 KB: mostly full segments of established connections, and
 * thousands of new connections with TLS, HTTP, DNS and QUIC. Floor: iterating over the record
 * headers. Run it with `node`, `bun` or `deno run -A`.
 */
const TOTAL_BYTES = 500e6
const PIECE_BYTES = 1 << 16
const CONNECTIONS = 250
const SEGMENTS = 50
const RECORD_HEADER = 16
const FILE_HEADER = 24
const MARK_MB = 100
const MARK_GROWTH_MB = 100
const SALT_1 = '38762cf7f55934b34d179ae6a4c80cadccbb7f0a'

const round = pcap(makeRound()).subarray(FILE_HEADER)
const header = pcap([])
const rounds = Math.ceil(TOTAL_BYTES / round.length)
const megabytes = (rounds * round.length) / 1e6
console.log(
  `${rounds} rounds of ${(round.length / 1e6).toFixed(1)} MB, ${CONNECTIONS} connections each`,
)

let highest = 0
await readCaptureAtOnce(Math.ceil(rounds / 20))
const floorMs = await measureCpuMs(walk)
printFigure('floor: record headers', `${Math.round(megabytes / (floorMs / 1000))} MB/s`)
const before = residentMb()
highest = before
let counted = { flows: 0, packets: 0 }
const ms = await measureCpuMs(async () => {
  counted = await readCaptureAtOnce(rounds)
})
const rate = megabytes / (ms / 1000)
printFigure(
  'us, of processor time',
  `${Math.round(rate)} MB/s, ${Math.round(counted.packets / ms)} packets/ms`,
)
printFigure('found', `${counted.flows} flows in ${counted.packets} packets`)
printFigure('memory', `${Math.round(before)} MB before, ${Math.round(highest)} MB at the most`)
const isMet = rate >= MARK_MB && highest - before <= MARK_GROWTH_MB
printFigure('mark', `${MARK_MB} MB/s, flat memory: ${isMet ? 'met' : 'missed'}`)
if (!isMet) process.exitCode = 1

async function readCaptureAtOnce(count: number) {
  const reading = readCapture(pieces(count))
  let flows = 0
  for await (const flow of reading) {
    if (flow.host !== undefined) flows += 1
  }
  return { flows, packets: reading.report().packets }
}

async function* pieces(count: number): AsyncIterable<Uint8Array> {
  yield header
  for (let index = 0; index < count; index += 1) {
    movePorts(index)
    for (let at = 0; at < round.length; at += PIECE_BYTES) {
      yield round.subarray(at, at + PIECE_BYTES)
    }
    highest = Math.max(highest, residentMb())
  }
}

/** Generates another round of connections a minute later, with other client addresses. */
function movePorts(index: number): void {
  const view = new DataView(round.buffer, round.byteOffset)
  for (let at = 0; at < round.length; ) {
    const length = view.getUint32(at + 8, true)
    view.setUint32(at, Math.floor(START_MS / 1000) + index * 60, true)
    const ip = at + RECORD_HEADER + 14
    const client = round[ip + 12] === 10 ? ip + 13 : ip + 17
    round[client] = index & 0xff
    at += RECORD_HEADER + length
  }
}

async function walk(): Promise<void> {
  let left = 0
  for await (const piece of pieces(rounds)) {
    const view = new DataView(piece.buffer, piece.byteOffset, piece.length)
    let at = left
    while (at + RECORD_HEADER <= piece.length) {
      at += RECORD_HEADER + view.getUint32(at + 8, true)
    }
    left = Math.max(0, at - piece.length)
    if (piece.length < PIECE_BYTES) left = 0
  }
}

function makeRound(): readonly TimedFrame[] {
  const starts: Uint8Array[] = []
  const bulk: Uint8Array[] = []
  for (let index = 0; index < CONNECTIONS; index += 1) {
    const client = { ip: `10.0.${index >> 8}.${index & 255}`, port: 20_000 + index }
    const server = { ip: `93.184.${index >> 8}.${index & 255}`, port: index % 5 === 0 ? 80 : 443 }
    const way = { from: client, to: server }
    const back = { from: server, to: client }
    const host = `api${index}.example.com`
    const resolver = { from: { ip: client.ip, port: 53_000 }, to: { ip: '9.9.9.9', port: 53 } }
    starts.push(udp(resolver, dnsQuery(host)))
    starts.push(
      udp({ from: resolver.to, to: resolver.from }, dnsAnswer(host, { addresses: [server.ip] })),
    )
    if (index % 10 === 1) {
      starts.push(udp(way, makeInitial(host)))
      for (let count = 0; count < SEGMENTS; count += 1) bulk.push(udp(back, new Uint8Array(1200)))
      continue
    }
    starts.push(...makeTcpStart(way, host))
    for (let count = 0; count < SEGMENTS; count += 1) {
      bulk.push(tcp(back, { sequence: 1001 + count * 1460, payload: new Uint8Array(1460) }))
      if (count % 2 === 1) bulk.push(tcp(way, { sequence: 900 }))
    }
  }
  // Interleave the segments of all connections.
  const mixed = bulk.map((_, index) => bulk[(index * 7919) % bulk.length] ?? new Uint8Array(0))
  return [...starts, ...mixed].map((frame) => ({ frame: ethernet(frame), timeMs: START_MS }))
}

function makeTcpStart(way: Way, host: string): readonly Uint8Array[] {
  const back = { from: way.to, to: way.from }
  const request = toAsciiBytes(
    `GET /v1/things/7?page=2 HTTP/1.1\r\nHost: ${host}\r\nAccept: */*\r\n\r\n`,
  )
  const payload = way.to.port === 80 ? request : tlsRecords(clientHello(host, 300))
  return [
    tcp(way, { sequence: 100, flags: 'S' }),
    tcp(back, { sequence: 1000, flags: 'SA' }),
    tcp(way, { sequence: 101 }),
    tcp(way, { sequence: 101, payload }),
  ]
}

function makeInitial(host: string): Uint8Array {
  const frames = cryptoFrame(0, clientHello(host))
  return quicInitial({ version: 1, salt: SALT_1, keysOf: '8394c8f03e515708', frames })
}

/** CPU time in milliseconds, because other processes share the machine. */
async function measureCpuMs(run: () => Promise<unknown>): Promise<number> {
  const from = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1000
}

function residentMb(): number {
  return process.memoryUsage().rss / 1e6
}

function printFigure(name: string, value: string): void {
  console.log(`${name.padEnd(28)} ${value}`)
}
