import { rm } from 'node:fs/promises'
import { loadavg } from 'node:os'
import process from 'node:process'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/index.ts'
import { makeFolder } from '../helpers/folder.ts'
import { fillCatalogue } from './search.ts'
import { type BenchServer, chosenRuntimes, RUNTIMES, startServer } from './servers.ts'
import { syntheticWord } from './synthetic.ts'

// Measures the latency of /healthz while eight clients search 100,000 endpoints for 16 prefixes of
// two letters. Prints p50, p99 and maximum, and the CPU time of the server per search.
//   node test/bench/search-clients.ts [--runtime node|bun|deno]
// `serve FILE LISTENER` starts the server in a separate process and prints its port.

const CLIENTS = 8
const WARM_UP_MS = 3_000
const MEASURE_MS = 10_000
/** Mark of /healthz (p99). */
const MARK_MS = 50

/** Distinct prefixes of many words. */
function toShortPrefixes(): string {
  const prefixes = new Set<string>()
  for (let rank = 0; prefixes.size < 16; rank += 1) prefixes.add(syntheticWord(rank).slice(0, 2))
  return [...prefixes].join(' ')
}

async function createData(file: string): Promise<string> {
  const storage = await openSqlite({ file })
  await fillCatalogue(storage)
  const app = createApiDiscovery({ storage })
  const account = await app.accounts.createAccount('bench')
  const { key } = await app.accounts.createKey({ account, name: 'bench', scopes: ['read'] })
  await app.close()
  return key
}

/** Sends requests in sequence until the deadline. Resolves with the time of each. */
async function repeatSearch(url: string, key: string, until: number): Promise<readonly number[]> {
  const times: number[] = []
  while (performance.now() < until) {
    const startedAt = performance.now()
    const response = await fetch(url, { headers: { 'api-key': key } })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`Cannot go on: answered ${response.status}`)
    times.push(performance.now() - startedAt)
  }
  return times
}

async function measureSearchLoad({ url }: BenchServer, key: string) {
  const search = `${url}/api/endpoint_search?q=${encodeURIComponent(toShortPrefixes())}`
  await repeatSearch(search, key, performance.now() + WARM_UP_MS)
  const readCpu = async () => Number(await (await fetch(`${url}/cpu`)).text())
  const before = await readCpu()
  const until = performance.now() + MEASURE_MS
  const clients = Array.from({ length: CLIENTS }, () => repeatSearch(search, key, until))
  const health = await repeatSearch(`${url}/healthz`, key, until)
  const searches = (await Promise.all(clients)).flat()
  return { health, searches, cpuMs: (await readCpu()) - before }
}

function describeTimes(times: readonly number[]) {
  const sorted = times.toSorted((left, right) => left - right)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]
  const figures = [at(0.5), at(0.99), sorted.at(-1)].map((ms = Number.NaN) => ms.toFixed(1))
  return { p99: at(0.99) ?? Number.NaN, text: `${figures.join(' / ')} ms` }
}

async function startChild(file: string, listener: string): Promise<void> {
  const { serve } = await import('../../adapters/runtime/serve.ts')
  const app = createApiDiscovery({ storage: await openSqlite({ file }) })
  const { port } = await serve(
    (request) => {
      if (request.target !== '/cpu') return app.handle(request)
      const { user, system } = process.cpuUsage()
      return { status: 200, headers: {}, body: String((user + system) / 1_000) }
    },
    { port: 0, listener: listener === 'native' ? 'native' : 'node' },
  )
  process.stdout.write(`${port}\n`)
}

const [first, file = '', chosenListener = ''] = process.argv.slice(2)
if (first === 'serve') {
  await startChild(file, chosenListener)
} else {
  const folder = await makeFolder()
  const data = folder.pathOf('catalogue.db')
  const key = await createData(data)
  console.log(`${CLIENTS} searching clients; p50 / p99 / max; load ${loadavg()[0]?.toFixed(1)}`)
  let isMet = true
  for (const runtime of chosenRuntimes(process.argv)) {
    for (const listener of RUNTIMES[runtime].listeners) {
      const server = await startServer(runtime, [process.argv[1] ?? '', 'serve', data, listener])
      const { health, searches, cpuMs } = await measureSearchLoad(server, key)
      server.child.kill()
      const ofHealth = describeTimes(health)
      isMet = isMet && ofHealth.p99 <= MARK_MS
      console.log(
        `${`${runtime} ${listener}`.padEnd(12)} healthz ${ofHealth.text}, search ` +
          `${describeTimes(searches).text}, ${searches.length} searches, ` +
          `CPU ${(cpuMs / searches.length).toFixed(1)} ms each`,
      )
    }
  }
  console.log(`healthz p99 <= ${MARK_MS} ms: ${isMet ? 'met' : 'missed'}`)
  await rm(folder.pathOf(''), { recursive: true, force: true })
  process.exitCode = isMet ? 0 : 1
}
