import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/**
 * Returns the command that starts this program again: an npm script in the repository, npx, or the
 * name of the installed program. `main` is the URL of the started module.
 */
export function findStartCommand(main: string): string {
  const { npm_lifecycle_event: script = '', npm_command: command } = process.env
  if (!isSourceModule(main)) {
    return command === 'exec' ? 'npx api-discovery' : 'api-discovery'
  }
  const [, runtime = ''] = /^(?:start|cli)(:bun|:deno)?$/.exec(script) ?? []
  if (OWN_SCRIPT_PATTERN.test(script)) return `npm${findPrefixOption()} run -s cli${runtime} --`
  return `${findRuntimeCommand()} ${relative(process.cwd(), process.argv[1] ?? '')}`
}

/**
 * Changes to the folder in which the user started an npm script of this package: npm runs scripts in
 * the package's folder. Returns the previous working directory.
 */
export function enterCallerFolder(): string {
  const previous = process.cwd()
  const { npm_lifecycle_event: script = '', npm_package_name: name, INIT_CWD: caller } = process.env
  const isOwnScript = name === 'api-discovery' && OWN_SCRIPT_PATTERN.test(script)
  if (isOwnScript && caller && existsSync(caller)) process.chdir(caller)
  return previous
}

const OWN_SCRIPT_PATTERN = /^(?:start|cli)(?::|$)/

/** Returns the option of npm that selects the repository, if npm was started elsewhere. */
function findPrefixOption(): string {
  const { INIT_CWD: caller, npm_config_local_prefix: root } = process.env
  if (!caller || !root || !relative(root, caller).startsWith('..')) return ''
  return ` --prefix ${/^[\w./-]+$/.test(root) ? root : `'${root}'`}`
}

function findRuntimeCommand(): string {
  if (process.versions.bun) return 'bun'
  return 'Deno' in globalThis ? 'deno run -A' : 'node'
}

/**
 * Caches modules compiled from TypeScript inside the repository: other users could plant code in a
 * shared folder. Bun and Deno have their own cache; the package is plain JavaScript.
 */
export async function cacheCompiledModules(main: string): Promise<void> {
  if (!isSourceModule(main)) return
  const { default: module } = await import('node:module')
  const folder = new URL('../../node_modules/.cache/api-discovery', main)
  module.enableCompileCache?.(fileURLToPath(folder))
}

function isSourceModule(main: string): boolean {
  return main.endsWith('/adapters/cli/main.ts')
}
