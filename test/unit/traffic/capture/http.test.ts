import { describe, expect, it } from 'vitest'
import { pcap, START_MS, timed } from '../../../helpers/capture-files.ts'
import { readFlows } from '../../../helpers/captures.ts'
import { clientHello, tlsRecords } from '../../../helpers/messages.ts'
import { ethernet, tcp, toAsciiBytes } from '../../../helpers/packets.ts'

const UP = { from: { ip: '10.0.0.7', port: 40_000 }, to: { ip: '93.184.216.34', port: 8080 } }
const FLOW = {
  ip: '93.184.216.34',
  port: 8080,
  host: 'api.example.com',
  via: 'http',
  direction: 'Outgoing',
  capturedAt: START_MS,
  protocol: 'http',
  method: 'get',
  url: 'http://api.example.com/v1/users/7',
}

describe('an HTTP request', () => {
  it('shows host, method and URL without query', async () => {
    const flows = await flowsOf([
      'GET /v1/users/7?page=2 HTTP/1.1\r\nHost: API.example.com\r\n\r\n',
    ])
    expect(flows).toEqual([FLOW])
  })

  it('is read from several segments, with folded lines and bare line feeds', async () => {
    const pieces = [
      'GE',
      'T /v1/users/7 HTT',
      'P/1.1\nAccept: a,\n  b\nHo',
      'st: api.example.com\n',
      '\n',
    ]
    expect(await flowsOf(pieces)).toEqual([{ ...FLOW, capturedAt: START_MS + 4 }])
  })

  it('includes a port other than 80 in its URL', async () => {
    const [flow] = await flowsOf(['POST /a HTTP/1.1\r\nHost: api.example.com:8080\r\n\r\n'])
    expect([flow?.host, flow?.method, flow?.url]).toEqual([
      'api.example.com',
      'post',
      'http://api.example.com:8080/a',
    ])
  })

  it('ends its URL at a carriage return or query, and normalises it', async () => {
    const flows = await flowsOf([
      'GET /a b\u001b[1m?key=secret\rfoo HTTP/1.1\r\nHost: api.example.com\r\n\r\n',
    ])
    expect(flows.map(({ url }) => url)).toEqual(['http://api.example.com/a%20b%1B[1m'])
  })

  it('may have a target and a host of any length', async () => {
    const target = `/${'?'.repeat(15_000)}\rx`
    const head = `GET ${target} HTTP/1.1\r\nHost: ${'.'.repeat(15_000)}x\r\n\r\n`
    const flows = await flowsOf(Array.from({ length: 100 }, () => head))
    expect(flows.map(({ host, url }) => `${host} ${url}`)).toEqual(
      Array.from({ length: 100 }, () => 'undefined http://93.184.216.34/'),
    )
  })

  it('is read byte by byte after a long first line', async () => {
    const path = `/${'a'.repeat(14_000)}`
    const line = `GET ${path} HTTP/1.1\r\nHost: api.example.com\r\nX: `
    const bytes = Array.from({ length: 2000 }, () => 'x')
    const flows = await flowsOf([line, ...bytes, '\r', '\n', '\r', '\n'])
    expect(flows.map(({ url }) => url)).toEqual([`http://api.example.com${path}`])
  })

  it('has the host of an absolute target, as sent to a proxy', async () => {
    const [flow] = await flowsOf([
      'GET http://user@api.example.org/a/b?c HTTP/1.1\r\nHost: proxy.example\r\n\r\n',
    ])
    expect([flow?.host, flow?.url]).toEqual(['api.example.org', 'http://api.example.org/a/b'])
  })

  it('uses the address in its URL if it has no host', async () => {
    const [flow] = await flowsOf(['GET /a HTTP/1.0\r\n\r\n'])
    expect([flow?.host, flow?.via, flow?.url]).toEqual([
      undefined,
      'address',
      'http://93.184.216.34/a',
    ])
  })

  it('has no URL if its host is invalid in URLs', async () => {
    const [flow] = await flowsOf(['GET /a HTTP/1.1\r\nHost: 100%s\r\n\r\n'])
    expect([flow?.host, flow?.url]).toEqual(['100%s', undefined])
  })

  it('is read repeatedly on a persistent connection, across bodies with a length and chunks', async () => {
    const stream = [
      'POST /one HTTP/1.1\r\nHost: a.example\r\nContent-Length: 20\r\n\r\nGET /no HTTP/1.1\r\n\r\n',
      'POST /two HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: chunked\r\n\r\n',
      '5\r\nGET /\r\n1a;x=y\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n',
      'PUT /three HTTP/1.1\r\nHost: b.example\r\n\r\nPATCH /four HTTP/1.1\r\nHost: b.example\r\n\r\n',
    ].join('')
    for (const size of [1, 7, 33, stream.length]) {
      const pieces = stream.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      const flows = await flowsOf(pieces)
      expect(flows.map(({ method, url }) => `${method} ${url}`)).toEqual([
        'post http://a.example/one',
        'post http://a.example/two',
        'put http://b.example/three',
        'patch http://b.example/four',
      ])
    }
  })

  it('is found again after lost segments', async () => {
    const first = 'POST /one HTTP/1.1\r\nHost: a.example\r\nContent-Length: 9000\r\n\r\n'
    const next = 'GET /two HTTP/1.1\r\nHost: a.example\r\n\r\n'
    const packets = [
      tcp(UP, { sequence: 1, payload: toAsciiBytes(first) }),
      tcp(UP, { sequence: 1 + first.length + 9000, payload: toAsciiBytes(next) }),
      tcp(UP, { flags: 'R', sequence: 1 }),
    ]
    expect((await flowsOfPackets(packets)).map(({ url }) => url)).toEqual([
      'http://a.example/one',
      'http://a.example/two',
    ])
  })

  it('is reported partially at the end of the capture', async () => {
    expect(
      await flowsOf(['GET /v1/users/7 HTTP/1.1\r\nHost: api.example.com\r\nCookie: half']),
    ).toEqual([FLOW])
  })

  it('is reported without the rest of an endless head', async () => {
    const pieces = ['GET /v1/users/7 HTTP/1.1\r\nHost: api.example.com\r\n']
    for (let count = 0; count < 60; count += 1) pieces.push(`X-${count}: ${'a'.repeat(1000)}\r\n`)
    const flows = await flowsOf([...pieces, '\r\n', 'GET /two HTTP/1.1\r\n\r\n'])
    expect(flows.map(({ url }) => url)).toEqual([
      'http://api.example.com/v1/users/7',
      'http://93.184.216.34/two',
    ])
  })

  it('is read even if its first line seems to continue', async () => {
    expect(
      await flowsOf(['GET /v1/users/7 HTTP/1.1\r\n \r\nHost: api.example.com\r\n\r\n']),
    ).toEqual([FLOW])
  })

  it('is distinguished from other protocols', async () => {
    expect(
      await flowsOf(['DESCRIBE rtsp://a.example/b RTSP/1.0\r\nCSeq: 2\r\n\r\n']),
    ).toMatchObject([{ host: undefined, protocol: 'tcp', via: 'address' }])
  })

  it('opens a tunnel with CONNECT, in which TLS is read', async () => {
    const connect = 'CONNECT api.example.com:443 HTTP/1.1\r\nHost: api.example.com:443\r\n\r\n'
    const hello = tlsRecords(clientHello('inner.example.com'))
    const packets = [
      tcp(UP, { sequence: 1, payload: toAsciiBytes(connect) }),
      tcp(UP, { sequence: 1 + connect.length, payload: hello }),
    ]
    const flows = await flowsOfPackets(packets)
    expect(flows.map(({ host, via, method, url }) => [host, via, method, url])).toEqual([
      ['api.example.com', 'http', 'connect', undefined],
      ['inner.example.com', 'tls', undefined, undefined],
    ])
  })

  it('identifies the client, even if the response is captured first', async () => {
    const back = { from: UP.to, to: UP.from }
    const flows = await flowsOfPackets([
      tcp(back, { sequence: 1, payload: toAsciiBytes('HTTP/1.1 200 OK\r\n\r\n') }),
      tcp(UP, {
        sequence: 1,
        payload: toAsciiBytes('GET /v1/users/7 HTTP/1.1\r\nHost: api.example.com\r\n\r\n'),
      }),
    ])
    expect(flows).toEqual([{ ...FLOW, capturedAt: START_MS + 1 }])
  })
})

async function flowsOf(pieces: readonly string[]) {
  let sequence = 1
  return await flowsOfPackets(
    pieces.map((piece) => {
      const packet = tcp(UP, { sequence, payload: toAsciiBytes(piece) })
      sequence += piece.length
      return packet
    }),
  )
}

async function flowsOfPackets(packets: readonly Uint8Array[]) {
  const { flows } = await readFlows(pcap(timed(packets.map((packet) => ethernet(packet)))))
  return flows
}
