import { describe, expect, it } from 'vitest'
import type { Flow } from '../../../core/traffic/flow.ts'
import { createZeekReader } from '../../../core/traffic/logs/zeek.ts'
import { readTraffic } from '../../helpers/traffic.ts'

const AT = 1_591_367_999.25

function record(uid: string, more: object) {
  return {
    ts: AT,
    uid,
    'id.orig_h': '10.0.0.5',
    'id.orig_p': 40_001,
    'id.resp_h': '93.184.216.34',
    'id.resp_p': 443,
    ...more,
  }
}

const toLog = (records: readonly object[]) => records.map((each) => JSON.stringify(each)).join('\n')

const FLOW = {
  ip: '93.184.216.34',
  port: 443,
  host: 'api.pay.example',
  via: 'tls',
  direction: 'Outgoing',
  capturedAt: AT * 1000,
  protocol: 'tls',
  method: undefined,
  url: undefined,
}

describe('Zeek logs', () => {
  it('of one connection yield one flow, in any order', async () => {
    const conn = toLog([record('C1', { proto: 'tcp', service: 'ssl' })])
    const ssl = toLog([
      record('C1', { version: 'TLSv12', cipher: 'X', server_name: 'API.pay.example' }),
    ])
    for (const files of [[conn, ssl], [ssl, conn], [`${conn}\n${ssl}`]]) {
      const { flows, formats } = await readTraffic(files)
      expect(flows).toEqual([FLOW])
      expect(new Set(formats)).toEqual(new Set(['zeek']))
    }
  })

  it('ignore records with invalid times', async () => {
    const named = { cipher: 'X', server_name: 'api.pay.example' }
    const times = [1e30, -1]
    const records = times.map((ts, index) => record(`C${index}`, { ...named, ts }))
    const { flows } = await readTraffic([toLog([...records, record('C9', named)])])
    expect(flows).toEqual([FLOW])
  })

  it('name connections by an earlier or later DNS answer', async () => {
    const conn = toLog([
      record('C1', { proto: 'tcp' }),
      record('C2', { proto: 'tcp', 'id.resp_h': '93.184.216.35' }),
      record('C3', { proto: 'icmp' }),
    ])
    const lookUp = { 'id.resp_h': '10.0.0.1', 'id.resp_p': 53, proto: 'udp' }
    const dns = toLog([
      record('C4', {
        ...lookUp,
        query: 'api.pay.example',
        answers: ['cdn.example', '93.184.216.34'],
      }),
      record('C5', { ...lookUp, qtype_name: 'A' }),
    ])
    const { flows } = await readTraffic([conn, dns])
    expect(flows).toEqual([
      { ...FLOW, ip: '10.0.0.1', port: 53, via: 'dns', protocol: 'dns' },
      { ...FLOW, via: 'dns', protocol: 'tcp' },
      { ...FLOW, ip: '93.184.216.35', host: undefined, via: 'address', protocol: 'tcp' },
    ])
  })

  it('yield a flow for each request', async () => {
    const web = { 'id.resp_p': 80, host: 'api.pay.example' }
    const http = toLog([
      record('C1', { ...web, method: 'GET', uri: '/v1/charges?key=1' }),
      record('C1', { ...web, method: 'POST', uri: '/v1/charges' }),
      record('C2', {
        ...web,
        'id.resp_p': 3128,
        method: 'GET',
        uri: 'http://api.pay.example/v1/x',
      }),
      record('C3', { 'id.resp_p': 3128, method: 'CONNECT', uri: 'api.pay.example:443' }),
      record('C4', { ...web, 'id.resp_p': 8080, method: 'GET', uri: '/v1' }),
    ])
    const { flows } = await readTraffic([http])
    const seen = { ...FLOW, port: 80, via: 'http', protocol: 'http', method: 'get' }
    expect(flows).toEqual([
      { ...seen, url: 'http://api.pay.example/v1/charges' },
      { ...seen, method: 'post', url: 'http://api.pay.example/v1/charges' },
      { ...seen, port: 3128, url: 'http://api.pay.example/v1/x' },
      { ...seen, port: 3128, method: undefined },
      { ...seen, port: 8080, url: 'http://api.pay.example:8080/v1' },
    ])
  })

  it('of QUIC and TLS yield one name once', async () => {
    const quic = toLog([
      record('C1', { version: '1', client_initial_dcid: 'x', server_name: 'api.pay.example' }),
    ])
    const ssl = toLog([record('C1', { version: 'TLSv13', server_name: 'api.pay.example' })])
    expect((await readTraffic([quic, ssl])).flows).toEqual([
      { ...FLOW, via: 'quic', protocol: 'quic' },
    ])
  })

  it('determine the direction from the network addresses', async () => {
    const ends = { 'id.orig_h': '203.0.113.9', 'id.resp_h': '10.0.0.5', proto: 'tcp' }
    const clients = {
      ...FLOW,
      ip: '203.0.113.9',
      port: 443,
      host: undefined,
      via: 'address',
      protocol: 'tcp',
      direction: 'Incoming',
    }
    expect((await readTraffic([toLog([record('C1', ends)])])).flows).toEqual([clients])
    const local = { ...ends, 'id.resp_h': '198.51.100.1', local_orig: false, local_resp: true }
    expect((await readTraffic([toLog([record('C1', local)])])).flows).toEqual([clients])
    const own = { ...ends, 'id.resp_h': '198.51.100.1' }
    const options = { ownAddresses: ['198.51.100.1'] }
    expect((await readTraffic([toLog([record('C1', own)])], options)).flows).toEqual([clients])
    const range = { ownAddresses: ['198.51.100.0/24'] }
    expect((await readTraffic([toLog([record('C1', own)])], range)).flows).toEqual([clients])
    const nested = {
      ts: AT,
      uid: 'C1',
      id: { orig_h: '10.0.0.5', orig_p: 1, resp_h: '93.184.216.34', resp_p: 443 },
      server_name: 'api.pay.example',
    }
    expect((await readTraffic([toLog([nested])])).flows).toEqual([FLOW])
  })

  it('are read with tabs as well', async () => {
    const lines = [
      '#separator \\x09',
      '#path\tssl',
      '#fields\tts\tuid\tid.orig_h\tid.orig_p\tid.resp_h\tid.resp_p\tserver_name\testablished',
      `${AT}\tC1\t10.0.0.5\t40001\t93.184.216.34\t443\tapi.pay.example\tT`,
      `${AT}\tC2\t10.0.0.5\t40001\t93.184.216.34\t443\t-\tF`,
    ]
    const { flows, formats } = await readTraffic([lines.join('\n')])
    expect(formats).toEqual(['zeek-table'])
    expect(flows).toEqual([FLOW, { ...FLOW, host: undefined, via: 'address' }])
  })

  it('report invalid lines', async () => {
    const text = `${toLog([record('C1', { server_name: 'api.pay.example' })])}\n{"ts":1}\n{"uid`
    const { reports } = await readTraffic([text])
    expect(reports[0]?.damaged).toEqual([
      { at: 2, reason: 'Cannot read line 2: it is not an entry of this log' },
      { at: 3, reason: 'Cannot read line 3: it is not an entry of this log' },
    ])
  })

  it('are read in bounded memory: the oldest waiting connections are yielded first', () => {
    const reader = createZeekReader({ capacity: 2 })
    for (const uid of ['C1', 'C2', 'C3', 'C4']) {
      reader.read(record(uid, { proto: 'tcp', 'id.resp_p': Number(uid.slice(1)) }))
    }
    const portsOf = (flows: readonly Flow[]) => flows.map(({ port }) => port)
    expect(portsOf(reader.takeEvicted())).toEqual([1, 2])
    expect(portsOf(reader.finish())).toEqual([3, 4])
    expect([reader.takeEvicted(), reader.finish()]).toEqual([[], []])
  })
})
