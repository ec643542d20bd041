import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { GatewayBenchData } from './gateway-data.ts'
import { RUNTIMES, type Runtime } from './servers.ts'

// Processes of test/bench/gateway.ts. If the system permits it, proxies run on the first processor,
// and target and load on the second one.

/** Processors of the proxies, and of target and load. */
export const PROXY_CPU = 0
export const LOAD_CPU = 1

/** A process and its address. */
export interface Started {
  readonly child: ChildProcess
  readonly pid: number
  /** First line that the process printed. */
  readonly line: string
}

/** Runs a file of this folder or of the project on a given processor. */
export async function startProcess(
  given: { readonly runtime: Runtime; readonly cpu: number },
  [file = '', ...words]: readonly string[],
): Promise<Started> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  return launch([...RUNTIMES[given.runtime].command, path, ...words], given.cpu)
}

/** Starts the target. Resolves with its origins: the first one responds, the others stall. */
export async function startTarget(count: number) {
  const started = await startProcess({ runtime: 'node', cpu: LOAD_CPU }, [
    'gateway-target.ts',
    String(count),
  ])
  const ports: unknown = JSON.parse(started.line)
  if (!Array.isArray(ports)) throw new Error('The target did not tell its ports')
  return { ...started, addresses: ports.map((port) => `127.0.0.1:${Number(port)}`) }
}

/** Starts the service like in production, with all checks and the audit log. */
export async function startOurs(runtime: Runtime, data: GatewayBenchData) {
  const words = ['serve', '--json', '--port', '0', '--log', 'off', '--database', data.file]
  // All connections of the benchmark use one key.
  words.push('--concurrency', '100000')
  const started = await startProcess({ runtime, cpu: PROXY_CPU }, [
    '../../adapters/cli/main.ts',
    ...words,
    '--egress-allow',
    data.addresses.join(','),
    // One account can use three quarters of these, and makes all calls.
    '--calls-per-host',
    '32',
  ])
  return { ...started, origin: new URL(JSON.parse(started.line).url).origin }
}

/** Starts another proxy in front of the same target. */
export async function startPeer(runtime: Runtime, kind: string, target: string) {
  const started = await startProcess({ runtime, cpu: PROXY_CPU }, ['gateway-peer.ts', kind, target])
  return { ...started, origin: `http://127.0.0.1:${Number(started.line)}` }
}

/** Starts nginx in one process; undefined if it is not installed. */
export async function startNginx(folder: string, target: string) {
  if (spawnSync('nginx', ['-v']).error) return undefined
  const port = await findFreePort()
  await mkdir(join(folder, 'logs'), { recursive: true })
  const file = join(folder, 'nginx.conf')
  await writeFile(file, toNginxConfig(port, target))
  const child = spawn('nginx', ['-p', folder, '-c', file], { stdio: 'ignore' })
  await new Promise((resolve) => setTimeout(resolve, 500))
  return { child, pid: child.pid ?? 0, line: '', origin: `http://127.0.0.1:${port}` }
}

/** Moves this process away from the processor of the proxies. */
export function stayAway(): void {
  spawnSync('taskset', ['-c', '-p', String(LOAD_CPU), String(process.pid)])
}

async function launch(command: readonly string[], cpu: number): Promise<Started> {
  const [name = '', ...words] = ['taskset', '-c', String(cpu), ...command]
  const child = spawn(name, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  return { child, pid: child.pid ?? 0, line: String(line) }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

function toNginxConfig(port: number, target: string): string {
  return `daemon off; master_process off; pid nginx.pid; error_log /dev/null;
events { worker_connections 512; }
http {
  access_log off; keepalive_requests 1000000000;
  upstream target { server ${new URL(target).host}; keepalive 64; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://target; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
}
`
}
