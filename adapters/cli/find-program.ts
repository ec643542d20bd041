import { relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/**
 * How a person starts the program again from where they are: through npm in the repository, by npx,
 * or by its name when it is installed. `main` is the URL of the started module.
 */
export function findProgram(main: string): string {
  const { npm_lifecycle_event: script = '', npm_command: command } = process.env
  if (!isSource(main)) {
    return command === 'exec' ? 'npx api-discovery' : 'api-discovery'
  }
  const [, runtime = ''] = /^(?:start|cli)(:bun|:deno)?$/.exec(script) ?? []
  if (/^(?:start|cli)(?::|$)/.test(script)) return `npm run -s cli${runtime} --`
  return `${findRuntime()} ${relative(process.cwd(), process.argv[1] ?? '')}`
}

function findRuntime(): string {
  if (process.versions.bun) return 'bun'
  return 'Deno' in globalThis ? 'deno run -A' : 'node'
}

/**
 * Stores compiled modules, types erased, inside the repository: a folder shared with other users
 * could be planted with code. Bun and Deno store them themselves; the package has no types to erase.
 */
export async function keepCompiled(main: string): Promise<void> {
  if (!isSource(main)) return
  const { default: module } = await import('node:module')
  const folder = new URL('../../node_modules/.cache/api-discovery', main)
  module.enableCompileCache?.(fileURLToPath(folder))
}

function isSource(main: string): boolean {
  return main.endsWith('/adapters/cli/main.ts')
}
