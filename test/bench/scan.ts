import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { rgPath } from '@vscode/ripgrep'
import { ensureBuild, ROOT } from '../helpers/build.ts'
import { writeTree } from './scan-data.ts'

// Compares the project scanner, in a separate process, with ripgrep searching for URLs in the same
// tree of 10,000 files. Floor: ripgrep. Mark: 15 times its time, 200 MB; stretch: 10 times.

const COUNT = 10_000
const ROUNDS = 3

await ensureBuild()
const folder = await mkdtemp(join(tmpdir(), 'scan-bench-'))
try {
  const calling = await writeTree(folder, COUNT)
  const entry = new URL('dist/scanner.js', `file://${ROOT}/`).href
  const child = fileURLToPath(new URL('scan-child.js', import.meta.url))
  // Warm-up runs, so that both find the tree in the disk cache.
  await run(rgPath, ['-c', 'https?://', folder])
  const floor = await best(() => run(rgPath, ['-c', 'https?://', folder]))
  const ours = await best(() => run(process.execPath, [child, entry, folder]))
  const cost = JSON.parse(ours.output)
  const times = ours.ms / floor.ms
  console.log(`tree: ${COUNT} files, ${calling} of them call an API`)
  console.log(`ripgrep: ${Math.round(floor.ms)} ms`)
  console.log(
    `scan: ${Math.round(ours.ms)} ms (${times.toFixed(1)}x), ${cost.cpuMs} ms CPU, ${cost.maxMb} MB, ` +
      `${cost.files} files, ${cost.findings} findings`,
  )
  const isMet = times <= 15 && cost.maxMb <= 200
  console.log(
    `${isMet ? 'met' : 'MISSED'}: at most 15x and 200 MB${times <= 10 ? '; stretch of 10x too' : ''}`,
  )
  if (!isMet) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

interface Outcome {
  readonly ms: number
  readonly output: string
}

async function best(measure: () => Promise<Outcome>): Promise<Outcome> {
  const all: Outcome[] = []
  for (let round = 0; round < ROUNDS; round += 1) all.push(await measure())
  return all.reduce((a, b) => (b.ms < a.ms ? b : a))
}

function run(program: string, args: readonly string[]): Promise<Outcome> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const running = spawn(program, [...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    running.stdout.on('data', (chunk: Uint8Array) => {
      output += new TextDecoder().decode(chunk)
    })
    running.on('error', reject)
    running.on('close', () => resolve({ ms: performance.now() - started, output }))
  })
}
