import { type ChildProcess, spawn } from 'node:child_process'

/** The runtime that runs the tests. */
export const RUNTIME =
  'Bun' in globalThis ? 'bun' : 'Deno' in globalThis ? 'deno' : ('node' as const)

/** A server that a script started. */
export interface RunningScript {
  /** The first address that it printed. */
  readonly url: string
  /** Returns its standard output so far. */
  output(): string
  /** Returns its standard error so far. */
  errors(): string
  /** Stops it with SIGTERM, finally with SIGKILL, and waits for its exit. */
  end(): Promise<void>
}

/** Outcome of a script. */
export interface EndedScript {
  /** Null if a signal ended it. */
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

export interface ScriptOptions {
  readonly cwd: string
  readonly environment?: Readonly<Record<string, string>>
  /** Replaces `run -A` on Deno. */
  readonly denoArguments?: readonly string[]
}

/** Starts a server script on the runtime of the tests. */
export async function startScript(
  words: readonly string[],
  options: ScriptOptions,
): Promise<RunningScript> {
  const { child, output, ended } = launch(words, options)
  const end = async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
    await ended
    clearTimeout(timer)
  }
  for (let attempt = 0; attempt < 1_000 && child.exitCode === null; attempt += 1) {
    // `deno serve` prints its address to standard error.
    const [url] = /http:\/\/[\w.]+:\d+/.exec(output.text + output.errors) ?? []
    if (url !== undefined)
      return { url, output: () => output.text, errors: () => output.errors, end }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await end()
  throw new Error(`It told no address: ${output.errors}`)
}

/** Runs a script to its end. */
export async function runScript(
  words: readonly string[],
  options: ScriptOptions,
): Promise<EndedScript> {
  const { output, ended } = launch(words, options)
  const code = await ended
  return { code, output: output.text, errors: output.errors }
}

function launch(words: readonly string[], options: ScriptOptions) {
  const deno = RUNTIME === 'deno' ? (options.denoArguments ?? ['run', '-A']) : []
  const child: ChildProcess = spawn(process.execPath, [...deno, ...words], {
    cwd: options.cwd,
    env: { ...process.env, NO_COLOR: '1', ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { text: '', errors: '' }
  child.stdout?.on('data', (chunk) => {
    output.text += String(chunk)
  })
  child.stderr?.on('data', (chunk) => {
    output.errors += String(chunk)
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, output, ended }
}
