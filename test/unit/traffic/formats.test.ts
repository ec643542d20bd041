import { describe, expect, it } from 'vitest'
import { detectFormat } from '../../../core/traffic/logs/formats.ts'
import { pcap, pcapng } from '../../helpers/capture-files.ts'
import { readTraffic } from '../../helpers/traffic.ts'

const encode = (text: string) => new TextEncoder().encode(text)

describe('formats of traffic', () => {
  it('are detected from the first bytes', () => {
    const line = '1.1.1.1 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 2326'
    const zeek = '{"ts":1,"uid":"C1","id.orig_h":"10.0.0.5","id.resp_h":"10.0.0.6"}'
    const known = [
      [pcap([]), 'pcap'],
      [pcap([], { isBig: true, isNano: true }), 'pcap'],
      [pcapng([]), 'pcapng'],
      [encode('{"log":{"entries":[]}}'), 'har'],
      [encode('\ufeff{\n  "$schema": "x",\n  "log": {\n'), 'har'],
      [encode(zeek), 'zeek'],
      [encode(`{"msg":"x"}\n${zeek}\n`), 'zeek'],
      [encode('#separator \\x09\n'), 'zeek-table'],
      [encode('{"msg":"x"}\n'), 'json-lines'],
      [encode(`{"msg":"${'x'.repeat(70_000)}"}`), 'json-lines'],
      [encode(line), 'access-log'],
      [encode(`half of a line\n\n${line}\n`), 'access-log'],
    ] as const
    for (const [bytes, format] of known) expect(detectFormat(bytes)).toBe(format)
    for (const text of [
      '',
      ' ',
      'a',
      'hello\nworld',
      '{}',
      '[1]',
      '<html>',
      '\0\0\0\0\0',
      'PK\u0003\u0004',
    ]) {
      expect(detectFormat(encode(text))).toBeUndefined()
    }
  })

  it('that are unknown are reported, as are empty files', async () => {
    const { flows, outcomes, reports } = await readTraffic(['hello', '', '\n \r\n'])
    expect([flows, outcomes]).toEqual([[], ['other', 'empty', 'empty']])
    expect(reports.map(({ damaged }) => damaged)).toEqual([
      [{ at: 0, reason: 'Cannot read the file: it is not a known capture, HAR or log format' }],
      [{ at: 0, reason: 'Cannot read the file: it is empty' }],
      [{ at: 0, reason: 'Cannot read the file: it is empty' }],
    ])
  })

  it('are not traffic if no JSON line is a request', async () => {
    const request = '{"time":1767323045,"method":"GET","url":"http://api.weather.example/v1/now"}'
    const { flows, outcomes, reports } = await readTraffic([
      '{"openapi":"3.1.0","info":{"title":"x"}}',
      '{"level":"info","msg":"started"}\n{"level":"info","msg":"done"}\n',
      `{"level":"info","msg":"started"}\n${request}\n`,
      '{\n  "name": "x",\n  "log": {}\n}',
    ])
    expect([flows.length, outcomes]).toEqual([1, ['other', 'other', 'traffic', 'other']])
    expect(reports.map(({ damaged }) => damaged)).toEqual([
      [{ at: 0, reason: 'Cannot read the file: its only line is not a request' }],
      [{ at: 0, reason: 'Cannot read the file: none of its 2 lines is a request' }],
      [],
      [{ at: 0, reason: 'Cannot read the HAR file: it has no log.entries' }],
    ])
  })

  it('are traffic even for Zeek logs of other events', async () => {
    const table = '#separator \\x09\n#path\tweird\n#fields\tts\tname\n1\tx\n'
    const { outcomes, reports } = await readTraffic([table])
    expect([outcomes, reports[0]?.damaged]).toEqual([['traffic'], []])
  })
})
