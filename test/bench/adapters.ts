import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/**
 * Compares each adapter with the bare server of its runtime: requests per second, and CPU time per
 * request, which tells the same on a busy machine. Run it with Node; arguments pick runtimes.
 */
const CASES = [
  { runtime: 'node', command: ['node'], listeners: ['node'], mark: 0.95 },
  { runtime: 'bun', command: ['bun'], listeners: ['native', 'node'], mark: 0.9 },
  { runtime: 'deno', command: ['deno', 'run', '-A'], listeners: ['native', 'node'], mark: 0.9 },
] as const
const ROUNDS = 4
const SECONDS = 2
const BIN = fileURLToPath(new URL('../../node_modules/.bin/', import.meta.url))
const SERVER = fileURLToPath(new URL('http-floor.ts', import.meta.url))
const run = promisify(execFile)

interface Figures {
  readonly perSecond: number
  readonly cpuMicros: number
}

for (const { runtime, command, listeners, mark } of CASES) {
  if (process.argv.length > 2 && !process.argv.includes(runtime)) continue
  for (const listener of listeners) {
    const [bare, adapter] = await Promise.all([
      startServer(command, `bare-${listener}`),
      startServer(command, `adapter-${listener}`),
    ])
    const [bareFigures, adapterFigures]: [Figures[], Figures[]] = [[], []]
    await measure(bare.url)
    await measure(adapter.url)
    for (let round = 0; round < ROUNDS; round += 1) {
      bareFigures.push(await measure(bare.url))
      adapterFigures.push(await measure(adapter.url))
    }
    bare.child.kill()
    adapter.child.kill()
    const speed = best(adapterFigures).perSecond / best(bareFigures).perSecond
    const cost = best(bareFigures).cpuMicros / best(adapterFigures).cpuMicros
    process.stdout.write(
      `${runtime.padEnd(5)} ${listener.padEnd(7)}` +
        ` bare ${describe(best(bareFigures))}  adapter ${describe(best(adapterFigures))}` +
        `  ratio ${speed.toFixed(3)} by speed, ${cost.toFixed(3)} by CPU` +
        `  mark ${mark}: ${Math.max(speed, cost) >= mark ? 'met' : 'missed'}\n`,
    )
  }
}

async function startServer(
  command: readonly string[],
  floor: string,
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const [name = 'node', ...rest] = command
  const child = spawn(BIN + name, [...rest, SERVER, floor], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(child.stdout, 'data')
  return { child, url: `http://127.0.0.1:${Number(String(port))}` }
}

async function measure(url: string): Promise<Figures> {
  const before = await cpuOf(url)
  const { stdout } = await run(
    process.execPath,
    [`${BIN}autocannon`, '--json', '--no-progress', '-c', '32', '-d', String(SECONDS), url],
    { maxBuffer: 16 * 1_048_576 },
  )
  const result: unknown = JSON.parse(stdout)
  const { '2xx': count, duration } = result as { readonly '2xx': number; readonly duration: number }
  return { perSecond: count / duration, cpuMicros: ((await cpuOf(url)) - before) / count }
}

async function cpuOf(url: string): Promise<number> {
  const usage = (await (await fetch(`${url}/cpu`)).json()) as NodeJS.CpuUsage
  return usage.user + usage.system
}

function best(figures: readonly Figures[]): Figures {
  return {
    perSecond: Math.max(...figures.map(({ perSecond }) => perSecond)),
    cpuMicros: Math.min(...figures.map(({ cpuMicros }) => cpuMicros)),
  }
}

function describe({ perSecond, cpuMicros }: Figures): string {
  return `${Math.round(perSecond)} req/s, ${cpuMicros.toFixed(1)} µs`
}
