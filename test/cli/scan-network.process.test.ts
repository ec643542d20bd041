import { readdirSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveNode } from '../../adapters/runtime/node.ts'
import { createClient } from '../../core/client.ts'
import { ROOT } from '../helpers/build.ts'
import { pcap, timed } from '../helpers/capture-files.ts'
import { type CommandOutcome, runCommand } from '../helpers/command-line.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { ethernet, tcp, toAsciiBytes } from '../helpers/packets.ts'
import { openTestService, type TestService } from '../helpers/service.ts'
import { findSharedData } from '../helpers/shared-data.ts'

const DESCRIPTIONS = join(ROOT, 'fixtures', 'seed', 'descriptions')

let folder: TestFolder
let database = ''
let service: TestService
let server: Awaited<ReturnType<typeof serveNode>>

beforeAll(async () => {
  folder = await makeFolder()
  database = folder.pathOf('apis.db')
  const words = ['import', DESCRIPTIONS, '--create-vendors', '--database', database]
  expect((await runCommand(words)).code).toBe(0)
  service = await openTestService()
  server = await serveNode(service.app.handle, { port: 0 })
  await mkdir(folder.pathOf('traffic'))
  await writeFile(folder.pathOf('traffic/a.har'), HAR)
  await writeFile(folder.pathOf('traffic/b.log.gz'), gzipSync(LOG))
  await writeFile(folder.pathOf('traffic/.hidden'), 'x')
  await writeFile(folder.pathOf('rubbish'), 'hello')
  await writeFile(folder.pathOf('empty'), '')
  await writeFile(folder.pathOf('cut.gz'), gzipSync(LOG).subarray(0, -9))
})
afterAll(async () => {
  await server.close(0)
  await service.close()
  await folder.remove()
})

const HAR = JSON.stringify({
  log: {
    version: '1.2',
    entries: [
      {
        startedDateTime: '2026-01-02T03:04:05.678Z',
        serverIPAddress: '81.2.69.160',
        request: { method: 'GET', url: 'https://eu.api.skycast.example/v2/forecast?x=1' },
      },
      { request: { url: '/none' } },
    ],
  },
})

const TIMELESS = JSON.stringify({
  log: { entries: [{ startedDateTime: 'garbage', request: { url: 'https://x.example/' } }] },
})

const LOG = `10.0.0.5 - - [02/Jan/2026:03:05:05 +0000] "CONNECT api.ledgerly.example:443 HTTP/1.1" 200 5
10.0.0.5 - - [02/Jan/2026:03:06:05 +0000] "GET http://other.example/x HTTP/1.1" 200 5
`

const CAPTURE = pcap(
  timed([
    ethernet(
      tcp(
        { from: { ip: '10.0.0.7', port: 40_000 }, to: { ip: '93.184.216.34', port: 80 } },
        { payload: toAsciiBytes('GET /a HTTP/1.1\r\nHost: other.example\r\n\r\n') },
      ),
    ),
  ]),
)

function scanNetwork(
  words: readonly string[],
  given: Parameters<typeof runCommand>[1] = {},
): Promise<CommandOutcome> {
  return runCommand(['scan', 'network', ...words, '--database', database], given)
}

const jsonOf = ({ bytes }: CommandOutcome) => JSON.parse(new TextDecoder().decode(bytes))

/** Removes bold type and durations. */
function toPlain(lines: readonly string[]): readonly string[] {
  return lines.map((line) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the codes
    line.replace(/\u001b\[\d+m/g, '').replace(/\d+\.\d s\.$/, '… s.'),
  )
}

describe('scan network', () => {
  it('shows APIs with requests, addresses and times, then the other hosts', async () => {
    const { code, results, notes } = await scanNetwork([folder.pathOf('traffic')])
    expect(code).toBe(0)
    expect(toPlain(results)).toEqual([
      'API                VENDOR    ENDPOINTS          FLOWS  ADDRESSES    DIRECTION  FIRST             LAST',
      'Ledgerly Payments  Ledgerly  not visible        1      -            Outgoing   2026-01-02 03:05  2026-01-02 03:05',
      'Skycast Weather    Skycast   1 endpoint         1      81.2.69.160  Outgoing   2026-01-02 03:04  2026-01-02 03:04',
      '                              GET /v2/forecast  1',
      '',
      'UNCATALOGUED HOST  VENDOR  FLOWS  ADDRESSES  DIRECTION  FIRST             LAST',
      'other.example      -       1      -          Outgoing   2026-01-02 03:06  2026-01-02 03:06',
    ])
    expect(toPlain(notes)).toEqual([
      '3 flows in 0.4 kB; … s.',
      `${folder.pathOf('traffic/a.har')}: Cannot read entry 2: its URL has no host`,
    ])
  })

  it('only counts hosts of the local network, and lists them with --json', async () => {
    const hosts = ['192.168.1.5', 'tv.local', 'nas', '239.255.255.250', '[fe80::1]', 'far.example']
    const lines = hosts.map(
      (host) => `10.0.0.5 - - [02/Jan/2026:03:06:05 +0000] "GET http://${host}/x HTTP/1.1" 200 5\n`,
    )
    const io = { input: new TextEncoder().encode(lines.join('')) }
    const { results, notes } = await scanNetwork(['-'], io)
    expect(toPlain(results).slice(1)).toEqual([
      'far.example        -       1      -          Outgoing   2026-01-02 03:06  2026-01-02 03:06',
    ])
    expect(toPlain(notes).slice(0, 1)).toEqual([
      'Not listed: 5 hosts of the local network with 5 flows. Use --json to list all.',
    ])
  })

  it('prints JSON without unknown values, and reads standard input', async () => {
    const outcome = await scanNetwork(['-', folder.pathOf('traffic/a.har'), '--json'], {
      input: gzipSync(CAPTURE),
    })
    expect(outcome.code).toBe(0)
    const id = expect.stringMatching(/^[A-Za-z0-9]{7}$/)
    expect(jsonOf(outcome)).toEqual({
      network_name: expect.stringMatching(/./),
      project_name: 'network',
      flows: [
        {
          captured_ip: '93.184.216.34',
          port: 80,
          host: 'other.example',
          via: 'http',
          direction: 'Outgoing',
          capture_datetime: '2026-01-02T03:04:05+00:00',
          protocol: 'http',
          method: 'get',
          url: 'http://other.example/a',
        },
        {
          captured_ip: '81.2.69.160',
          port: 443,
          host: 'eu.api.skycast.example',
          via: 'har',
          direction: 'Outgoing',
          capture_datetime: '2026-01-02T03:04:05+00:00',
          protocol: 'http',
          method: 'get',
          url: 'https://eu.api.skycast.example/v2/forecast',
          endpoint_id: id,
          api_name: 'Skycast Weather',
          vendor_name: 'Skycast',
        },
      ],
      damaged: [
        {
          file: folder.pathOf('traffic/a.har'),
          at: 2,
          reason: 'Cannot read entry 2: its URL has no host',
        },
      ],
    })
  })

  it('writes the document to a file', async () => {
    const output = folder.pathOf('out.json')
    const { code } = await scanNetwork(['-', '--json', '--output', output], { input: CAPTURE })
    expect([code, JSON.parse(await readFile(output, 'utf8')).flows.length]).toEqual([0, 1])
  })

  it('reads readable files, and fails for files without traffic', async () => {
    const cut = await scanNetwork([folder.pathOf('cut.gz'), folder.pathOf('empty'), '--json'])
    expect([cut.code, jsonOf(cut).damaged]).toEqual([
      0,
      [
        expect.objectContaining({ reason: expect.stringMatching(/gzip data is truncated/) }),
        { file: folder.pathOf('empty'), at: 0, reason: 'Cannot read the file: it is empty' },
      ],
    ])
    const rubbish = await scanNetwork([folder.pathOf('rubbish'), folder.pathOf('traffic/b.log.gz')])
    expect([rubbish.code, rubbish.notes.at(-1)]).toEqual([
      1,
      `${folder.pathOf('rubbish')}: Cannot read the file: it is not a known capture, HAR or log format`,
    ])
    expect(rubbish.results.join('\n')).toContain('Ledgerly Payments')
  })

  it('continues if a file is missing, and fails at the end', async () => {
    const outcome = await scanNetwork([folder.pathOf('traffic/b.log.gz'), 'gone.pcap', '--json'])
    const gone = { file: 'gone.pcap', at: 0, reason: 'Cannot read the file: file not found' }
    expect([outcome.code, jsonOf(outcome).flows.length, jsonOf(outcome).damaged]).toEqual([
      1,
      2,
      [gone],
    ])
    expect(outcome.notes.at(-1)).toBe('gone.pcap: Cannot read the file: file not found')
  })

  it('reads nested folders and skips files without traffic', async () => {
    await mkdir(folder.pathOf('deep/2026/01'), { recursive: true })
    await mkdir(folder.pathOf('deep/.git'))
    await writeFile(folder.pathOf('deep/2026/01/b.log'), LOG)
    await writeFile(folder.pathOf('deep/.git/c.log'), LOG)
    await writeFile(folder.pathOf('deep/2026/package.json'), '{"name":"x"}\n')
    await writeFile(folder.pathOf('deep/README.md'), '# Traffic\n')
    const outcome = await scanNetwork([folder.pathOf('deep'), '--json'])
    expect([outcome.code, jsonOf(outcome).flows.length, jsonOf(outcome).damaged]).toEqual([
      0,
      2,
      [],
    ])
    expect(outcome.notes.at(-1)).toBe(
      `Skipped files without traffic: ${folder.pathOf('deep/2026/package.json')}, ${folder.pathOf('deep/README.md')}`,
    )
  })

  it('fails if there is no traffic at all, without inventing times', async () => {
    await mkdir(folder.pathOf('other'))
    await writeFile(folder.pathOf('other/x.json'), '{"openapi":"3.1.0"}\n')
    await writeFile(folder.pathOf('app.log'), '{"msg":"started"}\n{"msg":"done"}\n')
    await writeFile(folder.pathOf('times.har'), TIMELESS)
    const outcomes: unknown[] = []
    for (const name of ['other', 'app.log', 'times.har']) {
      const { code, results, notes } = await scanNetwork([folder.pathOf(name)])
      outcomes.push([code, results, notes.at(-1)])
    }
    expect(outcomes).toEqual([
      [1, [], `Skipped files without traffic: ${folder.pathOf('other/x.json')}`],
      [
        1,
        [],
        `${folder.pathOf('app.log')}: Cannot read the file: none of its 2 lines is a request`,
      ],
      [0, [], `${folder.pathOf('times.har')}: Cannot read entry 1: no entry has a valid time`],
    ])
  })

  it.each([
    [
      ['gone.pcap', 'away.har'],
      1,
      'Cannot read gone.pcap: file not found; Cannot read away.har: file not found',
    ],
    [
      ['-', '--own-address', '10.0.0.0/8', '--own-address', 'foo'],
      2,
      'Invalid own address "foo": must be an IP address or a range such as 10.1.0.0/16',
    ],
    [[], 2, 'Cannot scan: pass files, - for standard input, or --interface'],
    [[''], 2, 'Cannot scan: a file name is empty'],
    [['-', '-'], 2, 'Cannot scan: standard input (-) can be read only once'],
    [
      ['-', '--json', '--output', '/no/such/x'],
      1,
      'Cannot write /no/such/x: folder /no/such not found',
    ],
    [['-', '--output', 'x'], 2, 'Cannot use --output: it needs --json'],
    [
      ['-', '--submit', 'ftp://x'],
      2,
      'Cannot submit: --submit must be an http or https URL of a service',
    ],
    [['gone.pcap'], 1, 'Cannot read gone.pcap: file not found'],
    [['-', '--geoip', 'gone.mmdb'], 1, 'Cannot read geolocations from gone.mmdb: file not found'],
  ])('rejects %j', async (words, code, message) => {
    const outcome = await scanNetwork(words)
    expect([outcome.code, outcome.notes]).toEqual([code, [message]])
  })
})

describe('serve --geoip', () => {
  it('rejects an invalid geolocation database', async () => {
    const words = ['serve', '--port', '0', '--geoip', folder.pathOf('rubbish')]
    const { code, notes } = await runCommand([...words, '--database', database])
    expect([code, notes]).toEqual([
      1,
      [
        `Cannot read geolocations from ${folder.pathOf('rubbish')}: it is corrupt or not a MaxMind database (.mmdb)`,
      ],
    ])
  })
})

describe('scan network --submit', () => {
  const words = () => [folder.pathOf('traffic'), '--submit', server.url]
  const names = ['--network-name', 'Office', '--project-name', 'Shop', '--nic-name', 'eth0']

  it('stores the flows as one scan, once', async () => {
    const environment = { API_DISCOVERY_KEY: service.keys.only.ingest }
    const sent = await scanNetwork([...words(), ...names], { environment })
    expect([sent.code, sent.notes.at(-1)]).toEqual([
      0,
      expect.stringMatching(
        /^Stored as net_\w{22}: 3 flows, 2 matched\. Read it from the API: GET http:\/\/127\.0\.0\.1:\d+\/api\/networks\/user_scan_mappings\/\?instance_id=net_\w{22}$/,
      ),
    ])
    const again = await scanNetwork([...words(), ...names], { environment })
    expect(again.notes.at(-1)).toBe(sent.notes.at(-1))
    const client = createClient({ baseUrl: `${server.url}/api`, apiKey: service.keys.readOnly })
    const [, id = ''] = /Stored as (\w+)/.exec(sent.notes.at(-1) ?? '') ?? []
    const { scan_mappings: stored } = await client.getNetworkScanMappings({ instance_id: id })
    expect(stored).toMatchObject({
      network_name: 'Office',
      project_name: 'Shop',
      nic_name: 'eth0',
      start_time: '2026-01-02T03:04:05.678000+00:00',
      end_time: '2026-01-02T03:06:05+00:00',
      scan_status: 'complete',
    })
    expect(stored.mappings.map(({ host, api_name }) => [host, api_name])).toEqual([
      ['eu.api.skycast.example', 'Skycast Weather'],
      ['api.ledgerly.example', 'Ledgerly Payments'],
      ['other.example', undefined],
    ])
  })

  it('fails for a rejected key, and stores nothing if there are no flows', async () => {
    const refused = await scanNetwork(words(), {
      environment: { API_DISCOVERY_KEY: service.keys.readOnly },
    })
    expect([refused.code, refused.notes.at(-1)]).toEqual([
      1,
      `Cannot submit the scan to ${server.url}: the key lacks the scope "ingest"`,
    ])
    const environment = { API_DISCOVERY_KEY: service.keys.all }
    const none = await scanNetwork([folder.pathOf('empty'), '--submit', server.url], {
      environment,
    })
    expect([none.code, none.notes.at(-1)]).toEqual([0, 'Nothing was stored: no flows were found.'])
  })
})

const data = findSharedData()

describe.skipIf(!data)('scan network of the captures beside the project', () => {
  const captures = join(data ?? '', 'captures')

  it('reads all of them', async () => {
    const outcome = await scanNetwork([join(captures, 'pcap'), join(captures, 'har'), '--json'])
    const { flows, damaged } = jsonOf(outcome)
    const files = readdirSync(join(captures, 'pcap')).length
    expect([outcome.code, damaged, flows.length > files]).toEqual([0, [], true])
  })

  it('shows geolocations', async () => {
    const places = join(data ?? '', 'mmdb', 'GeoIP2-City-Test.mmdb')
    const { results } = await scanNetwork([folder.pathOf('traffic/a.har'), '--geoip', places])
    expect(toPlain(results)[1]).toBe(
      'Skycast Weather  Skycast  1 endpoint         1      81.2.69.160  London United Kingdom [England]  Outgoing   2026-01-02 03:04  2026-01-02 03:04',
    )
  })
})
