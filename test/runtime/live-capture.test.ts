import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, get as getHttp } from 'node:http'
import { createServer as createTlsServer, get as getTls, type RequestOptions } from 'node:https'
import type { Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveNode } from '../../adapters/runtime/node.ts'
import { type Client, createClient } from '../../core/client.ts'
import { runCommand } from '../helpers/command-line.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { noteInterruptible } from '../helpers/interrupt.ts'
import { openTestService, type TestService } from '../helpers/service.ts'

/** Captures loopback traffic between our own servers with the real tcpdump. */

const MAIN = fileURLToPath(new URL('../../adapters/cli/main.ts', import.meta.url))
const loopback = findLoopback()
const refusal = await findRefusal()
if (refusal !== undefined) console.warn(`Skipped the live capture: ${refusal}`)

let folder: TestFolder
let service: TestService
let server: Awaited<ReturnType<typeof serveNode>>
let client: Client
const http = createHttpServer((_, response) => response.end('ok'))
const tls = createTlsServer(
  { key: readCertificate('pinned.key.pem'), cert: readCertificate('pinned.pem') },
  (_, response) => response.end('ok'),
)

beforeAll(async () => {
  folder = await makeFolder()
  // Scans have the current time.
  service = await openTestService({ app: { clock: Date.now } })
  server = await serveNode(service.app.handle, { port: 0 })
  client = createClient({ baseUrl: `${server.url}/api`, apiKey: service.keys.all })
  for (const each of [http, tls]) {
    await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve))
  }
  expect((await runCommand(['migrate', '--database', folder.pathOf('a.db')])).code).toBe(0)
})
afterAll(async () => {
  http.close()
  tls.close()
  await server.close(0)
  await service.close()
  await folder.remove()
})

describe.skipIf(refusal !== undefined)('a live capture with tcpdump', () => {
  it('is stored continuously, and continues after its scanner was killed', async () => {
    const filter = `tcp port ${portOf(http)} or tcp port ${portOf(tls)}`
    const sending = ['--submit', server.url, '--send-every', '00:00:01', '--project-name', 'Live']
    const words = [...toWords(filter), ...sending, '--spool', folder.pathOf('spool')]
    const environment = { API_DISCOVERY_KEY: service.keys.only.ingest }
    const run = process.versions.deno === undefined ? [] : ['run', '-A']
    const killed = spawn(process.execPath, [...run, MAIN, ...words], {
      env: { ...process.env, ...environment },
      stdio: 'ignore',
    })
    const ended = new Promise((resolve) => killed.once('close', resolve))
    await callUntilStored('first.example')
    expect(await readScan()).toMatchObject({ scan_status: 'running', end_time: '' })
    killed.kill('SIGKILL')
    await ended

    const interrupt = noteInterruptible()
    const running = runCommand(words, { environment })
    await callUntilStored('second.example')
    interrupt()
    const { code, notes } = await running
    expect([code, notes]).toEqual([
      130,
      expect.arrayContaining(['Capture interrupted: it was stopped.']),
    ])
    expect(await readScan()).toMatchObject({ scan_status: 'interrupted', nic_name: loopback })
    const hosts = await readHosts()
    expect(hosts).toEqual([...new Set(hosts)])
  })

  it("reports tcpdump's error for an invalid filter", async () => {
    const { code, notes } = await runCommand(toWords('prot 53'))
    expect([code, notes.at(-1)]).toEqual([
      1,
      expect.stringMatching(/^Capture failed: tcpdump exited with code 1: .*syntax error/),
    ])
  })
})

function toWords(filter: string): readonly string[] {
  const start = ['scan', 'network', '--interface', loopback, '--filter', filter]
  return [...start, '--database', folder.pathOf('a.db')]
}

/** Calls over HTTP and TLS with new host names, until the service has a flow of each. */
async function callUntilStored(name: string): Promise<void> {
  for (let turn = 0; turn < 300; turn += 1) {
    const host = `http-${turn}.${name}`
    await requestLocal(getHttp, { port: portOf(http), headers: { host } })
    const servername = `tls-${turn}.${name}`
    await requestLocal(getTls, {
      port: portOf(tls),
      servername,
      rejectUnauthorized: false,
      agent: false,
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    const kinds = new Set((await readHosts()).map((each) => each.replace(/-\d+/, '')))
    if (kinds.has(`http.${name}`) && kinds.has(`tls.${name}`)) return
  }
  throw new Error(`Not stored: calls of ${name}`)
}

function requestLocal(get: typeof getTls | typeof getHttp, options: RequestOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', ...options }, (response) => {
      response.resume().on('end', resolve)
    }).on('error', reject)
  })
}

function portOf(given: Server): number {
  const address = given.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Returns the scan of this test; undefined before it exists. */
async function readScan() {
  const { scan_details: scans } = await client.listNetworkScans()
  const [scan, ...others] = scans.filter(({ project_name: name }) => name === 'Live')
  expect(others).toEqual([])
  return scan
}

async function readHosts(): Promise<readonly string[]> {
  const scan = await readScan()
  if (scan === undefined) return []
  const { instance_id } = scan
  const { scan_mappings: found } = await client.getNetworkScanMappings({ instance_id })
  return found.mappings.map(({ host }) => host ?? '')
}

function readCertificate(name: string): string {
  return readFileSync(new URL(`../helpers/certificates/${name}`, import.meta.url), 'utf8')
}

function findLoopback(): string {
  const all = Object.entries(networkInterfaces())
  return all.find(([, own]) => own?.some(({ internal }) => internal))?.[0] ?? 'lo'
}

/** Returns why captures are impossible here, or undefined. */
async function findRefusal(): Promise<string | undefined> {
  try {
    await promisify(execFile)('tcpdump', ['-i', loopback, '-L'])
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.trim().replaceAll(/\s+/g, ' ') : String(error)
  }
}
