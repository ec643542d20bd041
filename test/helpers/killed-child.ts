import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/**
 * Runs a script in the same runtime and kills it (SIGKILL) some time after it printed `ready`.
 * Resolves with the lines printed after that.
 */
export async function runAndKill(
  script: URL,
  options: { readonly parameters: readonly string[]; readonly delayMs: number },
): Promise<readonly string[]> {
  const run = process.versions.deno === undefined ? [] : ['run', '-A']
  const child = spawn(process.execPath, [...run, fileURLToPath(script), ...options.parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const written: string[] = []
  await new Promise<void>((resolve) => {
    const lines = createInterface({ input: child.stdout })
    lines.on('line', (line) => {
      if (line === 'ready') setTimeout(() => child.kill('SIGKILL'), options.delayMs)
      else written.push(line)
    })
    lines.on('close', resolve)
  })
  return written
}
