import process from 'node:process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCapture } from '../../core/scans/network/capture/read-capture.ts'
import { joinBytes } from '../../core/shared/bytes.ts'
import {
  interfaceBlock,
  packetBlock,
  pcap,
  pcapng,
  START_MS,
  timed,
} from '../helpers/capture-files.ts'
import { readFlows } from '../helpers/captures.ts'
import {
  clientHello,
  cryptoFrame,
  dnsAnswer,
  dnsQuery,
  quicInitial,
  tlsRecords,
} from '../helpers/messages.ts'
import { ethernet, hex, ip, tcp, text, udp } from '../helpers/packets.ts'
import { runs } from '../helpers/runs.ts'

/** Captures come from anywhere: nothing in them may throw, hang or fill the memory. */
const SEED = 20_260_102
const RUNS = runs(1000)
const FLOOD = 40_000
const MAX_GROWTH_MB = 300
/** So many conversations are followed at a time. */
const MAX_CONVERSATIONS = 1 << 15
const UP = { from: { ip: '10.0.0.7', port: 40_000 }, to: { ip: '93.184.216.34', port: 443 } }
const ASK = { from: UP.from, to: { ip: '9.9.9.9', port: 53 } }

const REQUEST = text(`GET /${'a'.repeat(300)}`)
const EARLY = Array.from({ length: 8 }, (_, index) => ({
  sequence: 1 + index * 5000,
  payload: REQUEST,
}))
const QUERY = dnsQuery('api.example.com')
const FRAGMENT = {
  protocol: 17,
  payload: REQUEST.slice(0, 64),
  fragment: { offset: 8, hasMore: true },
}

const FRAMES = makeFrames()
const CAPTURES = [
  pcap(timed(FRAMES)),
  pcapng([interfaceBlock(1), ...timed(FRAMES).map((frame) => packetBlock(frame))]),
]

const change = fc.record({
  at: fc.nat({ max: 100_000 }),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 12 }),
})

describe('captures from anywhere', () => {
  it('are read to their end whatever is changed in them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...CAPTURES),
        fc.array(change, { minLength: 1, maxLength: 12 }),
        fc.nat({ max: 100_000 }),
        fc.integer({ min: 1, max: 5000 }),
        async (capture, changes, cutAt, pieceBytes) => {
          const changed = capture.slice(0, cutAt % 4 === 0 ? cutAt % capture.length : undefined)
          for (const { at, bytes } of changes) {
            for (const [index, byte] of bytes.entries())
              changed[(at + index) % changed.length] = byte
          }
          const { flows, report } = await readFlows(changed, { pieceBytes })
          expect(report.bytes).toBe(changed.length)
          expect(flows.length).toBeLessThan(200)
          for (const { host } of flows) expect(host ?? 'a').toMatch(/^[!-~]{1,255}$/)
        },
      ),
      { seed: SEED, numRuns: RUNS * 2 },
    )
  })

  it('are read to their end whatever their frames hold', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 10 }),
        fc.constantFrom(0, 1, 9, 101, 108, 113, 276),
        async (frames, linkType) => {
          const { report } = await readFlows(pcap(timed(frames), { linkType }))
          expect(report.packets).toBe(frames.length)
        },
      ),
      { seed: SEED, numRuns: RUNS },
    )
  })

  it('are read to their end whatever a name server answers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 120 }), async (body) => {
        const message = joinBytes([hex('0007 8180 0003 0003 0000 0000'), body])
        const packet = udp({ from: ASK.to, to: ASK.from }, message)
        const { report } = await readFlows(pcap(timed([ethernet(packet)])))
        expect(report.packets).toBe(1)
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })

  it.each([
    ['new connections', (index: number) => tcp(wayOf(index), { flags: 'S' })],
    ['requests that never end', (index: number) => tcp(wayOf(index), { payload: REQUEST })],
    ['datagrams', (index: number) => udp(wayOf(index), REQUEST)],
    ['names', (index: number) => udp({ ...ASK, from: wayOf(index).from }, QUERY)],
  ])('are followed in a bounded table with many %s', async (_, make) => {
    const { flows, before, growthMb } = await readFlood(make)
    expect(flows).toBe(FLOOD)
    expect(flows - before).toBeLessThanOrEqual(MAX_CONVERSATIONS)
    expect(growthMb).toBeLessThan(MAX_GROWTH_MB)
  })

  it.each([
    ['segments that wait for others', (index: number) => tcp(wayOf(index >> 3), EARLY[index & 7])],
    ['fragments', (index: number) => ip(wayOf(index), FRAGMENT)],
  ])('stay in bounded memory with many %s', async (_, make) => {
    expect((await readFlood(make)).growthMb).toBeLessThan(MAX_GROWTH_MB)
  })
})

/** Reads a flood: how many flows it gives, how many before its end, and what memory it takes. */
async function readFlood(make: (index: number) => Uint8Array) {
  const start = process.memoryUsage().rss
  let [highest, flows, before] = [start, 0, 0]
  async function* source() {
    yield* flood(make)
    before = flows
  }
  for await (const flow of readCapture(source())) {
    flows += flow.protocol === '' ? 0 : 1
    if (flows % 1000 === 0) highest = Math.max(highest, process.memoryUsage().rss)
  }
  return { flows, before, growthMb: (highest - start) / 1e6 }
}

async function* flood(make: (index: number) => Uint8Array): AsyncIterable<Uint8Array> {
  yield pcap([])
  const header = 24
  for (let at = 0; at < FLOOD; at += 1000) {
    const frames = Array.from({ length: 1000 }, (_, index) => ethernet(make(at + index)))
    yield pcap(timed(frames, START_MS)).subarray(header)
  }
}

function wayOf(index: number) {
  const client = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`
  return { from: { ip: client, port: 1024 + (index % 60_000) }, to: UP.to }
}

function makeFrames(): readonly Uint8Array[] {
  const hello = tlsRecords(clientHello('api.example.com', 60))
  const request = text(
    'POST /v1/users/7 HTTP/1.1\r\nHost: api.example.com\r\nContent-Length: 3\r\n\r\nabc',
  )
  const frames = cryptoFrame(0, clientHello('quic.example.com'))
  const salt = '38762cf7f55934b34d179ae6a4c80cadccbb7f0a'
  const way6 = { from: { ip: 'fd00::7', port: 5000 }, to: { ip: '2620:fe::fe', port: 53 } }
  return [
    udp(ASK, dnsQuery('api.example.com')),
    udp({ from: ASK.to, to: ASK.from }, dnsAnswer('api.example.com', { addresses: [UP.to.ip] })),
    tcp(UP, { sequence: 100, flags: 'S' }),
    tcp(UP, { sequence: 131, payload: hello.subarray(30) }),
    tcp(UP, { sequence: 101, payload: hello.subarray(0, 30) }),
    tcp({ ...UP, to: { ip: '93.184.216.34', port: 80 } }, { payload: request }),
    udp(UP, quicInitial({ version: 1, salt, keysOf: '8394c8f03e515708', frames, paddedTo: 300 })),
    ip(way6, { protocol: 4, payload: udp(ASK, dnsQuery('tunnel.example.com')) }),
    ip(UP, FRAGMENT),
  ].map((packet) => ethernet(packet, [5]))
}
