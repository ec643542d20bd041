import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAccessLine, readAccessRecord } from '../../../core/traffic/logs/access-logs.ts'
import { readTraffic } from '../../helpers/traffic.ts'

const TIME = '10/Oct/2000:13:55:36 -0700'
const AT = Date.UTC(2000, 9, 10, 20, 55, 36)

const INCOMING = {
  ip: '203.0.113.9',
  port: undefined,
  host: undefined,
  via: 'log',
  direction: 'Incoming',
  capturedAt: AT,
  protocol: 'http',
  method: 'get',
  url: undefined,
}

const OUTGOING = {
  ...INCOMING,
  ip: '',
  port: 80,
  host: 'api.weather.example',
  direction: 'Outgoing',
  url: 'http://api.weather.example/v1/now',
}

describe('lines of access logs', () => {
  it.each([
    ['common', `203.0.113.9 - frank [${TIME}] "GET /a.gif?x=1 HTTP/1.0" 200 2326`],
    ['combined', `203.0.113.9 - - [${TIME}] "GET / HTTP/1.1" 200 5 "http://r/" "A \\"B\\" [C]"`],
    ['with blanks in the user', `203.0.113.9 - a b c [${TIME}] "GET / HTTP/1.1" 200 5`],
  ])('contain a request of a client: %s', (_, line) => {
    expect(readAccessLine(line)).toEqual(INCOMING)
  })

  it('may start with the virtual host', () => {
    const line = `shop.example:443 2001:db8::1 - - [${TIME}] "POST /v1/x?y HTTP/2.0" 200 2`
    expect(readAccessLine(line)).toEqual({
      ...INCOMING,
      ip: '2001:db8::1',
      port: 443,
      host: 'shop.example',
      method: 'post',
      url: 'https://shop.example/v1/x',
    })
  })

  it('of a forward proxy contain requests to other hosts', () => {
    const absolute = `10.0.0.5 - - [${TIME}] "GET http://api.weather.example/v1/now?key=1 HTTP/1.1" 200 5`
    expect(readAccessLine(absolute)).toEqual(OUTGOING)
    const tunnel = `10.0.0.5 - - [${TIME}] "CONNECT api.weather.example:8443 HTTP/1.1" 200 5`
    expect(readAccessLine(tunnel)).toEqual({
      ...OUTGOING,
      port: 8443,
      method: undefined,
      url: undefined,
    })
  })

  it('of Squid contain the address of the server', () => {
    const start = '971211336.000    921 192.168.0.68 TCP_MISS/200 507'
    const rest = 'DIRECT/50.19.240.1 application/xml'
    expect(readAccessLine(`${start} GET http://api.weather.example/v1/now - ${rest}`)).toEqual({
      ...OUTGOING,
      ip: '50.19.240.1',
    })
    expect(
      readAccessLine(`${start} CONNECT api.weather.example:443 - HIER_DIRECT/2001:db8::5 -`),
    ).toEqual({
      ...OUTGOING,
      ip: '2001:db8::5',
      port: 443,
      method: undefined,
      url: undefined,
    })
  })

  it('of Envoy determine the direction from Istio clusters', () => {
    const start =
      '[2000-10-10T20:55:36.000Z] "GET /v1/now?x HTTP/2" 200 - via_upstream - "-" 0 135 3 1'
    const out = `${start} "-" "curl/7" "8496" "api.weather.example" "93.184.216.34:443" outbound|443||api.weather.example 10.0.0.1:80 93.184.216.34:443 10.0.0.9:4000 - default`
    expect(readAccessLine(out)).toEqual({
      ...OUTGOING,
      ip: '93.184.216.34',
      port: 443,
      url: 'https://api.weather.example/v1/now',
    })
    const incoming = `${start} "203.0.113.9" "curl/7" "8496" "shop.example" "10.0.0.2:80"`
    expect(readAccessLine(incoming)).toEqual({
      ...INCOMING,
      host: 'shop.example',
      url: 'http://shop.example/v1/now',
    })
  })

  it('without HTTP still contain the client', () => {
    expect(readAccessLine(`203.0.113.9 - - [${TIME}] "\\x16\\x03\\x01" 400 5`)).toEqual({
      ...INCOMING,
      method: undefined,
    })
    expect(readAccessLine(`crawler.example - - [${TIME}] "-" 408 -`)).toEqual({
      ...INCOMING,
      ip: '',
      host: 'crawler.example',
      method: undefined,
    })
  })

  it.each([
    '',
    'hello',
    `[${TIME}] "GET / HTTP/1.1"`,
    '203.0.113.9 - - [10/Nix/2000:13:55:36 -0700] "GET / HTTP/1.1" 200 5',
    `203.0.113.9 - - [${TIME}] "GET / HTTP/1.1`,
    '971211336.000 921 192.168.0.68',
  ])('are distinguished from other text: %j', (line) => {
    expect(readAccessLine(line)).toBeUndefined()
  })

  it('are parsed in bounded time without throwing, whatever they contain', () => {
    const piece = fc.constantFrom(
      '"',
      '\\',
      ' ',
      '[',
      ']',
      TIME,
      `[${TIME}] "`,
      'GET ',
      'a',
      '\0',
      '1',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        readAccessLine(pieces.join(''))
      }),
      { seed: 5, numRuns: 2000 },
    )
    readAccessLine(`1.1.1.1 - - [${TIME}] "${'\\"'.repeat(30_000)}`)
    readAccessLine('1.1.1.1 [ '.repeat(6000))
  })
})

describe('records of access logs', () => {
  it.each([
    [
      'nginx',
      {
        remote_addr: '203.0.113.9',
        time_local: TIME,
        request: 'GET /v1/x?y HTTP/1.1',
        http_host: 'shop.example',
        scheme: 'https',
      },
    ],
    [
      'nginx in parts',
      {
        remote_addr: '203.0.113.9',
        msec: '971211336.000',
        request_method: 'GET',
        request_uri: '/v1/x?y',
        host: 'shop.example',
        scheme: 'https',
      },
    ],
    [
      'Traefik',
      {
        ClientHost: '203.0.113.9',
        RequestMethod: 'GET',
        RequestPath: '/v1/x?y',
        RequestHost: 'shop.example',
        RequestScheme: 'https',
        StartUTC: '2000-10-10T20:55:36Z',
      },
    ],
    [
      'Envoy',
      {
        downstream_remote_address: '203.0.113.9',
        method: 'GET',
        path: '/v1/x?y',
        authority: 'shop.example',
        scheme: 'https',
        start_time: '2000-10-10T20:55:36.000Z',
      },
    ],
  ])('contain a request of a client: %s', (_, record) => {
    expect(readAccessRecord(record)).toEqual({
      ...INCOMING,
      port: 443,
      host: 'shop.example',
      url: 'https://shop.example/v1/x',
    })
  })

  it('of Caddy contain the request in an object', () => {
    const request = {
      remote_ip: '203.0.113.9',
      remote_port: '41342',
      method: 'GET',
      host: 'shop.example',
      uri: '/v1/x',
      tls: {},
    }
    expect(
      readAccessRecord({ ts: 971211336.0004, msg: 'handled request', request, status: 200 }),
    ).toEqual({
      ...INCOMING,
      port: 443,
      host: 'shop.example',
      url: 'https://shop.example/v1/x',
    })
  })

  it('of proxies contain requests to other hosts', () => {
    const proxied = {
      time: AT,
      client: '10.0.0.5',
      method: 'GET',
      url: 'http://api.weather.example/v1/now?k',
    }
    expect(readAccessRecord(proxied)).toEqual(OUTGOING)
    const tunnel = {
      time: AT,
      client: '10.0.0.5',
      method: 'CONNECT',
      url: 'api.weather.example:443',
    }
    expect(readAccessRecord(tunnel)).toEqual({
      ...OUTGOING,
      port: 443,
      method: undefined,
      url: undefined,
    })
    const mesh = {
      start_time: '2000-10-10T20:55:36Z',
      method: 'GET',
      path: '/v1/now?k',
      authority: 'api.weather.example',
      upstream_host: '93.184.216.34:443',
      upstream_cluster: 'PassthroughCluster',
    }
    expect(readAccessRecord(mesh)).toEqual({
      ...OUTGOING,
      ip: '93.184.216.34',
      port: 443,
      url: 'https://api.weather.example/v1/now',
    })
  })

  it('of containers wrap the line of a program', () => {
    const log = `203.0.113.9 - - [${TIME}] "GET / HTTP/1.0" 200 2326\n`
    expect(readAccessRecord({ log, stream: 'stdout', time: '2026-01-01T00:00:00Z' })).toEqual(
      INCOMING,
    )
  })

  it('are distinguished from other records', () => {
    for (const record of [
      {},
      { level: 'info', msg: 'started', ts: 1 },
      { method: 'GET', url: '/' },
    ]) {
      expect(readAccessRecord(record)).toBeUndefined()
    }
  })
})

describe('access logs', () => {
  it('are read line by line, and report other lines', async () => {
    const line = `203.0.113.9 - - [${TIME}] "GET / HTTP/1.0" 200 2326`
    const text = `${line}\r\n\n# rubbish\n${line}\n${'x'.repeat(3 << 20)}\n${line}`
    for (const pieceBytes of [1 << 20, 100_001]) {
      const { flows, formats, reports } = await readTraffic([text], { pieceBytes })
      expect([flows, formats]).toEqual([[INCOMING, INCOMING, INCOMING], ['access-log']])
      expect(reports).toEqual([
        {
          packets: 3,
          bytes: text.length,
          damaged: [
            { at: 3, reason: 'Cannot read line 3: it is not an entry of this log' },
            { at: 5, reason: 'Cannot read line 5: it is too long' },
          ],
          damagedCount: 2,
        },
      ])
    }
  })

  it('as JSON may contain unrelated records', async () => {
    const record = JSON.stringify({
      time: AT,
      method: 'GET',
      url: 'http://api.weather.example/v1/now',
    })
    const { flows, formats, reports } = await readTraffic([`{"msg":"started"}\n${record}\n{cut`])
    expect([flows, formats]).toEqual([[OUTGOING], ['json-lines']])
    expect(reports[0]?.damaged).toEqual([
      { at: 3, reason: 'Cannot read line 3: it is not an entry of this log' },
    ])
  })
})
