import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../../../core/shared/bytes.ts'
import {
  interfaceBlock,
  packetBlock,
  pcap,
  pcapng,
  START_MS,
  simpleBlock,
  timed,
} from '../../../helpers/capture-files.ts'
import { readFlows } from '../../../helpers/captures.ts'
import { dnsAnswer } from '../../../helpers/messages.ts'
import { ethernet, hex, u16, udp } from '../../../helpers/packets.ts'

const CLIENT = { ip: '10.0.0.7', port: 5000 }
const RESOLVER = { ip: '9.9.9.9', port: 53 }
const FRAME = lookUp('api.example.com')
const FLOW = {
  ip: '9.9.9.9',
  port: 53,
  host: 'api.example.com',
  via: 'dns',
  direction: 'Outgoing',
  capturedAt: START_MS,
  protocol: 'dns',
  method: undefined,
  url: undefined,
}

describe('pcap', () => {
  it.each([
    ['little-endian', {}],
    ['big-endian', { isBig: true }],
    ['with nanoseconds', { isNano: true }],
    ['in the modified form', { isModified: true }],
    ['big-endian with nanoseconds', { isBig: true, isNano: true }],
  ])('is read %s', async (_, parts) => {
    const capture = pcap(timed([FRAME]), parts)
    expect(await readFlows(capture)).toEqual({
      flows: [FLOW],
      report: { packets: 1, bytes: capture.length, damaged: [], damagedCount: 0 },
    })
  })

  it('is read byte by byte', async () => {
    const { flows } = await readFlows(pcap(timed([FRAME])), { pieceBytes: 1 })
    expect(flows).toEqual([FLOW])
  })

  it('is read up to its truncated last record, which is reported', async () => {
    const capture = pcap(timed([FRAME, lookUp('cut.example.org')]))
    const recordAt = 24 + 16 + FRAME.length
    const { flows, report } = await readFlows(capture.subarray(0, recordAt + 40))
    expect(flows).toEqual([FLOW])
    const reason = 'Cannot read the last record: the capture ends after 40 bytes of it'
    expect(report.damaged).toEqual([{ at: recordAt, reason }])
  })

  it('without a complete header is reported', async () => {
    const { flows, report } = await readFlows(pcap([]).subarray(0, 20))
    const reason = 'Cannot read the header: the capture ends after 20 bytes of it'
    expect([flows, report.damaged]).toEqual([[], [{ at: 0, reason }]])
  })

  it('continues after a record with an excessive length, once two valid records follow', async () => {
    const frames = ['a.example', 'b.example', 'c.example', 'd.example'].map(lookUp)
    const capture = pcap(timed(frames))
    const secondAt = 24 + 16 + (frames[0]?.length ?? 0)
    capture.set([255, 255, 255, 127], secondAt + 8)
    const seen: number[] = []
    const { flows, report } = await readFlows(capture, { onDamage: ({ at }) => seen.push(at) })
    expect(flows.map(({ host }) => host)).toEqual(['a.example', 'c.example', 'd.example'])
    const reason = 'Cannot read the record: its declared length of 2147483647 bytes is too large'
    expect(report.damaged).toEqual([{ at: secondAt, reason }])
    expect(seen).toEqual([secondAt])
  })

  it('reports an unknown link type once', async () => {
    const { flows, report } = await readFlows(pcap(timed([FRAME, FRAME]), { linkType: 195 }))
    const reason = 'Cannot read the frames: unknown link type 195'
    expect({ flows, damaged: report.damaged, packets: report.packets }).toEqual({
      flows: [],
      damaged: [{ at: 24, reason }],
      packets: 2,
    })
  })
})

describe('pcapng', () => {
  it.each([false, true])('is read (big-endian: %s)', async (isBig) => {
    const [frame = { frame: FRAME, timeMs: 0 }] = timed([FRAME])
    const capture = pcapng([interfaceBlock(1, { isBig }), packetBlock(frame, { isBig })], isBig)
    const { flows, report } = await readFlows(capture, { pieceBytes: 7 })
    expect({ flows, damaged: report.damaged }).toEqual({ flows: [FLOW], damaged: [] })
  })

  it('is read with several sections, interfaces, and resolutions', async () => {
    const nano = interfaceBlock(1, { options: [[9, Uint8Array.of(9)]] })
    const binary = interfaceBlock(101, { options: [[9, Uint8Array.of(0x80 | 10)]] })
    const raw = udp({ from: RESOLVER, to: CLIENT }, answer('raw.example.net'))
    const first = pcapng([
      nano,
      binary,
      packetBlock({ frame: FRAME, timeMs: START_MS }, { unitsPerMs: 1_000_000 }),
      packetBlock({ frame: raw, timeMs: 2000 }, { id: 1, unitsPerMs: 1 }),
    ])
    const late = packetBlock({ frame: lookUp('late.example.io'), timeMs: 5000 }, { isBig: true })
    const second = pcapng([interfaceBlock(1, { isBig: true }), late], true)
    const { flows } = await readFlows(concatBytes([first, second]))
    expect(flows.map(({ host, capturedAt }) => [host, capturedAt])).toEqual([
      ['api.example.com', START_MS],
      ['raw.example.net', 1953],
      ['late.example.io', 5000],
    ])
  })

  it('applies the time offset of an interface description', async () => {
    const offset = interfaceBlock(1, { options: [[14, hex('6400000000000000')]] })
    const capture = pcapng([offset, packetBlock({ frame: FRAME, timeMs: 5000 })])
    const { flows } = await readFlows(capture)
    expect(flows.map(({ capturedAt }) => capturedAt)).toEqual([105_000])
  })

  it('has no packet times after the year 9999', async () => {
    const block = packetBlock({ frame: FRAME, timeMs: Date.UTC(10_000, 0, 1) })
    const { flows } = await readFlows(pcapng([interfaceBlock(1), block]))
    expect(flows).toEqual([{ ...FLOW, capturedAt: 0 }])
  })

  it('has no times of simple packets', async () => {
    const { flows } = await readFlows(pcapng([interfaceBlock(1), simpleBlock(FRAME)]))
    expect(flows).toEqual([{ ...FLOW, capturedAt: 0 }])
  })

  it('skips unknown blocks of any length', async () => {
    const blocks = [
      { type: 0x0bad, body: new Uint8Array(700_000) },
      interfaceBlock(1),
      { type: 5, body: new Uint8Array(12) },
      packetBlock({ frame: FRAME, timeMs: START_MS }),
    ]
    const { flows, report } = await readFlows(pcapng(blocks), { pieceBytes: 5000 })
    expect({ flows, damaged: report.damaged }).toEqual({ flows: [FLOW], damaged: [] })
  })

  it('continues with the next block after one with contradictory lengths', async () => {
    const blocks = [
      interfaceBlock(1),
      packetBlock({ frame: lookUp('lost.example'), timeMs: START_MS }),
      packetBlock({ frame: FRAME, timeMs: START_MS }),
    ]
    const capture = pcapng(blocks)
    const lostAt = 28 + 20
    capture[lostAt + 4] = 0xff
    const { flows, report } = await readFlows(capture)
    const reason = 'Cannot read the block: its lengths contradict each other'
    expect({ flows, damaged: report.damaged }).toEqual({
      flows: [FLOW],
      damaged: [{ at: lostAt, reason }],
    })
  })

  it('reports packets of an undescribed interface', async () => {
    const capture = pcapng([packetBlock({ frame: FRAME, timeMs: START_MS })])
    const { flows, report } = await readFlows(capture)
    const reason = 'Cannot read the packet: interface 0 is unknown'
    expect({ flows, damaged: report.damaged }).toEqual({ flows: [], damaged: [{ at: 28, reason }] })
  })

  it('treats the interface address as an own address', async () => {
    const options = [[4, hex('08080808 ffffff00')]] as const
    const way = { from: { ip: '93.184.216.34', port: 40_000 }, to: { ip: '8.8.8.8', port: 53 } }
    const frame = ethernet(udp({ from: way.to, to: way.from }, answer('own.example')))
    const capture = pcapng([interfaceBlock(1, { options }), packetBlock({ frame, timeMs: 0 })])
    const { flows } = await readFlows(capture)
    expect(flows).toMatchObject([{ ip: '93.184.216.34', direction: 'Incoming' }])
  })
})

describe('other bytes', () => {
  it('are reported as an unknown format', async () => {
    const { flows, report } = await readFlows(hex('00112233445566778899'))
    const reason = 'Cannot read the capture: it is neither pcap nor pcapng'
    const damaged = [{ at: 0, reason }]
    expect({ flows, report }).toEqual({
      flows: [],
      report: { packets: 0, bytes: 10, damaged, damagedCount: 1 },
    })
  })

  it('are reported as too short', async () => {
    const { report } = await readFlows(u16(7))
    const reason = 'Cannot read the capture: it has only 2 bytes'
    expect(report.damaged).toEqual([{ at: 0, reason }])
  })

  it('are counted, but listed at most a hundred times', async () => {
    const packets = Array.from({ length: 150 }, () => packetBlock({ frame: FRAME, timeMs: 0 }))
    const { report } = await readFlows(pcapng(packets))
    expect([report.damaged.length, report.damagedCount]).toEqual([100, 150])
  })

  it('with only a header yield no flows', async () => {
    const { report } = await readFlows(pcap([]))
    expect(report).toEqual({ packets: 0, bytes: 24, damaged: [], damagedCount: 0 })
  })
})

function lookUp(name: string): Uint8Array {
  return ethernet(udp({ from: RESOLVER, to: CLIENT }, answer(name)))
}

function answer(name: string): Uint8Array {
  return dnsAnswer(name, { addresses: ['93.184.216.34'] })
}
