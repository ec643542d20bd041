import { describe, expect, it } from 'vitest'
import { readHar } from '../../../core/traffic/logs/har.ts'
import { readTraffic } from '../../helpers/traffic.ts'

const START = '2026-01-02T03:04:05.678Z'
const START_MS = Date.parse(START)

function har(entries: readonly unknown[], more: object = {}): string {
  return JSON.stringify({ log: { version: '1.2', entries, ...more } })
}

function entry(url: unknown, more: object = {}) {
  return { startedDateTime: START, request: { method: 'GET', url }, ...more }
}

const FLOW = {
  ip: '',
  port: 443,
  host: 'api.pay.example',
  via: 'har',
  direction: 'Outgoing',
  capturedAt: START_MS,
  protocol: 'http',
  method: 'get',
  url: 'https://api.pay.example/v1/charges',
}

describe('HAR files', () => {
  it('yield a flow for each request, with its URL without query, fragment and user', () => {
    const url = 'https://me:secret@API.pay.example./v1/charges?key=1#top'
    expect(readHar(har([entry(url)]))).toEqual({
      isHar: true,
      entries: 1,
      flows: [{ ...FLOW, url: 'https://api.pay.example./v1/charges' }],
      damaged: [],
    })
  })

  it('are read after a byte order mark, in chunks of any size', async () => {
    const { flows, formats } = await readTraffic([`\ufeff${har([entry(FLOW.url)])}`], {
      pieceBytes: 7,
    })
    expect([flows, formats]).toEqual([[FLOW], ['har']])
  })

  it.each([
    ['93.184.216.34', '93.184.216.34'],
    ['[2001:DB8:0:0::1]', '2001:db8::1'],
    ['::ffff:93.184.216.34', '93.184.216.34'],
    ['', ''],
    ['not an address', ''],
    [17, ''],
  ])('contain the address %j', (serverIPAddress, ip) => {
    const { flows } = readHar(har([entry(FLOW.url, { serverIPAddress })]))
    expect(flows).toEqual([{ ...FLOW, ip }])
  })

  it('contain ports and web sockets', () => {
    const urls = ['http://a.example:8080/x', 'wss://b.example/live', 'http://[::1]:81/']
    const { flows } = readHar(har(urls.map((url) => entry(url))))
    expect(flows.map(({ host, port, url, ip }) => [host, port, url, ip])).toEqual([
      ['a.example', 8080, 'http://a.example:8080/x', ''],
      ['b.example', 443, 'wss://b.example/live', ''],
      ['::1', 81, 'http://[::1]:81/', '::1'],
    ])
  })

  it('use the time of the page if an entry has none, else that of the previous entry', () => {
    const pages = [{ id: 'p', startedDateTime: '2026-01-02T00:00:00+01:00' }]
    const entries = [
      entry(FLOW.url, { startedDateTime: undefined, pageref: 'p' }),
      entry(FLOW.url, { startedDateTime: 'yesterday' }),
    ]
    const { flows } = readHar(har(entries, { pages }))
    const at = Date.parse('2026-01-01T23:00:00Z')
    expect(flows.map(({ capturedAt }) => capturedAt)).toEqual([at, at])
  })

  it('use the first known time for earlier entries, and invent none', () => {
    const without = entry(FLOW.url, { startedDateTime: 'garbage' })
    expect(readHar(har([without, entry(FLOW.url)])).flows).toEqual([FLOW, FLOW])
    const pages = [{ id: 'p', startedDateTime: START }]
    expect(readHar(har([without], { pages })).flows).toEqual([FLOW])
    expect(readHar(har([without]))).toEqual({
      isHar: true,
      entries: 1,
      flows: [],
      damaged: [{ at: 1, reason: 'Cannot read entry 1: no entry has a valid time' }],
    })
  })

  it('report that they are truncated, unless this is known', () => {
    const cut = har([entry(FLOW.url), entry(FLOW.url)]).slice(0, -5)
    const reason = 'Cannot read the whole HAR file: it is truncated or invalid JSON'
    const read = { isHar: true, entries: 1, flows: [FLOW] }
    expect(readHar(cut)).toEqual({ ...read, damaged: [{ at: 0, reason }] })
    expect(readHar(cut, { isCut: true })).toEqual({ ...read, damaged: [] })
  })

  it('report and skip invalid entries', () => {
    const hosted = entry('GONE', {
      request: { url: 'GONE', headers: [{ name: 'Host', value: 'b.example:81' }] },
    })
    const entries = [
      null,
      1,
      {},
      entry(5),
      entry('/path'),
      entry('data:text/plain,x'),
      hosted,
      entry(FLOW.url),
    ]
    const { flows, damaged } = readHar(har(entries))
    expect(flows).toEqual([
      { ...FLOW, host: 'b.example', port: 81, url: undefined, method: undefined },
      FLOW,
    ])
    expect(damaged).toEqual([
      { at: 1, reason: 'Cannot read entry 1: it has no URL' },
      { at: 2, reason: 'Cannot read entry 2: it has no URL' },
      { at: 3, reason: 'Cannot read entry 3: it has no URL' },
      { at: 4, reason: 'Cannot read entry 4: it has no URL' },
      { at: 5, reason: 'Cannot read entry 5: its URL has no host' },
    ])
  })

  it('are read up to the point of truncation', () => {
    const whole = har([entry(FLOW.url, { text: '}]"\\' }), entry(FLOW.url)])
    const first = whole.indexOf('},{"startedDateTime"') + 1
    const second = whole.length - 3
    for (let length = 0; length < whole.length; length += 1) {
      const { flows, damaged } = readHar(whole.slice(0, length))
      expect(flows).toEqual(length < first ? [] : length < second ? [FLOW] : [FLOW, FLOW])
      expect(damaged).toEqual([
        { at: 0, reason: 'Cannot read the whole HAR file: it is truncated or invalid JSON' },
      ])
    }
  })

  it('report errors in an invalid document', () => {
    for (const text of ['{}', '[]', '{"log":{}}', '{"log":{"entries":{}}}', 'null']) {
      expect(readHar(text)).toEqual({
        isHar: false,
        entries: 0,
        flows: [],
        damaged: [{ at: 0, reason: 'Cannot read the HAR file: it has no log.entries' }],
      })
    }
  })
})
