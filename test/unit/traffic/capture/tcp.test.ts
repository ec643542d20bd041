import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../../../core/shared/bytes.ts'
import { pcap, START_MS, timed } from '../../../helpers/capture-files.ts'
import { readFlows } from '../../../helpers/captures.ts'
import { clientHello, dnsAnswer, dnsQuery, tlsRecords } from '../../../helpers/messages.ts'
import { ethernet, hex, tcp, toAsciiBytes, u16, udp, type Way } from '../../../helpers/packets.ts'

const CLIENT = { ip: '192.168.1.5', port: 40_000 }
const SERVER = { ip: '93.184.216.34', port: 443 }
const UP = { from: CLIENT, to: SERVER }
const DOWN = { from: SERVER, to: CLIENT }
const HELLO = tlsRecords(clientHello('API.Example.com.'))
const FLOW = {
  ip: '93.184.216.34',
  port: 443,
  host: 'api.example.com',
  via: 'tls',
  direction: 'Outgoing',
  capturedAt: START_MS,
  protocol: 'tls',
  method: undefined,
  url: undefined,
}

describe('TLS', () => {
  it('names a flow by the server name of its ClientHello', async () => {
    expect(await flowsOf([...opened(), tcp(UP, { sequence: 101, payload: HELLO })])).toEqual([FLOW])
  })

  it('is found on any port, and without the handshake of TCP', async () => {
    const way = { from: CLIENT, to: { ...SERVER, port: 8013 } }
    expect(await flowsOf([tcp(way, { payload: HELLO })])).toEqual([{ ...FLOW, port: 8013 }])
  })

  it('is reassembled from late, early, repeated and overlapping segments', async () => {
    const hello = tlsRecords(clientHello('api.example.com', 900))
    const part = (from: number, to: number) =>
      tcp(UP, { sequence: 101 + from, payload: hello.subarray(from, to) })
    const packets = [part(600, 990), part(0, 100), part(50, 300), part(0, 100), part(200, 700)]
    expect(await flowsOf([...opened(), ...packets])).toEqual([FLOW])
  })

  it('is reassembled across the wraparound of sequence numbers', async () => {
    const start = 0xffffffff - 20
    const packets = [
      tcp(UP, { sequence: start, flags: 'S' }),
      tcp(UP, { sequence: start + 31 - 2 ** 32, payload: HELLO.subarray(30) }),
      tcp(UP, { sequence: start + 1, payload: HELLO.subarray(0, 30) }),
    ]
    expect(await flowsOf(packets)).toEqual([FLOW])
  })

  it('is reassembled from several records', async () => {
    const payload = tlsRecords(clientHello('api.example.com', 200), 40)
    expect(await flowsOf([...opened(), tcp(UP, { sequence: 101, payload })])).toEqual([FLOW])
  })

  it('is found after plain text, as with STARTTLS', async () => {
    const packets = [
      ...opened(),
      tcp(DOWN, { sequence: 1001, payload: toAsciiBytes('220 mail ready\r\n') }),
      tcp(UP, { sequence: 101, payload: toAsciiBytes('STARTTLS\r\n') }),
      tcp(UP, { sequence: 111, payload: HELLO }),
    ]
    expect(await flowsOf(packets)).toEqual([FLOW])
  })

  it('has the name of an earlier DNS answer if the ClientHello has none', async () => {
    const resolver = { ip: '9.9.9.9', port: 53 }
    const answer = dnsAnswer('www.example.org', {
      addresses: [SERVER.ip],
      alias: 'cdn.example.net',
    })
    const packets = [
      udp({ from: resolver, to: CLIENT }, answer),
      tcp(UP, { payload: tlsRecords(clientHello(undefined)) }),
    ]
    const [, flow] = await flowsOf(packets)
    expect(flow).toEqual({ ...FLOW, host: 'www.example.org', via: 'dns', capturedAt: START_MS + 1 })
  })

  it('has only an address without a name', async () => {
    const packets = [tcp(UP, { payload: tlsRecords(clientHello(undefined)) })]
    expect(await flowsOf(packets)).toEqual([{ ...FLOW, host: undefined, via: 'address' }])
  })

  it('is one flow for each connection on the same ports', async () => {
    const once = [...opened(), tcp(UP, { sequence: 101, payload: HELLO })]
    expect(await flowsOf([...once, ...once])).toHaveLength(2)
  })

  it('shows a name from a ClientHello that the capture truncates', async () => {
    const hello = tlsRecords(clientHello('api.example.com'))
    const longer = concatBytes([hex('1603010400'), hello.subarray(5)])
    expect(await flowsOf([...opened(), tcp(UP, { sequence: 101, payload: longer })])).toEqual([
      FLOW,
    ])
  })
})

describe('DNS over TCP', () => {
  it('is read message by message', async () => {
    const way = { from: CLIENT, to: { ip: '9.9.9.9', port: 53 } }
    const back = { from: way.to, to: way.from }
    const names = ['a.example.com', 'b.example.org']
    const framed = (messages: readonly Uint8Array[]) =>
      concatBytes(messages.flatMap((message) => [u16(message.length), message]))
    const questions = framed(names.map(dnsQuery))
    const answers = framed(names.map((name) => dnsAnswer(name, { addresses: ['192.0.2.7'] })))
    const flows = await flowsOf([
      tcp(way, { sequence: 1, payload: questions.subarray(0, 9) }),
      tcp(way, { sequence: 10, payload: questions.subarray(9) }),
      tcp(back, { sequence: 1, payload: answers.subarray(0, 70) }),
      tcp(back, { sequence: 71, payload: answers.subarray(70) }),
    ])
    expect(flows.map(({ host, via, ip }) => [host, via, ip])).toEqual([
      ['a.example.com', 'dns', '9.9.9.9'],
      ['b.example.org', 'dns', '9.9.9.9'],
    ])
  })
})

describe('a connection', () => {
  it('without data is a flow with an address when it ends', async () => {
    const packets = [
      ...opened(),
      tcp(UP, { sequence: 101, payload: hex('00112233') }),
      tcp(UP, { sequence: 105, flags: 'FA' }),
      tcp(DOWN, { sequence: 1001, flags: 'FA' }),
      tcp(UP, { sequence: 106 }),
    ]
    const expected = { ...FLOW, host: undefined, via: 'address', protocol: 'tcp' }
    expect(await flowsOf(packets)).toEqual([expected])
  })

  it('is found among many whose addresses differ only in the first half, with unordered times', async () => {
    const frames = Array.from({ length: 20_000 }, (_, index) => {
      const server = { ip: `2001:db8:${index.toString(16)}::1`, port: 443 }
      return ethernet(tcp({ from: { ip: '2001:db8::7', port: 40_000 }, to: server }))
    })
    const capture = timed(frames).map(({ frame, timeMs }, index) => ({
      frame,
      timeMs: timeMs + (index % 2) * 60_000,
    }))
    const { flows } = await readFlows(pcap(capture))
    expect(new Set(flows.map(({ ip }) => ip)).size).toBe(20_000)
  })

  it('that is idle for minutes is reported before the capture ends', async () => {
    const frames = [
      { timeMs: START_MS, frame: ethernet(tcp(UP, { flags: 'S' })) },
      ...[40, 80, 121, 200].map((seconds) => ({
        timeMs: START_MS + seconds * 1000,
        frame: ethernet(udp({ from: CLIENT, to: { ip: '9.9.9.9', port: 9 } }, hex('00'))),
      })),
    ]
    const { flows } = await readFlows(pcap(frames))
    expect(flows.map(({ ip }) => ip)).toEqual(['93.184.216.34', '9.9.9.9'])
  })
})

function opened(way: Way = UP): readonly Uint8Array[] {
  const back = { from: way.to, to: way.from }
  return [
    tcp(way, { sequence: 100, flags: 'S' }),
    tcp(back, { sequence: 1000, flags: 'SA' }),
    tcp(way, { sequence: 101 }),
  ]
}

async function flowsOf(packets: readonly Uint8Array[]) {
  const frames = timed(packets.map((packet) => ethernet(packet)))
  const { flows, report } = await readFlows(pcap(frames))
  expect(report.damaged).toEqual([])
  return flows
}
