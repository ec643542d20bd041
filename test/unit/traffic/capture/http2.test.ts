import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../../../core/shared/bytes.ts'
import { createHpackReader, decodeHuffman } from '../../../../core/traffic/capture/http2/hpack.ts'
import { pcap, timed } from '../../../helpers/capture-files.ts'
import { readFlows } from '../../../helpers/captures.ts'
import { ethernet, hex, tcp, toAsciiBytes, u32 } from '../../../helpers/packets.ts'

const UP = { from: { ip: '10.0.0.7', port: 40_000 }, to: { ip: '93.184.216.34', port: 8080 } }
/** RFC 7541, appendix C.4: three requests of one connection. */
const BLOCKS = [
  '828684418cf1e3c2e5f23a6ba0ab90f4ff',
  '828684be5886a8eb10649cbf',
  '828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf',
].map(hex)

describe('HPACK', () => {
  it('reads the requests of RFC 7541, appendix C.4', () => {
    const reader = createHpackReader()
    expect(
      BLOCKS.map((block) => reader.read(block)?.map(({ name, value }) => `${name} ${value}`)),
    ).toEqual([
      [':method GET', ':scheme http', ':path /', ':authority www.example.com'],
      [
        ':method GET',
        ':scheme http',
        ':path /',
        ':authority www.example.com',
        'cache-control no-cache',
      ],
      [
        ':method GET',
        ':scheme https',
        ':path /index.html',
        ':authority www.example.com',
        'custom-key custom-value',
      ],
    ])
  })

  it('rejects invalid references and truncated blocks', () => {
    expect(createHpackReader().read(hex('ff'))).toBeUndefined()
    expect(createHpackReader().read(hex('be'))).toBeUndefined()
    expect(createHpackReader().read(hex('418cf1e3'))).toBeUndefined()
  })

  it('stops at unprintable symbols', () => {
    expect(decodeHuffman(hex('1fffffff'))).toBe('a?')
  })
})

describe('HTTP/2 without TLS', () => {
  const frames = BLOCKS.map((block, index) =>
    frame(1, { flags: 4, stream: 2 * index + 1, body: block }),
  )
  const [first = new Uint8Array(0)] = BLOCKS
  const stream = concatBytes([
    toAsciiBytes('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    frame(4, { body: new Uint8Array(12) }),
    frame(1, {
      stream: 9,
      body: first.subarray(0, 4),
      flags: 0x28,
      before: hex('02 00000000 10'),
      after: hex('0000'),
    }),
    frame(9, { stream: 9, flags: 4, body: first.subarray(4) }),
    frame(0, { stream: 9, body: new Uint8Array(5000) }),
    ...frames.slice(1),
  ])

  it.each([3, 100, 10_000])('shows each request, in segments of %i bytes', async (size) => {
    const packets: Uint8Array[] = []
    for (let at = 0; at < stream.length; at += size) {
      packets.push(ethernet(tcp(UP, { sequence: 1 + at, payload: stream.subarray(at, at + size) })))
    }
    const { flows } = await readFlows(pcap(timed(packets)))
    expect(flows.map(({ host, via, method, url }) => `${host} ${via} ${method} ${url}`)).toEqual([
      'www.example.com http get http://www.example.com/',
      'www.example.com http get http://www.example.com/',
      'www.example.com http get http://www.example.com/index.html',
    ])
  })

  it('is skipped if a head continues in endless empty frames', async () => {
    const open = frame(1, { stream: 1, body: new Uint8Array(0) })
    const empty = frame(9, { stream: 1, body: new Uint8Array(0) })
    const many = concatBytes(Array.from({ length: 7000 }, () => empty))
    const segments = [toAsciiBytes('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), open]
    for (let count = 0; count < 20; count += 1) segments.push(many)
    let sequence = 1
    const packets = segments.map((payload) => {
      const packet = ethernet(tcp(UP, { sequence, payload }))
      sequence += payload.length
      return packet
    })
    const { flows } = await readFlows(pcap(timed(packets)))
    expect(flows.map(({ host, via }) => `${host} ${via}`)).toEqual(['undefined address'])
  })

  it('omits invalid methods, and the query after a line feed', async () => {
    const literal = (name: number, value: string) =>
      concatBytes([Uint8Array.of(name, value.length), toAsciiBytes(value)])
    const request = (method: string) =>
      frame(1, {
        flags: 4,
        stream: 1,
        body: concatBytes([
          literal(2, method),
          literal(4, '/a?key=secret\nfoo'),
          literal(1, 'api.example.com'),
        ]),
      })
    const payload = concatBytes([
      toAsciiBytes('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
      request('\u001b[1m'),
      request('PUT'),
    ])
    const { flows } = await readFlows(pcap(timed([ethernet(tcp(UP, { sequence: 1, payload }))])))
    expect(flows.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'put http://api.example.com/a',
    ])
  })
})

function frame(
  type: number,
  {
    flags = 0,
    stream = 0,
    body,
    before = new Uint8Array(0),
    after = new Uint8Array(0),
  }: {
    readonly flags?: number
    readonly stream?: number
    readonly body: Uint8Array
    readonly before?: Uint8Array
    readonly after?: Uint8Array
  },
): Uint8Array {
  const whole = concatBytes([before, body, after])
  return concatBytes([u32((whole.length << 8) | type), Uint8Array.of(flags), u32(stream), whole])
}
