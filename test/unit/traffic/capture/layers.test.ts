import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../../../core/shared/bytes.ts'
import { pcap, timed } from '../../../helpers/capture-files.ts'
import { readFlows } from '../../../helpers/captures.ts'
import { dnsQuery } from '../../../helpers/messages.ts'
import { ethernet, hex, ip, tcp, toAsciiBytes, u16, u32, udp } from '../../../helpers/packets.ts'

const WAY = { from: { ip: '10.0.0.7', port: 5000 }, to: { ip: '9.9.9.9', port: 53 } }
const WAY_6 = { from: { ip: 'fd00::7', port: 5000 }, to: { ip: '2620:fe::fe', port: 53 } }
const OUTER = { from: { ip: '192.0.2.1', port: 700 }, to: { ip: '192.0.2.2', port: 4789 } }
const QUERY = dnsQuery('api.example.com')
const PACKET = udp(WAY, QUERY)
const PACKET_6 = udp(WAY_6, QUERY)
const TAGGED = ethernet(PACKET, [5, 7])

describe('link layers', () => {
  it.each([
    ['Ethernet', 1, ethernet(PACKET)],
    ['two VLAN tags', 1, TAGGED],
    ['MPLS', 1, concatBytes([new Uint8Array(12), hex('8847 00010040 00020140'), PACKET])],
    [
      'a pseudowire over MPLS',
      1,
      concatBytes([new Uint8Array(12), hex('8847 00010140 00000000'), TAGGED]),
    ],
    ['PPPoE', 1, concatBytes([new Uint8Array(12), hex('8864 110000010000 0021'), PACKET])],
    [
      'SNAP',
      1,
      concatBytes([new Uint8Array(12), u16(PACKET.length + 8), hex('aaaa03 000000 0800'), PACKET]),
    ],
    [
      'Linux cooked',
      113,
      concatBytes([hex('0004 0001 0006'), new Uint8Array(8), hex('0800'), PACKET]),
    ],
    [
      'Linux cooked 2',
      276,
      concatBytes([hex('0800 0000 00000002 0001 04 06'), new Uint8Array(8), PACKET]),
    ],
    ['raw IP', 101, PACKET],
    ['raw IPv4', 228, PACKET],
    ['BSD loopback', 0, concatBytes([hex('02000000'), PACKET])],
    ['OpenBSD loopback', 108, concatBytes([hex('00000002'), PACKET])],
    ['PPP', 9, concatBytes([hex('ff03 0021'), PACKET])],
    ["Cisco's own form of HDLC", 104, concatBytes([hex('0f00 0800'), PACKET])],
    ['PPP over Ethernet alone', 51, concatBytes([hex('110000010000 0021'), PACKET])],
    ['wireless', 105, wireless('0801')],
    ['wireless with quality of service and four addresses', 105, wireless('8803', 8)],
    ['radio before wireless', 127, concatBytes([hex('0000 0a00 00000000 0000'), wireless('0802')])],
    ['a header for each packet', 192, concatBytes([hex('0000 0800 01000000'), ethernet(PACKET)])],
  ])('%s', async (_, linkType, frame) => {
    expect(await hosts([frame], linkType)).toEqual(['9.9.9.9 api.example.com'])
  })
})

describe('frames without a packet', () => {
  it.each([
    ['sealed wireless', 105, wireless('0841')],
    ['wireless that carries no data', 105, wireless('4801')],
    ['wireless that is cut', 105, wireless('8803', 8).subarray(0, 36)],
    ['a header longer than its packet', 192, concatBytes([hex('0000 ffff 01000000'), TAGGED])],
    ['headers in each other', 192, concatBytes([hex('0000 0800 c0000000'), TAGGED])],
  ])('%s', async (_, linkType, frame) => {
    expect(await hosts([frame], linkType)).toEqual([])
  })
})

describe('tunnels', () => {
  it.each([
    ['IPv4 in IPv6', ip(WAY_6, { protocol: 4, payload: PACKET }), '9.9.9.9'],
    ['IPv6 in IPv4', ip(WAY, { protocol: 41, payload: PACKET_6 }), '2620:fe::fe'],
    [
      'GRE',
      ip(OUTER, { protocol: 47, payload: concatBytes([hex('0000 0800'), PACKET]) }),
      '9.9.9.9',
    ],
    [
      'GRE with key and Ethernet',
      ip(OUTER, { protocol: 47, payload: concatBytes([hex('2000 6558 00000001'), TAGGED]) }),
      '9.9.9.9',
    ],
    ['VXLAN', udp(OUTER, concatBytes([hex('0800000000000100'), ethernet(PACKET)])), '9.9.9.9'],
    [
      'CAPWAP with wireless frames',
      udp(to(5247), concatBytes([hex('00 10 03 00 00000000'), wireless('0108')])),
      '9.9.9.9',
    ],
    [
      'CAPWAP with Ethernet',
      udp(to(5247), concatBytes([hex('00 10 02 00 00000000'), ethernet(PACKET)])),
      '9.9.9.9',
    ],
    [
      'TZSP',
      udp(to(37_008), concatBytes([hex('01000001 00 0a01ff 01'), ethernet(PACKET)])),
      '9.9.9.9',
    ],
    [
      'GTP-U',
      udp(
        { ...OUTER, to: { ip: '192.0.2.2', port: 2152 } },
        concatBytes([hex('30ff'), u16(PACKET.length), u32(1), PACKET]),
      ),
      '9.9.9.9',
    ],
    [
      'GTP-U with an extension',
      udp(
        { ...OUTER, to: { ip: '192.0.2.2', port: 2152 } },
        concatBytes([
          hex('34ff'),
          u16(PACKET.length + 8),
          u32(1),
          hex('00000085 01000100'),
          PACKET,
        ]),
      ),
      '9.9.9.9',
    ],
  ])('%s', async (_, packet, address) => {
    expect(await hosts([ethernet(packet)])).toEqual([`${address} api.example.com`])
  })

  it('end after eight layers', async () => {
    let packet = PACKET
    for (let depth = 0; depth < 20; depth += 1) packet = ip(WAY, { protocol: 4, payload: packet })
    expect(await hosts([ethernet(packet)])).toEqual([])
  })
})

describe('IP packets', () => {
  it('are read with options and padding', async () => {
    const udpPart = PACKET.subarray(20)
    const packet = ip(WAY, { protocol: 17, payload: udpPart, options: hex('94040000') })
    expect(await hosts([ethernet(concatBytes([packet, toAsciiBytes('padding')]))])).toEqual([
      '9.9.9.9 api.example.com',
    ])
  })

  it('are read with extension headers in version 6', async () => {
    const chain = concatBytes([
      hex('3c00 000000000000'),
      hex('1100 000000000000'),
      PACKET_6.subarray(40),
    ])
    expect(await hosts([ethernet(ip(WAY_6, { protocol: 0, payload: chain }))])).toEqual([
      '2620:fe::fe api.example.com',
    ])
  })

  it.each([
    ['4', WAY, PACKET.subarray(20)],
    ['6', WAY_6, PACKET_6.subarray(40)],
  ])('are reassembled from fragments in any order (version %s)', async (_, way, datagram) => {
    const pieces = [
      { offset: 24, hasMore: false, payload: datagram.subarray(24) },
      { offset: 0, hasMore: true, payload: datagram.subarray(0, 16) },
      { offset: 16, hasMore: true, payload: datagram.subarray(16, 24) },
    ].map(({ payload, ...fragment }) => ethernet(ip(way, { protocol: 17, payload, fragment })))
    expect(await hosts(pieces)).toEqual([`${way.to.ip} api.example.com`])
  })

  it('are dropped if a fragment is missing', async () => {
    const fragment = { offset: 0, hasMore: true }
    const packet = ip(WAY, { protocol: 17, payload: PACKET.subarray(20), fragment })
    expect(await hosts([ethernet(packet)])).toEqual([])
  })
})

describe('the direction of a flow', () => {
  const inside = { ip: '192.168.1.5', port: 40_000 }
  const outside = { ip: '93.184.216.34', port: 443 }
  const other = { ip: '198.51.100.9', port: 50_000 }

  it('is outgoing from a private to a public address', async () => {
    expect(await ways([tcp({ from: inside, to: outside }, { flags: 'S' })])).toEqual([
      'Outgoing 93.184.216.34:443',
    ])
  })

  it('is incoming from a public address, with the called port', async () => {
    const way = { from: other, to: { ip: '192.168.1.5', port: 443 } }
    expect(await ways([tcp(way, { flags: 'S' })])).toEqual(['Incoming 198.51.100.9:443'])
  })

  it('is detected from the reply to a missed SYN', async () => {
    const way = { from: outside, to: inside }
    expect(await ways([tcp(way, { flags: 'SA' })])).toEqual(['Outgoing 93.184.216.34:443'])
  })

  it('is guessed from the ports if the start was missed', async () => {
    expect(await ways([tcp({ from: outside, to: inside })])).toEqual(['Outgoing 93.184.216.34:443'])
  })

  it('is detected from own addresses', async () => {
    const frames = [tcp({ from: other, to: outside }, { flags: 'S' })]
    expect(await ways(frames)).toEqual(['Outgoing 93.184.216.34:443'])
    expect(await ways(frames, ['93.184.216.34'])).toEqual(['Incoming 198.51.100.9:443'])
    expect(await ways(frames, ['93.184.0.0/16'])).toEqual(['Incoming 198.51.100.9:443'])
    const way = { from: { ip: '2001:db8::1', port: 1 }, to: { ip: '2001:db8::2', port: 2 } }
    expect(await ways([tcp(way, { flags: 'S' })], ['2001:DB8:0:0:0:0:0:2'])).toEqual([
      'Incoming 2001:db8::1:2',
    ])
  })

  it('is detected from the link layer of a cooked capture', async () => {
    const packet = tcp({ from: other, to: outside }, { flags: 'S' })
    const frame = concatBytes([hex('0000 0001 0006'), new Uint8Array(8), hex('0800'), packet])
    const { flows } = await readFlows(pcap(timed([frame]), { linkType: 113 }))
    expect(flows).toMatchObject([{ ip: '198.51.100.9', direction: 'Incoming' }])
  })

  it('is undefined for multicast and broadcast without a name', async () => {
    const many = ['224.0.0.251', '255.255.255.255', '0.0.0.0'].map((address) =>
      udp({ from: inside, to: { ip: address, port: 1900 } }, toAsciiBytes('hello')),
    )
    expect(await ways(many)).toEqual([])
  })
})

async function hosts(frames: readonly Uint8Array[], linkType = 1): Promise<readonly string[]> {
  const { flows, report } = await readFlows(pcap(timed(frames), { linkType }))
  expect(report.damaged).toEqual([])
  return flows.filter(({ host }) => host).map(({ ip: address, host }) => `${address} ${host}`)
}

async function ways(
  packets: readonly Uint8Array[],
  ownAddresses: readonly string[] = [],
): Promise<readonly string[]> {
  const capture = pcap(timed(packets.map((packet) => ethernet(packet))))
  const { flows } = await readFlows(capture, { ownAddresses })
  return flows.map(({ direction, ip: address, port }) => `${direction} ${address}:${port}`)
}

/** A wireless data frame; `more` bytes of further addresses and quality. */
function wireless(control: string, more = 0): Uint8Array {
  return concatBytes([hex(control), new Uint8Array(22 + more), hex('aaaa03 000000 0800'), PACKET])
}

function to(port: number) {
  return { ...OUTER, to: { ip: '192.0.2.2', port } }
}
