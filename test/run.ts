// Runs every test on every runtime, one runtime after the other, and closes with one line of counts.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { startPostgres } from './helpers/postgres.ts'
import { findScratchFolder } from './helpers/scratch.ts'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const VITEST = join('node_modules', 'vitest', 'vitest.mjs')
const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  node: ['node', VITEST],
  bun: ['bun', '--bun', VITEST],
  deno: ['deno', 'run', '-A', VITEST],
}

// `[--long] [node|bun|deno] [filter…]`: long runs of the tests that have one, one runtime, some files.
const words = process.argv.slice(2)
const isLong = words.includes('--long')
const [first, ...rest] = words.filter((word) => word !== '--long')
const isNamed = first !== undefined && first in RUNTIMES
const names = isNamed ? [first] : Object.keys(RUNTIMES)
const filters = isNamed || first === undefined ? rest : [first, ...rest]
if (isLong) process.env.API_DISCOVERY_LONG = '1'
const folder = await mkdtemp(join(await findScratchFolder(), 'api-discovery-test-'))
// PostgreSQL runs as somebody else where this is run by root.
await chmod(folder, 0o755)
process.env.TMPDIR = folder
// Node compiles anew in every process and thread otherwise; the others keep what they compiled.
process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
const total: Counts = { passed: 0, failed: 0, skipped: 0 }
const lines: string[] = []
let isStopped = false
// The tests are told too; what they leave behind is removed here.
process.on('SIGINT', () => {
  isStopped = true
})
// One server for everything, but none for a few files, which may not need it.
const postgres = filters.length === 0 ? await startPostgres() : undefined
if (postgres) process.env.API_DISCOVERY_TEST_POSTGRES = postgres.url
try {
  for (const name of names) {
    if (isStopped) break
    const startedAt = Date.now()
    const counts = await runOn(name)
    total.passed += counts.passed
    total.failed += counts.failed
    total.skipped += counts.skipped
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(0)
    lines.push(
      `${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped (${seconds} s)`,
    )
  }
} finally {
  await postgres?.stop()
  await rm(folder, { recursive: true, force: true })
}
console.log(lines.join('\n'))
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
// Said outright: what started PostgreSQL would end the process with 0.
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0)

async function runOn(name: string): Promise<Counts> {
  const [command = '', ...words] = RUNTIMES[name] ?? []
  const binary = join(ROOT, 'node_modules', '.bin', command)
  const program = existsSync(binary) ? binary : command
  const report = join(folder, `${name}.json`)
  console.log(`\n=== ${name} ===`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await run(program, [...words, 'run', ...reporters, ...filters])
  const counts = await readCounts(report)
  if (code !== 0 && counts.failed === 0) counts.failed = 1
  return counts
}

function run(program: string, words: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, words, {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    child.on('error', (error) => {
      console.error(`Cannot start ${program}: ${error.message}`)
      resolve(1)
    })
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

async function readCounts(report: string): Promise<Counts> {
  const text = await readFile(report, 'utf8').catch(() => '{}')
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0 } = JSON.parse(text)
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests }
}
