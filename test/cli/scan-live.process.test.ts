import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createNetworkSender, type LiveHead } from '../../adapters/cli/network-live.ts'
import { serveNode } from '../../adapters/runtime/node.ts'
import { openSpool, type Spool } from '../../adapters/scanner/index.ts'
import { type Client, createClient } from '../../core/client.ts'
import { pcap, timed } from '../helpers/capture-files.ts'
import { type CommandOutcome, runCommand } from '../helpers/command-line.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { noteInterruptible } from '../helpers/interrupt.ts'
import { ethernet, tcp, toAsciiBytes } from '../helpers/packets.ts'
import { openTestService, type TestService } from '../helpers/service.ts'

/** A fake tcpdump replays a capture; the service is real, and is stopped and restarted. */

let folder: TestFolder
let service: TestService
let server: Awaited<ReturnType<typeof serveNode>>
let client: Client

beforeAll(async () => {
  folder = await makeFolder()
  // Scans have the current time.
  service = await openTestService({ app: { clock: Date.now } })
  await startServer(0)
  expect((await runCommand(['migrate', '--database', folder.pathOf('a.db')])).code).toBe(0)
  const way = { from: { ip: '10.0.0.7', port: 40_000 }, to: { ip: '93.184.216.34', port: 80 } }
  const payload = toAsciiBytes('GET /v2/forecast HTTP/1.1\r\nHost: other.example\r\n\r\n')
  await writeFile(folder.pathOf('a.pcap'), pcap(timed([ethernet(tcp(way, { payload }))])))
  await tool('plays', `exec cat ${folder.pathOf('a.pcap')}`)
  // Ends gracefully, like tcpdump.
  const ends = (name: string) => `trap 'touch ${folder.pathOf(name)}; kill $!; exit 0' ${name}`
  const lines = [`cat ${folder.pathOf('a.pcap')}`, ends('INT'), ends('TERM'), 'sleep 60 &', 'wait']
  await tool('goes-on', lines.join('\n'))
  await tool('refused', 'echo "eth9: You do not have permission to capture" >&2\nexit 1')
})
afterAll(async () => {
  await server.close(0)
  await service.close()
  await folder.remove()
})

async function startServer(port: number): Promise<void> {
  server = await serveNode(service.app.handle, { port })
  client = createClient({ baseUrl: `${server.url}/api`, apiKey: service.keys.all })
}

/** Records its arguments, then runs its script. */
async function tool(name: string, body: string): Promise<void> {
  const file = folder.pathOf(name)
  await writeFile(file, `#!/bin/sh\necho "$@" > ${folder.pathOf('arguments')}\n${body}\n`)
  await chmod(file, 0o755)
}

function capture(name: string, words: readonly string[] = []): Promise<CommandOutcome> {
  return runCommand(toWords(name, words), {
    environment: { API_DISCOVERY_KEY: service.keys.only.ingest },
  })
}

function toWords(name: string, words: readonly string[]): readonly string[] {
  const start = ['scan', 'network', '--interface', 'lo', '--capture-tool', folder.pathOf(name)]
  return [...start, ...words, '--database', folder.pathOf('a.db')]
}

async function scansOf(project: string) {
  const { scan_details: scans } = await client.listNetworkScans()
  return scans.filter(({ project_name: name }) => name === project)
}

async function untilStored(project: string) {
  let seen = await scansOf(project)
  for (let turn = 0; turn < 200 && seen.length === 0; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    seen = await scansOf(project)
  }
  return seen
}

async function hostsOf(instanceId: string | undefined) {
  const { scan_mappings: scan } = await client.getNetworkScanMappings({
    instance_id: instanceId ?? '',
  })
  return scan.mappings.map(({ host }) => host)
}

describe('scan network --interface', () => {
  it('prints the captured flows when the tool exits', async () => {
    const outcome = await capture('plays', ['--json', '--filter', 'port 80'])
    expect(outcome.code).toBe(0)
    expect(JSON.parse(new TextDecoder().decode(outcome.bytes))).toEqual({
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
          url: 'http://other.example/v2/forecast',
        },
      ],
      damaged: [],
      network_name: hostname(),
      project_name: 'lo',
      nic_name: 'lo',
      nic_ip: expect.stringMatching(/^\/127\.0\.0\.1\b/),
    })
    expect(outcome.notes.at(-1)).toBe('Capture complete: the capture tool has exited.')
    expect(await readFile(folder.pathOf('arguments'), 'utf8')).toBe(
      '-i lo -w - -s 4096 -U -n --immediate-mode -B 16384 -- port 80\n',
    )
  })

  it('stores a complete scan', async () => {
    const { code, notes } = await capture('plays', [
      '--submit',
      server.url,
      '--project-name',
      'One',
    ])
    expect([code, notes.at(-1)]).toEqual([0, expect.stringMatching(/^Stored as net_\w{22}\. Read/)])
    const [scan, ...others] = await scansOf('One')
    expect(others).toEqual([])
    expect(scan).toMatchObject({
      nic_name: 'lo',
      scan_status: 'complete',
      scan_data_send_freq: '00:01:00',
    })
    expect(await hostsOf(scan?.instance_id)).toEqual(['other.example'])
  })

  it('sends while it captures, and ends gracefully when stopped', async () => {
    const words = ['--submit', server.url, '--project-name', 'Two', '--send-every', '00:00:01']
    const interrupt = noteInterruptible()
    const running = capture('goes-on', words)
    const seen = await untilStored('Two')
    expect(seen).toMatchObject([{ scan_status: 'running', end_time: '' }])
    interrupt()
    const { code, notes } = await running
    expect([code, notes]).toEqual([
      130,
      expect.arrayContaining(['Capture interrupted: it was stopped.']),
    ])
    const [scan] = await scansOf('Two')
    expect(scan).toMatchObject({
      instance_id: seen[0]?.instance_id,
      scan_status: 'interrupted',
    })
    expect(await hostsOf(scan?.instance_id)).toEqual(['other.example'])
  })

  it('ends gracefully when Ctrl-C reaches all processes of the terminal', async () => {
    const main = fileURLToPath(new URL('../../adapters/cli/main.ts', import.meta.url))
    const run = process.versions.deno === undefined ? [main] : ['run', '-A', main]
    const words = toWords('goes-on', ['--submit', server.url, '--project-name', 'Group'])
    const child = spawn(process.execPath, [...run, ...words, '--send-every', '00:00:01'], {
      detached: true,
      env: { ...process.env, API_DISCOVERY_KEY: service.keys.only.ingest },
      stdio: 'ignore',
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    await untilStored('Group')
    process.kill(-(child.pid ?? 0), 'SIGINT')
    expect(await ended).toBe(130)
    expect(await scansOf('Group')).toMatchObject([{ scan_status: 'interrupted' }])
    // The tool ends when its scanner stops it.
    const got = ['INT', 'TERM'].filter((name) => existsSync(folder.pathOf(name)))
    expect(got).toEqual(['TERM'])
  })

  it('ends after its duration', async () => {
    const { code, notes } = await capture('goes-on', ['--duration', '00:00:01'])
    expect([code, notes.at(-1)]).toEqual([0, 'Capture complete: its duration has elapsed.'])
  })

  it('stores unsent flows, and sends them in the next run', async () => {
    const spool = folder.pathOf('kept')
    const { port } = new URL(server.url)
    const words = ['--submit', server.url, '--spool', spool, '--project-name', 'Three']
    await server.close(0)
    const { code, notes } = await capture('plays', words)
    expect([code, notes.slice(-2)]).toEqual([
      1,
      [
        `Cannot send to ${server.url}: the service is not reachable. Captured flows are stored for the next attempt.`,
        `Cannot submit the whole scan: unsent flows are stored in ${spool}. To send them, run the command again with --spool ${spool}`,
      ],
    ])
    await startServer(Number(port))
    expect((await capture('plays', words)).code).toBe(0)
    const scans = await scansOf('Three')
    expect(scans.map(({ scan_status: status }) => status)).toEqual(['complete', 'complete'])
    for (const scan of scans) expect(await hostsOf(scan.instance_id)).toEqual(['other.example'])
  })

  it('explains why it cannot capture, and stores nothing', async () => {
    const refused = await capture('refused', ['--submit', server.url, '--project-name', 'Four'])
    const file = folder.pathOf('refused')
    expect([refused.code, refused.notes.at(-1)]).toEqual([
      1,
      `Capture failed: refused exited with code 1: eth9: You do not have permission to capture. Run it as root, or once: setcap cap_net_raw,cap_net_admin=eip ${file}.`,
    ])
    expect(await scansOf('Four')).toEqual([])
    const said = [
      'Capturing on lo',
      "dumpcap: No such device: 'lo'",
      'Why it is so.',
      'See the guide.',
    ]
    await tool('dumpcap', `printf '%s\\n' "${said.join('" "')}" >&2\nexit 2`)
    const unknown = await capture('dumpcap')
    expect([unknown.code, unknown.notes.slice(-2)]).toEqual([
      1,
      [
        expect.stringMatching(/^0 flows in 0\.0 kB/),
        "Capture failed: dumpcap exited with code 2: No such device: 'lo' Why it is so.",
      ],
    ])
    await tool('killed', 'echo "killed: listening on lo" >&2\nkill -9 $$')
    const killed = await capture('killed')
    expect(killed.notes.at(-1)).toBe('Capture failed: killed was terminated by SIGKILL.')
    const gone = await capture('gone')
    expect([gone.code, gone.notes.at(-1)]).toEqual([
      1,
      `Cannot capture: ${folder.pathOf('gone')} is not an executable file`,
    ])
  })

  it('rejects a corrupt spool', async () => {
    const spool = folder.pathOf('broken')
    await mkdir(spool)
    await writeFile(`${spool}/scan.json`, '{')
    const { code, notes } = await capture('plays', ['--submit', server.url, '--spool', spool])
    expect([code, notes]).toEqual([
      1,
      [`Cannot use the spool ${spool}: its file scan.json is invalid`],
    ])
  })

  it.each([
    [['a.pcap', '--interface', 'lo'], 'Cannot scan: choose either files or --interface'],
    [['a.pcap', '--duration', '00:00:01'], 'Cannot use --duration: it needs --interface'],
    [['--interface', 'lo', '--spool', 'x'], 'Cannot use --spool: it needs --submit'],
  ])('rejects %j', async (words, message) => {
    const { code, notes } = await runCommand(['scan', 'network', ...words])
    expect([code, notes]).toEqual([2, [message]])
  })
})

describe('a spool', () => {
  const head: LiveHead = {
    network_name: 'Office',
    project_name: 'Spooled',
    start_time: '2026-01-02T03:04:05.678Z',
    scan_data_send_freq: '00:01:00',
  }
  const row = (host: string) => ({
    captured_ip: '',
    host,
    direction: 'Outgoing' as const,
    capture_datetime: '2026-01-02T03:04:05.678Z',
  })

  function send(spool: Spool<LiveHead>) {
    const target = { baseUrl: `${server.url}/api`, apiKey: service.keys.all }
    const io = { note: () => undefined } as unknown as Parameters<
      typeof createNetworkSender
    >[0]['io']
    return createNetworkSender({ io, target, spool }).send()
  }

  it('is resumed after its scanner was killed at any time, and every row is stored once', async () => {
    const path = folder.pathOf('spool')
    const open = () => openSpool({ folder: path, key: 'the-key', head })
    const first = await open()
    expect(first.isResumed).toBe(false)
    await first.add(row('a.example'))
    await first.seal()
    await first.add(row('b.example'))
    await first.close()
    // A partially written batch with a truncated last row.
    const [half = ''] = (await readdir(path)).filter((name) => name.endsWith('.open'))
    const text = await readFile(`${path}/${half}`, 'utf8')
    await writeFile(`${path}/${half}`, `${text}{"captured_ip":"","ho`)

    // The response to the first batch was lost: the service stored it, but the spool still has it.
    const second = await open()
    expect([second.isResumed, (await second.pending()).length]).toEqual([true, 2])
    await client.submitNetworkScan({
      head: { ...head, batch: 0, scan_status: 'running' },
      rows: [row('a.example')],
      'idempotency-key': 'the-key-0',
    })
    expect(await send(second)).toBe(true)
    await second.close()

    const third = await open()
    await third.add(row('c.example'))
    await third.seal({ scan_status: 'complete', end_time: '2026-01-02T03:05:00Z' })
    expect(await send(third)).toBe(true)
    expect([third.scan().isEnded, await third.pending()]).toEqual([true, []])
    await writeFile(`${path}/other.txt`, 'not ours')
    await third.remove()
    expect(await readdir(path)).toEqual(['other.txt'])
    const scans = await scansOf('Spooled')
    expect(scans.map(({ scan_status: status, end_time: end }) => [status, end])).toEqual([
      ['complete', '2026-01-02T03:05:00+00:00'],
    ])
    expect(await hostsOf(scans[0]?.instance_id)).toEqual(['a.example', 'b.example', 'c.example'])
  })

  it('sends its first batch again if its scanner was killed before releasing it', async () => {
    const path = folder.pathOf('learned')
    const named = { ...head, project_name: 'Learned' }
    const open = () => openSpool({ folder: path, key: 'its-key', head: named })
    const first = await open()
    await first.add(row('a.example'))
    await first.seal()
    const [name = ''] = (await readdir(path)).filter((each) => each.endsWith('.batch'))
    const batch = await readFile(`${path}/${name}`)
    expect(await send(first)).toBe(true)
    await first.close()
    await writeFile(`${path}/${name}`, batch)

    const second = await open()
    await second.add(row('b.example'))
    await second.seal()
    expect([await send(second), await second.pending()]).toEqual([true, []])
    const [scan] = await scansOf('Learned')
    expect(await hostsOf(scan?.instance_id)).toEqual(['a.example', 'b.example'])
  })
})
