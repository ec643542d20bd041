// Reads floods of frames. Prints the results and its own memory growth as JSON.
import process from 'node:process'
import { readCapture } from '../../core/traffic/capture/read-capture.ts'
import { pcap, START_MS, timed } from './capture-files.ts'
import { dnsQuery } from './messages.ts'
import { ethernet, ip, tcp, toAsciiBytes, udp } from './packets.ts'

/** Result of reading a flood. */
export interface FloodResult {
  readonly name: string
  /** Number of flows. */
  readonly flows: number
  /** Number of flows before the end of the flood. */
  readonly before: number
  /** Memory growth of the process in MB. */
  readonly growthMb: number
}

/** Generates the frames of a flood. */
const FRAMES = 40_000
const SERVER = { ip: '93.184.216.34', port: 443 }
const NAME_SERVER = { ip: '9.9.9.9', port: 53 }
const REQUEST = toAsciiBytes(`GET /${'a'.repeat(300)}`)
const QUERY = dnsQuery('api.example.com')
const EARLY = Array.from({ length: 8 }, (_, index) => ({
  sequence: 1 + index * 5000,
  payload: REQUEST,
}))
const FRAGMENT = {
  protocol: 17,
  payload: REQUEST.slice(0, 64),
  fragment: { offset: 8, hasMore: true },
}

const FLOODS: Readonly<Record<string, (index: number) => Uint8Array>> = {
  'new connections': (index) => tcp(wayOf(index), { flags: 'S' }),
  'requests that never end': (index) => tcp(wayOf(index), { payload: REQUEST }),
  datagrams: (index) => udp(wayOf(index), REQUEST),
  names: (index) => udp({ from: wayOf(index).from, to: NAME_SERVER }, QUERY),
  'segments that wait for others': (index) =>
    tcp(wayOf(index >> 3), EARLY[index & 7] ?? { payload: REQUEST }),
  fragments: (index) => ip(wayOf(index), FRAGMENT),
}

const results: FloodResult[] = []
for (const [name, make] of Object.entries(FLOODS)) results.push(await readFlood(name, make))
process.stdout.write(JSON.stringify(results))

async function readFlood(name: string, make: (index: number) => Uint8Array): Promise<FloodResult> {
  const start = process.memoryUsage().rss
  let [highest, flows, before] = [start, 0, 0]
  async function* source() {
    for await (const piece of flood(make)) {
      yield piece
      highest = Math.max(highest, process.memoryUsage().rss)
    }
    before = flows
  }
  for await (const flow of readCapture(source())) flows += flow.protocol === '' ? 0 : 1
  return { name, flows, before, growthMb: (highest - start) / 1e6 }
}

async function* flood(make: (index: number) => Uint8Array): AsyncIterable<Uint8Array> {
  yield pcap([])
  const header = 24
  for (let at = 0; at < FRAMES; at += 1000) {
    const frames = Array.from({ length: 1000 }, (_, index) => ethernet(make(at + index)))
    yield pcap(timed(frames, START_MS)).subarray(header)
  }
}

function wayOf(index: number) {
  const client = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`
  return { from: { ip: client, port: 1024 + (index % 60_000) }, to: SERVER }
}
