import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/**
 * Runs a script in the same runtime and kills it (SIGKILL) some time after it printed `ready`, or
 * after a number of lines `event`, so that it is busy even on a slow machine. Resolves with the other
 * lines.
 */
export async function runAndKill(
  script: URL,
  options: {
    readonly parameters: readonly string[]
    /** Time from `ready`, or from the last of these events. */
    readonly delayMs: number
    readonly events?: number
    /** Called for each other line; `release` sends a line to the script. */
    readonly onLine?: (line: string, release: () => void) => void
  },
): Promise<readonly string[]> {
  const run = process.versions.deno === undefined ? [] : ['run', '-A']
  const child = spawn(process.execPath, [...run, fileURLToPath(script), ...options.parameters], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { delayMs, events = 0, onLine } = options
  const release = () => void child.stdin.end('go\n')
  if (!onLine) child.stdin.end()
  const written: string[] = []
  let seen = 0
  await new Promise<void>((resolve) => {
    const lines = createInterface({ input: child.stdout })
    lines.on('line', (line) => {
      if (line === 'event') seen += 1
      else if (line !== 'ready') {
        written.push(line)
        onLine?.(line, release)
        return
      }
      if (seen === events) setTimeout(() => child.kill('SIGKILL'), delayMs)
    })
    lines.on('close', resolve)
  })
  return written
}
