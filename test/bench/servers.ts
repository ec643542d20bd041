import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Start command and listeners of each runtime. */
export const RUNTIMES = {
  node: { command: ['node'], listeners: ['node'] },
  bun: { command: ['bun'], listeners: ['native', 'node'] },
  deno: { command: ['deno', 'run', '-A'], listeners: ['native', 'node'] },
} as const

export type Runtime = keyof typeof RUNTIMES

export const RUNTIME_NAMES: readonly Runtime[] = ['node', 'bun', 'deno']

/** Returns the runtime of `--runtime NAME`, or all. */
export function chosenRuntimes(words: readonly string[]): readonly Runtime[] {
  const name = words[words.indexOf('--runtime') + 1]
  const chosen = RUNTIME_NAMES.filter((runtime) => runtime === name)
  return words.includes('--runtime') && chosen.length > 0 ? chosen : RUNTIME_NAMES
}

/** A server in a separate process. */
export interface BenchServer {
  readonly child: ChildProcess
  readonly url: string
}

/** Starts a server script, which prints its port. */
export async function startServer(
  runtime: Runtime,
  words: readonly string[],
): Promise<BenchServer> {
  const [name, ...rest] = RUNTIMES[runtime].command
  const child = spawn(name, [...rest, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(child.stdout, 'data')
  return { child, url: `http://127.0.0.1:${Number(String(port))}` }
}
