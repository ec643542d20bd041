// Runs all tests on all runtimes in sequence, and finally prints one line of counts.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { ensureBuild } from './helpers/build.ts'
import { startPostgres } from './helpers/postgres.ts'
import { findScratchFolder } from './helpers/scratch.ts'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** The members of Vitest's JSON report that are used here; times in milliseconds. */
interface Report {
  readonly numPassedTests?: number
  readonly numFailedTests?: number
  readonly numPendingTests?: number
  readonly testResults?: readonly {
    readonly name: string
    readonly startTime: number
    readonly endTime: number
  }[]
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SLOWEST_SHOWN = 20
const VITEST = join('node_modules', 'vitest', 'vitest.mjs')
const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  node: ['node', VITEST],
  bun: ['bun', '--bun', VITEST],
  deno: ['deno', 'run', '-A', VITEST],
}

// `[--long] [node|bun|deno] [filter…]`: full instead of reduced test runs, one runtime, some files.
const words = process.argv.slice(2)
const isLong = words.includes('--long')
const [first, ...rest] = words.filter((word) => word !== '--long')
const isNamed = first !== undefined && first in RUNTIMES
const names = isNamed ? [first] : Object.keys(RUNTIMES)
const filters = isNamed || first === undefined ? rest : [first, ...rest]
if (isLong) process.env.API_DISCOVERY_LONG = '1'
const folder = await mkdtemp(join(await findScratchFolder(), 'api-discovery-test-'))
// If this is run by root, another user runs PostgreSQL.
await chmod(folder, 0o755)
process.env.TMPDIR = folder
// Node would compile again in every process and thread; the other runtimes cache compiled code.
process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
const total: Counts = { passed: 0, failed: 0, skipped: 0 }
const lines: string[] = []
let isStopped = false
// The tests use the same folder, whose remaining files are removed here.
process.on('SIGINT', () => {
  isStopped = true
})
// All tests share one server. None is started for a few files, which may not need it.
const isWhole = filters.length === 0
const postgres = isWhole ? await startPostgres() : undefined
if (postgres) process.env.API_DISCOVERY_TEST_POSTGRES = postgres.url
try {
  // Otherwise, the first tests that need the package wait for its build, which may exceed their
  // timeout.
  if (isWhole) await ensureBuild()
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
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0

async function runOn(name: string): Promise<Counts> {
  const [command = '', ...words] = RUNTIMES[name] ?? []
  const binary = join(ROOT, 'node_modules', '.bin', command)
  const program = existsSync(binary) ? binary : command
  const report = join(folder, `${name}.json`)
  console.log(`\n=== ${name} ===`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await runProgram(program, [...words, 'run', ...reporters, ...filters])
  const { testResults = [], ...numbers } = await readReport(report)
  const counts: Counts = {
    passed: numbers.numPassedTests ?? 0,
    failed: numbers.numFailedTests ?? 0,
    skipped: numbers.numPendingTests ?? 0,
  }
  if (isWhole) printSlowestFiles(testResults)
  if (code !== 0 && counts.failed === 0) counts.failed = 1
  return counts
}

function runProgram(program: string, words: readonly string[]): Promise<number> {
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

async function readReport(path: string): Promise<Report> {
  return JSON.parse(await readFile(path, 'utf8').catch(() => '{}'))
}

function printSlowestFiles(results: NonNullable<Report['testResults']>): void {
  const files = results.map(({ name, startTime, endTime }) => ({
    name: relative(ROOT, name),
    seconds: (endTime - startTime) / 1000,
  }))
  files.sort((a, b) => b.seconds - a.seconds)
  const sum = files.reduce((seconds, file) => seconds + file.seconds, 0)
  console.log(`Slowest of ${files.length} test files (${sum.toFixed(0)} s in all):`)
  for (const file of files.slice(0, SLOWEST_SHOWN)) {
    console.log(`${file.seconds.toFixed(1).padStart(7)} s  ${file.name}`)
  }
}
