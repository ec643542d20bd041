import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { createHttpBenchData, type HttpBenchData } from './http-data.ts'
import { type Figures, load, toMedians } from './load.ts'
import { chosenRuntimes, RUNTIMES, type Runtime, startServer } from './servers.ts'

// Compares our whole stack with the bare server of the runtime and with Hono and valibot, with and
// without our response headers (ETag, request ID, …). The work is an authenticated GET with two
// query parameters, one storage read and 2 KB of JSON.
//   node test/bench/http.ts [--runtime node|bun|deno]

const KINDS = ['floor', 'peer', 'equal', 'ours'] as const
const ROUNDS = 9
const SECONDS = 0.6
const MARK = 0.75
const STRETCH = 0.85
const SERVER = fileURLToPath(new URL('http-server.ts', import.meta.url))

type Kind = (typeof KINDS)[number]

async function compareServers(
  runtime: Runtime,
  listener: string,
  data: HttpBenchData,
): Promise<void> {
  const servers = await Promise.all(
    KINDS.map((kind) => startServer(runtime, [SERVER, kind, listener, data.file, data.key])),
  )
  try {
    const urls = servers.map(
      ({ url }) => `${url}/api/endpoint_parameter?endpoint_id=${data.endpointId}&lang=en`,
    )
    await refuseDifferences(urls, data.key)
    const figures: Record<Kind, Figures[]> = { floor: [], peer: [], equal: [], ours: [] }
    for (let round = -2; round < ROUNDS; round += 1) {
      for (const [index, kind] of KINDS.entries()) {
        const one = await load(urls[index] ?? '', {
          headers: { 'api-key': data.key },
          seconds: SECONDS,
        })
        if (round >= 0) figures[kind].push(one)
      }
    }
    printServerCosts(`${runtime} ${listener}`, {
      floor: toMedians(figures.floor),
      peer: toMedians(figures.peer),
      equal: toMedians(figures.equal),
      ours: toMedians(figures.ours),
    })
  } finally {
    for (const { child } of servers) child.kill()
  }
}

/** Throws if the servers do not all respond with the same bytes. */
async function refuseDifferences(urls: readonly string[], key: string): Promise<void> {
  const bodies = await Promise.all(
    urls.map(async (url) => (await fetch(url, { headers: { 'api-key': key } })).text()),
  )
  if (new Set(bodies).size > 1) throw new Error(`The answers differ: ${bodies.join('\n')}`)
}

function printServerCosts(name: string, measured: Readonly<Record<Kind, Figures>>): void {
  const { floor, peer, equal, ours } = measured
  const cpu = (figures: Figures) => floor.cpuMicros / figures.cpuMicros
  const ratios = (figures: Figures) =>
    `${cpu(figures).toFixed(2)} by CPU, ${(figures.perSecond / floor.perSecond).toFixed(2)} by speed`
  const show = (label: string, figures: Figures, more: string) =>
    console.log(
      `  ${label.padEnd(34)} ${figures.cpuMicros.toFixed(1).padStart(5)} µs` +
        ` ${String(Math.round(figures.perSecond)).padStart(6)}/s  ${more}`,
    )
  const verdict = cpu(ours) >= STRETCH ? 'met, stretch too' : cpu(ours) >= MARK ? 'met' : 'missed'
  const isAhead = (figures: Figures) => (cpu(ours) >= cpu(figures) ? 'ahead' : 'behind')
  console.log(name)
  show('floor', floor, '')
  show('Hono + valibot', peer, ratios(peer))
  show('Hono + valibot, our answer headers', equal, ratios(equal))
  show('ours', ours, `${ratios(ours)}  mark ${MARK}: ${verdict}`)
  console.log(`  ours is ${isAhead(peer)} of the first, ${isAhead(equal)} of the second peer`)
}

const folder = await mkdtemp(join(tmpdir(), 'api-discovery-bench-'))
try {
  const data = await createHttpBenchData(join(folder, 'bench.db'))
  console.log('HTTP: CPU of the server for one request, medians; the verdict is by CPU')
  for (const runtime of chosenRuntimes(process.argv)) {
    for (const listener of RUNTIMES[runtime].listeners)
      await compareServers(runtime, listener, data)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
