import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../core/shared/bytes.ts'
import { interfaceBlock, packetBlock, pcap, pcapng, timed } from '../helpers/capture-files.ts'
import { readFlows } from '../helpers/captures.ts'
import {
  clientHello,
  cryptoFrame,
  dnsAnswer,
  dnsQuery,
  quicInitial,
  tlsRecords,
} from '../helpers/messages.ts'
import { ethernet, hex, ip, tcp, toAsciiBytes, udp } from '../helpers/packets.ts'
import { runs } from '../helpers/runs.ts'

/** Captures are untrusted: no content may cause an exception or a hang. */
const SEED = 20_260_102
const RUNS = runs(1000)
const UP = { from: { ip: '10.0.0.7', port: 40_000 }, to: { ip: '93.184.216.34', port: 443 } }
const ASK = { from: UP.from, to: { ip: '9.9.9.9', port: 53 } }

const REQUEST = toAsciiBytes(`GET /${'a'.repeat(300)}`)
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

describe('untrusted captures', () => {
  it('are read completely regardless of mutations', async () => {
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

  it('are read completely regardless of frame content', async () => {
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

  it('are read completely regardless of DNS answers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 120 }), async (body) => {
        const message = concatBytes([hex('0007 8180 0003 0003 0000 0000'), body])
        const packet = udp({ from: ASK.to, to: ASK.from }, message)
        const { report } = await readFlows(pcap(timed([ethernet(packet)])))
        expect(report.packets).toBe(1)
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })
})

function makeFrames(): readonly Uint8Array[] {
  const hello = tlsRecords(clientHello('api.example.com', 60))
  const request = toAsciiBytes(
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
