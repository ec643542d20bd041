import { rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { loadavg } from 'node:os'
import process from 'node:process'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/index.ts'
import { createVulnerabilityLoads } from '../../core/vulnerabilities/service.ts'
import { makeFolder } from '../helpers/folder.ts'
import { sampleRecord } from '../unit/vulnerabilities/loading/samples.ts'
import { createHttpBenchData, type HttpBenchData } from './http-data.ts'
import { type BenchServer, chosenRuntimes, RUNTIMES, type Runtime, startServer } from './servers.ts'

// Measures latency for others while one read-only key leaves 200 responses unread: half
// `GET /endpoint_list`, half `POST /cvesearch/`, reopened every 4 s. Prints p50, p99 and maximum of
// /healthz and of a cheap read by another key, with default limits and without limits.
//   node test/bench/unread-streams.ts [--runtime node|bun|deno]
// `serve FILE LIMIT LISTENER` starts the server in a separate process and prints its port.

const CONNECTIONS = 200
const REOPEN_MS = 4_000
const MEASURE_MS = 12_000
const RECORDS = 20_000
/** Mark of a cheap read by another key (p99). */
const MARK_MS = 150

interface Data extends HttpBenchData {
  /** Key of another account that only reads. */
  readonly greedyKey: string
}

async function createData(file: string): Promise<Data> {
  const data = await createHttpBenchData(file)
  const storage = await openSqlite({ file })
  const app = createApiDiscovery({ storage })
  const account = await app.accounts.createAccount('greedy')
  const created = await app.accounts.createKey({ account, name: 'greedy', scopes: ['read'] })
  const loads = createVulnerabilityLoads({ store: storage.vulnerabilities, clock: Date.now })
  await loads.loadRecords(toBatches(), { source: 'bench', takeOver: true })
  await app.close()
  return { ...data, greedyKey: created.key }
}

async function* toBatches() {
  for (let start = 0; start < RECORDS; start += 500) {
    const records = Array.from({ length: 500 }, (_, index) => sampleRecord(start + index, {}))
    yield { records, checkpoint: String(start) }
  }
}

/** Opens all connections without reading the responses. */
function openAll(url: string, key: string): readonly Socket[] {
  const { hostname, port } = new URL(url)
  const search = '{"search_term":"cve","extended":true}'
  const head = `Host: a\r\napi-key: ${key}\r\n`
  return Array.from({ length: CONNECTIONS }, (_, index) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => socket.destroy())
    socket.pause()
    socket.write(
      index % 2 === 0
        ? `GET /api/endpoint_list HTTP/1.1\r\n${head}\r\n`
        : `POST /api/cvesearch/ HTTP/1.1\r\n${head}Content-Type: application/json\r\n` +
            `Content-Length: ${search.length}\r\n\r\n${search}`,
    )
    return socket
  })
}

/** Sends requests in sequence until the deadline. Resolves with their times. */
async function measureRequests(url: string, headers: Record<string, string>, until: number) {
  const times: number[] = []
  let failures = 0
  while (performance.now() < until) {
    const startedAt = performance.now()
    const response = await fetch(url, { headers })
    await response.arrayBuffer()
    times.push(performance.now() - startedAt)
    if (response.status !== 200) failures += 1
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return { times, failures }
}

function describeTimes({ times, failures }: Awaited<ReturnType<typeof measureRequests>>) {
  const sorted = times.toSorted((left, right) => left - right)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]
  const figures = [at(0.5), at(0.99), sorted.at(-1)].map((ms = Number.NaN) => ms.toFixed(1))
  return { p99: at(0.99) ?? Number.NaN, text: `${figures.join(' / ')} ms`, failures }
}

async function attack({ url }: BenchServer, data: Data) {
  let sockets = openAll(url, data.greedyKey)
  const reopen = setInterval(() => {
    for (const socket of sockets) socket.destroy()
    sockets = openAll(url, data.greedyKey)
  }, REOPEN_MS)
  const until = performance.now() + MEASURE_MS
  const read = `${url}/api/endpoint_parameter?endpoint_id=${data.endpointId}`
  const [health, other] = await Promise.all([
    measureRequests(`${url}/healthz`, {}, until),
    measureRequests(read, { 'api-key': data.key }, until),
  ])
  clearInterval(reopen)
  for (const socket of sockets) socket.destroy()
  return { health: describeTimes(health), other: describeTimes(other) }
}

async function compareStreamLimits(runtime: Runtime, data: Data): Promise<boolean> {
  let isMet = true
  for (const listener of RUNTIMES[runtime].listeners) {
    for (const limit of ['default', 'none']) {
      const script = process.argv[1] ?? ''
      const server = await startServer(runtime, [script, 'serve', data.file, limit, listener])
      const { health, other } = await attack(server, data)
      server.child.kill()
      const name = `${runtime} ${listener}, limits: ${limit}`.padEnd(30)
      console.log(`${name} healthz ${health.text}, other key ${other.text}`)
      if (health.failures + other.failures > 0) throw new Error('Other clients were refused')
      if (limit === 'default' && other.p99 > MARK_MS) isMet = false
    }
  }
  return isMet
}

async function startChild(file: string, limit: string, listener: string): Promise<void> {
  const { serve } = await import('../../adapters/runtime/serve.ts')
  const storage = await openSqlite({ file })
  const requestLimits = limit === 'none' ? { concurrency: Number.POSITIVE_INFINITY } : {}
  const app = createApiDiscovery({ storage, requestLimits })
  const { port } = await serve(app.handle, {
    port: 0,
    listener: listener === 'native' ? 'native' : 'node',
  })
  process.stdout.write(`${port}\n`)
}

const [first, file = '', limit = '', listener = ''] = process.argv.slice(2)
if (first === 'serve') {
  await startChild(file, limit, listener)
} else {
  const folder = await makeFolder()
  const data = await createData(folder.pathOf('catalogue.db'))
  console.log(`${CONNECTIONS} unread responses; p50 / p99 / max; load ${loadavg()[0]?.toFixed(1)}`)
  let isMet = true
  for (const runtime of chosenRuntimes(process.argv)) {
    isMet = (await compareStreamLimits(runtime, data)) && isMet
  }
  console.log(`other key p99 <= ${MARK_MS} ms with the default limits: ${isMet ? 'met' : 'missed'}`)
  await rm(folder.pathOf(''), { recursive: true, force: true })
  process.exitCode = isMet ? 0 : 1
}
