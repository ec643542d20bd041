import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../../../core/shared/bytes.ts'
import { pcap, START_MS, timed } from '../../../helpers/capture-files.ts'
import { readFlows } from '../../../helpers/captures.ts'
import {
  clientHello,
  cryptoFrame,
  dnsAnswer,
  dnsQuery,
  type InitialParts,
  quicInitial,
} from '../../../helpers/messages.ts'
import { ethernet, hex, tcp, toAsciiBytes, u16, u32, udp } from '../../../helpers/packets.ts'
import { CLIENT_INITIAL } from '../../../helpers/rfc9001.ts'

const CLIENT = { ip: '10.0.0.7', port: 40_000 }
const SERVER = { ip: '93.184.216.34', port: 443 }
const RESOLVER = { ip: '9.9.9.9', port: 53 }
const UP = { from: CLIENT, to: SERVER }
const ASK = { from: CLIENT, to: RESOLVER }
const ANSWER = { from: RESOLVER, to: CLIENT }
const SALT_1 = '38762cf7f55934b34d179ae6a4c80cadccbb7f0a'
const FLOW = {
  ip: '93.184.216.34',
  port: 443,
  host: 'api.example.com',
  via: 'quic',
  direction: 'Outgoing',
  capturedAt: START_MS,
  protocol: 'quic',
  method: undefined,
  url: undefined,
}

describe('DNS', () => {
  it('is one flow to the resolver for a query and its answer', async () => {
    const flows = await flowsOf([
      udp(ASK, dnsQuery('API.example.com')),
      udp(ANSWER, dnsAnswer('API.example.com', { addresses: [SERVER.ip] })),
    ])
    const expected = { ...FLOW, ip: '9.9.9.9', port: 53, via: 'dns', protocol: 'dns' }
    expect(flows).toEqual([{ ...expected, capturedAt: START_MS + 1 }])
  })

  it('shows an unanswered name at the end of the capture', async () => {
    expect(await named([udp(ASK, dnsQuery('api.example.com'))])).toEqual(['api.example.com dns'])
  })

  it('has the name of the first answer, regardless of earlier queries', async () => {
    const names = ['7.0.0.10.in-addr.arpa', 'api.example.com', '8.8.8.8.in-addr.arpa']
    const packets = [
      ...names.map((name) => udp(ASK, dnsQuery(name))),
      udp(ANSWER, dnsAnswer('7.0.0.10.in-addr.arpa', { addresses: [] })),
      udp(ANSWER, dnsAnswer('api.example.com', { addresses: [], alias: 'cdn.example.net' })),
      udp(ASK, dnsQuery('b.example.org')),
    ]
    expect(await named(packets)).toEqual(['api.example.com dns'])
  })

  it('has the name of the sixth query if none is answered', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((label) => `${label}.example.com`)
    expect(await named(names.map((name) => udp(ASK, dnsQuery(name))))).toEqual([
      'f.example.com dns',
    ])
  })

  it('shows each further name with addresses once, on a port with many queries', async () => {
    const names = ['api.example.com', 'js.example.com', 'api.example.co.uk', 'js.example.com']
    const packets = [
      ...names.map((name) => udp(ASK, dnsQuery(name))),
      ...names.map((name) => udp(ANSWER, dnsAnswer(name, { addresses: ['192.0.2.7'] }))),
      udp(ANSWER, dnsAnswer('x0123.tunnel.example', { addresses: [], alias: 'y.tunnel.example' })),
      udp(ANSWER, dnsAnswer('no.example.com', { addresses: [] })),
    ]
    expect(await named(packets)).toEqual([
      'api.example.co.uk dns',
      'api.example.com dns',
      'js.example.com dns',
    ])
  })

  it('over multicast does not name other flows', async () => {
    const group = { ip: '224.0.0.251', port: 5353 }
    const from = { ip: '10.0.0.9', port: 5353 }
    const told = dnsAnswer('_cast._tcp.local', { addresses: ['10.0.0.9'] })
    const again = dnsAnswer('tv.local', { addresses: ['10.0.0.9'] })
    const packets = [
      udp({ from, to: group }, told),
      udp({ from, to: group }, again),
      tcp({ from: CLIENT, to: { ip: '10.0.0.9', port: 8009 } }, { flags: 'S' }),
    ]
    expect(await named(packets)).toEqual(['_cast._tcp.local dns'])
  })

  it('names the flows to its answers', async () => {
    const answer = dnsAnswer('api.example.com', { addresses: ['192.0.2.1', SERVER.ip] })
    const [, flow] = await flowsOf([udp(ANSWER, answer), tcp(UP, { flags: 'S' })])
    expect(flow).toEqual({ ...FLOW, via: 'dns', protocol: 'tcp', capturedAt: START_MS + 1 })
  })

  it('replaces invalid characters of names by _', async () => {
    expect(await named([udp(ASK, dnsQuery('*.a b\u00fc.example'))])).toEqual(['_.a_b_.example dns'])
  })

  it('is not recognised if a name refers to itself or is endless', async () => {
    const head = hex('0007 0100 0001 0000 0000 0000')
    const loops = [hex('c00c 0001 0001'), hex('01 61 c00c 0001 0001'), new Uint8Array(300).fill(1)]
    expect(await named(loops.map((loop) => udp(ASK, concatBytes([head, loop]))))).toEqual([])
  })
})

describe('QUIC', () => {
  it.each<readonly [string, Partial<InitialParts>]>([
    ['version 1', {}],
    [
      'version 2',
      {
        version: 0x6b3343cf,
        salt: '0dede3def700a6db819381be6e269dcbf9bd2ed9',
        prefix: 'quicv2',
        type: 1,
      },
    ],
    ['draft 23', { version: 0xff000017, salt: 'c3eef712c72ebb5a11a7d2432bb46365bef9f502' }],
    ['draft 29', { version: 0xff00001d, salt: 'afbfec289993d24c9e9786f19c6111e04390a899' }],
    ["Facebook's first", { version: 0xfaceb001, salt: '7fbcdb0e7c66bbe9193a96cd21519ebd7a02644a' }],
    ['a version that forces negotiation', { version: 0x1a2a3a4a }],
  ])('is decrypted (%s)', async (_, parts) => {
    const frames = cryptoFrame(0, clientHello('api.example.com'))
    expect(await flowsOf([udp(UP, initial({ frames, ...parts }))])).toEqual([FLOW])
  })

  it('is decrypted for the packet of RFC 9001, appendix A.2', async () => {
    expect(await flowsOf([udp(UP, CLIENT_INITIAL)])).toEqual([{ ...FLOW, host: 'example.com' }])
  })

  it('is decrypted after a token, acknowledgements and padding', async () => {
    const frames = concatBytes([
      hex('00 01 02 05 00 01 00 02 03'),
      cryptoFrame(0, clientHello('api.example.com')),
    ])
    const packet = initial({ frames, token: toAsciiBytes('token'), number: 70_000 })
    expect(await flowsOf([udp(UP, packet)])).toEqual([FLOW])
  })

  it('reassembles a ClientHello from packets and datagrams in any order', async () => {
    const hello = clientHello('api.example.com', 2000)
    const parts = [
      initial({ number: 2, frames: cryptoFrame(1000, hello.subarray(1000, 2000)), target: 'aabb' }),
      concatBytes([
        initial({ number: 1, frames: cryptoFrame(2000, hello.subarray(2000)), paddedTo: 0 }),
        initial({ number: 0, frames: cryptoFrame(0, hello.subarray(0, 1000)), paddedTo: 0 }),
      ]),
    ]
    const [late = new Uint8Array(0), early = new Uint8Array(0)] = parts
    expect(await flowsOf([udp(UP, early), udp(UP, late)])).toEqual([FLOW])
  })

  it('has only an address if its packets cannot be decrypted', async () => {
    const packet = initial({ frames: cryptoFrame(0, clientHello('api.example.com')) })
    packet[100] = (packet[100] ?? 0) ^ 1
    expect(await flowsOf([udp(UP, packet)])).toEqual([{ ...FLOW, host: undefined, via: 'address' }])
  })

  it.each([
    ['Q043', concatBytes([hex('0d 0102030405060708'), toAsciiBytes('Q043'), hex('01')])],
    ['Q046', concatBytes([hex('c3'), toAsciiBytes('Q046'), hex('50 0102030405060708 00000001')])],
  ])('is read in the format of Google (%s)', async (_, header) => {
    const tags = concatBytes([toAsciiBytes('PAD\0'), little(4), toAsciiBytes('SNI\0'), little(19)])
    const values = concatBytes([toAsciiBytes('----'), toAsciiBytes('api.example.com')])
    const message = concatBytes([toAsciiBytes('CHLO'), hex('0200 0000'), tags, values])
    expect(await flowsOf([udp(UP, concatBytes([header, new Uint8Array(20), message]))])).toEqual([
      FLOW,
    ])
  })
})

describe('DTLS', () => {
  it('names a flow by its ClientHello', async () => {
    const hello = clientHello('api.example.com')
    const body = hello.subarray(4)
    // It has an empty cookie after the session.
    const withCookie = concatBytes([body.subarray(0, 39), hex('00'), body.subarray(39)])
    const length = hex('000000')
    length.set(u16(withCookie.length), 1)
    const message = concatBytes([hex('01'), length, hex('0000 000000'), length, withCookie])
    const record = concatBytes([hex('16 feff 0000 000000000000'), u16(message.length), message])
    expect(await flowsOf([udp(UP, record)])).toEqual([{ ...FLOW, via: 'tls', protocol: 'tls' }])
  })
})

function initial(parts: Partial<InitialParts> & { readonly frames: Uint8Array }): Uint8Array {
  return quicInitial({ version: 1, salt: SALT_1, keysOf: '8394c8f03e515708', ...parts })
}

function little(value: number): Uint8Array {
  return u32(value).reverse()
}

async function named(packets: readonly Uint8Array[]): Promise<readonly string[]> {
  const flows = await flowsOf(packets)
  return flows.flatMap(({ host, via }) => (host === undefined ? [] : `${host} ${via}`)).sort()
}

async function flowsOf(packets: readonly Uint8Array[]) {
  const frames = timed(packets.map((packet) => ethernet(packet)))
  const { flows, report } = await readFlows(pcap(frames))
  expect(report.damaged).toEqual([])
  return flows
}
