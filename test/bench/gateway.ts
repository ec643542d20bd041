import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createGatewayBenchData, type GatewayBenchData } from './gateway-data.ts'
import {
  download,
  hang,
  readCpuMicros,
  readMemory,
  resetPeak,
  type Shot,
  shoot,
  toPercentile,
  toShot,
} from './gateway-load.ts'
import { startNginx, startOurs, startPeer, startTarget, stayAway } from './gateway-processes.ts'
import { toMedian } from './load.ts'
import { chosenRuntimes, type Runtime } from './servers.ts'

// Compares the gateway with all checks (key, policy, budget, credential, address, breaker, audit)
// with proxies without checks on one target. The verdict uses CPU time of the proxy per call. The
// floor does the same HTTP work: it receives a POST with a JSON body and sends a GET. Other proxies
// receive the GET itself, which is less work. All are warmed up alike, because V8 compiles in the
// first seconds. Rounds are short and interleaved; results are medians. Linux only.
//   node test/bench/gateway.ts [--runtime node|bun|deno]

const WARM_UP_SECONDS = 3
const ROUNDS = 12
const ROUND_SECONDS = 0.3
const DOWNLOADS = 5
const FLOOR = 'bare-call'
/** A target receives at most 20 concurrent calls. */
const CONNECTIONS = 16
const STALLED = 50
const MARK_SHARE = 0.7
const MARK_ADDED_MS = 0.15
const MARK_MB_PER_SECOND = 500
const MARK_GROWTH_MB = 32
const MARK_STALLED = 1.2

/** A measured proxy. */
interface Proxy {
  readonly name: string
  readonly pid: number
  readonly small: Shot
  readonly big: Shot
  readonly cpu: number[]
  readonly perSecond: number[]
  readonly p50: number[]
  readonly mbPerSecond: number[]
  growthMb: number
}

function toProxy(name: string, pid: number, shots: Pick<Proxy, 'small' | 'big'>): Proxy {
  return { name, pid, ...shots, cpu: [], perSecond: [], p50: [], mbPerSecond: [], growthMb: 0 }
}

async function startProxies(given: {
  readonly runtime: Runtime
  readonly data: GatewayBenchData
  readonly folder: string
  readonly target: string
}) {
  const { runtime, data, folder, target } = given
  const others = runtime === 'node' ? ['http-proxy', 'fast-proxy', 'reply-from'] : []
  const kinds = [FLOOR, 'bare', ...others]
  const peers = await Promise.all(
    kinds.map(async (kind) => ({ kind, ...(await startPeer(runtime, kind, target)) })),
  )
  const nginx = await startNginx(folder, target)
  if (!nginx) console.log('nginx is left out: it is not installed')
  const ours = await startOurs(runtime, data)
  const all = nginx ? [...peers, { kind: 'nginx', ...nginx }] : peers
  const headers = { 'api-key': data.key }
  const call = (endpointId: string, body: string) =>
    toShot(`${ours.origin}/api/gateway?endpoint_id=${endpointId}`, {
      method: 'POST',
      headers,
      body,
    })
  const values = '{"id":"42","page":2}'
  const proxies = [
    toProxy('ours', ours.pid, { small: call(data.small, values), big: call(data.big, '{}') }),
    ...all.map(({ kind, pid, origin }) => {
      const how = kind === FLOOR ? { method: 'POST', headers, body: values } : { headers }
      return toProxy(kind, pid, {
        small: toShot(`${origin}/v1/items/42?page=2`, how),
        big: toShot(`${origin}/v1/big`, how),
      })
    }),
  ]
  const catalogue = toShot(`${ours.origin}/api/endpoint_parameter?endpoint_id=${data.small}`, {
    headers,
  })
  const stalled = data.stalled.map((id) => call(id, '{}'))
  return { proxies, catalogue, stalled, children: [ours, ...all].map(({ child }) => child) }
}

async function measureCalls(proxies: readonly Proxy[], direct: Shot): Promise<number> {
  const bare: number[] = []
  for (const proxy of proxies) {
    await shoot(proxy.small, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS })
    await shoot(proxy.small, { connections: 1, seconds: ROUND_SECONDS })
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const seconds = ROUND_SECONDS
    bare.push(toPercentile((await shoot(direct, { connections: 1, seconds })).latencies, 0.5))
    for (const proxy of proxies) {
      const before = readCpuMicros(proxy.pid)
      const all = await shoot(proxy.small, { connections: CONNECTIONS, seconds })
      proxy.cpu.push((readCpuMicros(proxy.pid) - before) / all.count)
      proxy.perSecond.push(all.count / all.seconds)
      const one = await shoot(proxy.small, { connections: 1, seconds })
      proxy.p50.push(toPercentile(one.latencies, 0.5))
    }
  }
  return toMedian(bare)
}

async function measureStreams(proxies: readonly Proxy[]): Promise<void> {
  for (let round = -1; round < DOWNLOADS; round += 1) {
    for (const proxy of proxies) {
      const { mb } = readMemory(proxy.pid)
      resetPeak(proxy.pid)
      const { bytes, seconds } = await download(proxy.big)
      if (round < 0) continue
      proxy.mbPerSecond.push(bytes / 1e6 / seconds)
      proxy.growthMb = Math.max(proxy.growthMb, readMemory(proxy.pid).peakMb - mb)
    }
  }
}

/** p99 of catalogue reads without and with stalled targets. */
async function measureStalled(catalogue: Shot, stalled: readonly Shot[]) {
  const figures: [number[], number[]] = [[], []]
  for (let round = -1; round < 5; round += 1) {
    for (const [index, list] of figures.entries()) {
      const sockets = index === 0 ? [] : hang(stalled)
      if (index > 0) await new Promise((resolve) => setTimeout(resolve, 200))
      const { latencies } = await shoot(catalogue, { connections: 8, seconds: 1 })
      for (const socket of sockets) socket.destroy()
      if (round >= 0) list.push(toPercentile(latencies, 0.99))
    }
  }
  return { quiet: toMedian(figures[0]), busy: toMedian(figures[1]) }
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'MISSED'
}

function printProxyCosts(proxies: readonly Proxy[], directP50: number): void {
  const floor = proxies.find(({ name }) => name === FLOOR)
  const ours = proxies.find(({ name }) => name === 'ours')
  if (!floor || !ours) throw new Error('The floor or ours is missing')
  const cpu = (proxy: Proxy) => toMedian(proxy.cpu)
  const added = (proxy: Proxy) => toMedian(proxy.p50) - directP50
  for (const proxy of proxies) {
    console.log(
      [
        `  ${proxy.name.padEnd(11)}`,
        `${cpu(proxy).toFixed(1).padStart(5)} µs CPU a call`,
        `${Math.round(1e6 / cpu(proxy))
          .toString()
          .padStart(6)} calls a CPU second`,
        `${(cpu(floor) / cpu(proxy)).toFixed(2)} of the floor`,
        `${Math.round(toMedian(proxy.perSecond)).toString().padStart(6)}/s`,
        `p50 +${added(proxy).toFixed(3)} ms`,
        `50 MB at ${Math.round(toMedian(proxy.mbPerSecond)).toString().padStart(4)} MB/s`,
        `+${Math.round(proxy.growthMb)} MB`,
      ].join('  '),
    )
  }
  const share = cpu(floor) / cpu(ours)
  const speed = toMedian(ours.mbPerSecond)
  console.log(
    `  calls a CPU second, of ${FLOOR}: mark ${MARK_SHARE}: ${verdict(share >= MARK_SHARE)}`,
  )
  console.log(`  added p50: mark ${MARK_ADDED_MS} ms: ${verdict(added(ours) <= MARK_ADDED_MS)}`)
  console.log(
    `  streamed: mark ${MARK_MB_PER_SECOND} MB/s: ${verdict(speed >= MARK_MB_PER_SECOND)}`,
  )
  console.log(
    `  growth while streaming: mark ${MARK_GROWTH_MB} MB: ${verdict(ours.growthMb < MARK_GROWTH_MB)}`,
  )
  const behind = proxies.filter((proxy) => proxy !== ours && cpu(proxy) < cpu(ours))
  console.log(`  ahead of it by CPU: ${behind.map(({ name }) => name).join(', ') || 'none'}`)
}

async function compareProxies(runtime: Runtime, folder: string): Promise<void> {
  const target = await startTarget(STALLED + 1)
  const children = [target.child]
  try {
    const [first = '', ...rest] = target.addresses
    const data = await createGatewayBenchData({
      file: join(folder, `${runtime}.db`),
      target: first,
      stalled: rest,
    })
    const origin = `http://${first}`
    const started = await startProxies({ runtime, data, folder, target: origin })
    children.push(...started.children)
    console.log(`${runtime}: calls of 1 KB, ${CONNECTIONS} connections for CPU, 1 for p50`)
    const directP50 = await measureCalls(started.proxies, toShot(`${origin}/v1/items/42?page=2`))
    await measureStreams(started.proxies)
    printProxyCosts(started.proxies, directP50)
    const { quiet, busy } = await measureStalled(started.catalogue, started.stalled)
    console.log(
      `  p99 of catalogue reads ${quiet.toFixed(2)} ms, with ${STALLED} stalled targets` +
        ` ${busy.toFixed(2)} ms: mark x${MARK_STALLED}: ${verdict(busy <= quiet * MARK_STALLED)}`,
    )
  } finally {
    for (const child of children) child.kill()
  }
}

stayAway()
const folder = await mkdtemp(join(tmpdir(), 'api-discovery-bench-'))
try {
  const runtimes = process.argv.includes('--runtime') ? chosenRuntimes(process.argv) : ['node']
  for (const runtime of runtimes) await compareProxies(runtime as Runtime, folder)
} finally {
  await rm(folder, { recursive: true, force: true })
}
