import { spawn } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Root folder of the project. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const SOURCES = ['core', 'adapters', 'test/conformance', 'package.json', 'tsup.config.ts']
const LOCK = join(ROOT, 'node_modules', '.api-discovery-build')
const STALE_MS = 180_000

/**
 * Builds the package into `dist` if a source is newer than the last build. Concurrent test files
 * wait for one build.
 */
export async function ensureBuild(): Promise<void> {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    if (isFresh()) return
    if (takeLock()) {
      try {
        if (!isFresh()) await build()
        return
      } finally {
        rmSync(LOCK, { force: true })
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('Cannot build: another build does not end')
}

/**
 * Whether the build is current. `tsup` writes declarations last; a running build holds the lock.
 */
function isFresh(): boolean {
  const built = ['dist/cli.js', 'dist/index.d.ts', 'dist/testing.d.ts'].map((path) =>
    join(ROOT, path),
  )
  if (existsSync(LOCK) || !built.every((path) => existsSync(path))) return false
  const builtAt = Math.min(...built.map(changedAt))
  return SOURCES.every((path) => newest(join(ROOT, path)) <= builtAt)
}

function newest(path: string): number {
  if (!statSync(path).isDirectory()) return changedAt(path)
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))))
}

function changedAt(path: string): number {
  return statSync(path).mtimeMs
}

function takeLock(): boolean {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (existsSync(LOCK) && Date.now() - changedAt(LOCK) > STALE_MS) rmSync(LOCK, { force: true })
    return false
  }
}

async function build(): Promise<void> {
  const node = join(ROOT, 'node_modules', '.bin', 'node')
  const tsup = join(ROOT, 'node_modules', 'tsup', 'dist', 'cli-default.js')
  const child = spawn(existsSync(node) ? node : process.execPath, [tsup, '--silent'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`Cannot build: tsup ended with ${code}`)
}
