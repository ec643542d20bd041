import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { newFlowSchema } from '../../core/scans/wire.ts'
import { toFlowDocument, toSubmittedFlow } from '../../core/traffic/flow-document.ts'
import { readTraffic } from '../helpers/traffic.ts'

const TIME = '10/Oct/2000:13:55:36 -0700'

const SAMPLES = [
  '{"log":{"version":"1.2","entries":[{"startedDateTime":"2026-01-01T00:00:00Z","serverIPAddress":"::1","request":{"method":"GET","url":"https://a.example/x?y"}},{"request":{"url":"wss://b.example/"}}]}}',
  `203.0.113.9 - - [${TIME}] "GET http://a.example/x?y HTTP/1.1" 200 5 "r" "u"\nx.example:443 ::1 - - [${TIME}] "POST /x HTTP/1.1" 200 5\n`,
  '971211336.000 921 10.0.0.8 TCP_MISS/200 507 GET http://a.example/x - DIRECT/50.19.240.1 text/xml\n',
  '{"ts":1591367999.3,"uid":"C1","id.orig_h":"10.0.0.5","id.orig_p":1,"id.resp_h":"1.2.3.4","id.resp_p":443,"server_name":"a.example"}\n{"ts":1,"uid":"C2","id.orig_h":"10.0.0.5","id.resp_h":"1.2.3.4","query":"b.example","answers":["1.2.3.4"]}\n',
  '{"time":"2026-01-01T00:00:00Z","method":"GET","url":"http://a.example/x","client":"10.0.0.5"}\n',
  `#separator \\x09\n#fields\tts\tuid\tid.orig_h\tid.resp_h\tserver_name\n1\tC1\t10.0.0.5\t1.2.3.4\ta.example\n`,
]

const hostile = fc.constantFrom(
  '\0',
  '\ud800',
  '"',
  '\\',
  '{',
  '[',
  ']',
  '\n',
  '\t',
  '-',
  '9'.repeat(400),
  '__proto__',
  '\u202e',
  '%',
  '1e999',
)

describe('untrusted traffic logs', () => {
  it('never make the parser throw, and produce valid flows', async () => {
    const changed = fc.tuple(
      fc.constantFrom(...SAMPLES),
      fc.array(fc.tuple(fc.nat(400), fc.nat(12), hostile), { maxLength: 6 }),
    )
    await fc.assert(
      fc.asyncProperty(
        changed,
        fc.integer({ min: 1, max: 500 }),
        async ([sample, changes], pieceBytes) => {
          const text = changes.reduce(
            (before, [at, length, put]) => before.slice(0, at) + put + before.slice(at + length),
            sample,
          )
          const { flows } = await readTraffic([text], { pieceBytes })
          for (const flow of flows) {
            const row = toSubmittedFlow(flow)
            expect(v.safeParse(newFlowSchema, row).issues).toBeUndefined()
            toFlowDocument({
              ...flow,
              apiId: undefined,
              apiName: undefined,
              endpointId: undefined,
              vendorName: undefined,
            })
          }
        },
      ),
      { seed: 11, numRuns: 1500 },
    )
  })

  it('of deep, long and odd values are parsed in time', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const texts = [
      `{"log":{"entries":${deep}}}`,
      `{"log":{"entries":[{"request":{"url":"https://a.example/${'x'.repeat(1 << 20)}"}}]}}`,
      `{"log":{"entries":[{"text":"${'\\"'.repeat(1 << 19)}`,
      `{"uid":"C1","ts":1,"id":{"orig_h":${deep}}}\n`,
      `1.1.1.1 - - [${TIME}] "${'\\"'.repeat(30_000)}\n`,
      '{"__proto__":{"time":1,"method":"GET","url":"http://a.example/"}}\n',
    ]
    for (const text of texts) {
      const { flows } = await readTraffic([text])
      for (const flow of flows) {
        expect(v.safeParse(newFlowSchema, toSubmittedFlow(flow)).issues).toBeUndefined()
      }
    }
  })
})
