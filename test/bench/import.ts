import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { extractDescription } from '../../core/imports/extract/extract-description.ts'
import { readDescription } from '../../core/imports/read-description.ts'
import { generateLargeDescription } from './large-description.ts'

// Compares reading and extracting a large description with `JSON.parse` of the same bytes. Each
// runs in a separate process to measure its memory: `node test/bench/import.ts`.

const ROUNDS = 7
const MARK = 2
const STRETCH = 1.5

const CASES = {
  floor: (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes)),
  ours: (bytes: Uint8Array): unknown => extractDescription(readDescription(bytes)),
} as const

type Case = keyof typeof CASES

function isCase(name: string | undefined): name is Case {
  return name !== undefined && Object.hasOwn(CASES, name)
}

interface Measured {
  /** CPU time (all threads) in ms of the first, cold round and of the fastest round. */
  readonly first: number
  readonly best: number
  /** Peak memory of the process in MB after one round. */
  readonly peakMb: number
}

function measureImport(name: Case, file: string): Measured {
  const bytes = readFileSync(file)
  const times: number[] = []
  let peakMb = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.cpuUsage()
    const kept = CASES[name](bytes)
    const { user, system } = process.cpuUsage(start)
    times.push((user + system) / 1000)
    if (kept === undefined) throw new Error('Nothing came of it')
    if (round === 0) peakMb = process.resourceUsage().maxRSS / 1024
  }
  return { first: times[0] ?? 0, best: Math.min(...times), peakMb }
}

function measureApart(name: Case, file: string): Measured {
  const script = fileURLToPath(import.meta.url)
  const child = spawnSync(process.execPath, [script, name, file], { encoding: 'utf8' })
  if (child.status !== 0) throw new Error(child.stderr)
  return JSON.parse(child.stdout)
}

function printComparison(): void {
  const folder = mkdtempSync(join(tmpdir(), 'import-bench-'))
  const file = process.env.BENCH_DESCRIPTION ?? join(folder, 'large.json')
  try {
    if (process.env.BENCH_DESCRIPTION === undefined) {
      writeFileSync(file, JSON.stringify(generateLargeDescription()))
    }
    const floor = measureApart('floor', file)
    const ours = measureApart('ours', file)
    const bytes = readFileSync(file)
    const { report, components } = extractDescription(readDescription(bytes))
    const size = (bytes.length / 1e6).toFixed(1)
    console.log(`${size} MB, ${report.operations} operations, ${report.parameters} parameters,`)
    console.log(`${components.size} components, ${report.warnings.length} warnings`)
    for (const key of ['first', 'best', 'peakMb'] as const) {
      const ratio = ours[key] / floor[key]
      const verdict = ratio <= STRETCH ? 'met, stretch too' : ratio <= MARK ? 'met' : 'missed'
      const unit = key === 'peakMb' ? 'MB' : 'ms'
      console.log(
        `${key.padEnd(7)} JSON.parse ${floor[key].toFixed(0)} ${unit}, read and extract ${ours[key].toFixed(0)} ${unit}, ratio ${ratio.toFixed(2)}  mark ${MARK}: ${verdict}`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const [, , name, file] = process.argv
if (isCase(name) && file !== undefined) console.log(JSON.stringify(measureImport(name, file)))
else printComparison()
