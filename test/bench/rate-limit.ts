import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { countWarmUp, toSendOffsets } from '../../core/rate-limits/probe/arrivals.ts'
import { toPercentile } from './gateway-load.ts'
import { toMedian } from './load.ts'
import { createRateLimitBenchData, type RateLimitBenchData } from './rate-limit-data.ts'
import type { Reads } from './rate-limit-load.ts'
import { chosenRuntimes, RUNTIMES, type Runtime } from './servers.ts'

// Rate-limit tests of 1,000 requests at 50 a second by the service as an operator runs it, while it
// serves 200 catalogue reads a second: how near the arrivals come to their times, against a process
// with nothing but timers (floor), and what the tests do to the reads. The reads are measured
// without a test, beside the floor (so what the machine does to them shows) and with a test, in turn.
// The rate is that of the arrivals after the ramp's rise; lateness is that of arrivals against the
// times they were meant for, with the promptest at nought. A test of 1,000 leaves room for one more
// on that day, so each round has a port, an account and a budget of its own.
//   node test/bench/rate-limit.ts [--runtime node|bun|deno] [--rounds 2]

const REQUESTS = 1000
const RATE = 50
const READ_RATE = 200
const READ_SECONDS = 18
const MARK_RATE = 0.02
const MARK_READS = 1.2

/** What the target saw of one run. */
interface Arrivals {
  readonly count: number
  readonly perSecond: number
  /** Most in any second. */
  readonly most: number
  readonly p50: number
  readonly p99: number
}

interface Round {
  readonly quiet: Reads
  readonly floor: Arrivals
  readonly besideFloor: Reads
  readonly ours: Arrivals
  readonly withTest: Reads
  readonly ended: Ended
}

/** How a run ended. */
interface Ended {
  readonly result: string
  /** More than one when it was taken up again, and so began with a rise again. */
  readonly attempts: number
}

const children: ChildProcess[] = []

/** Starts a file of this folder, or of the project. */
function spawnScript(runtime: Runtime, [file = '', ...words]: readonly string[]) {
  const [command, ...options] = RUNTIMES[runtime].command
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(command, [...options, path, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  return child
}

async function startListening(runtime: Runtime, words: readonly string[]): Promise<string> {
  const [line] = await once(spawnScript(runtime, words).stdout, 'data')
  return String(line)
}

/** What `rate-limit-load.ts` prints. */
async function runLoadProcess<T>(words: readonly string[]): Promise<T> {
  const child = spawnScript('node', ['rate-limit-load.ts', ...words])
  return JSON.parse(await text(child.stdout)) as T
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function takeArrivals(address: string): Promise<Arrivals> {
  const response = await fetch(`http://${address}/arrivals`)
  const arrivals = ((await response.json()) as number[]).toSorted((a, b) => a - b)
  const offsets = toSendOffsets({ count: arrivals.length, rate: RATE })
  // The rise is a fifth of what was planned, whatever came of it.
  const planned = toSendOffsets({ count: toRamp(REQUESTS), rate: RATE })
  const times = arrivals.length === planned.length ? offsets : planned
  const raw = arrivals.map((at, index) => at - (times[index] ?? 0))
  const lateness = raw.map((late) => late - Math.min(...raw)).sort((a, b) => a - b)
  const steady = arrivals.slice(countWarmUp(toRamp(REQUESTS)))
  const span = (steady.at(-1) ?? 0) - (steady[0] ?? 0)
  const within = (from: number) => arrivals.filter((at) => at >= from && at < from + 1000).length
  return {
    count: arrivals.length,
    perSecond: ((steady.length - 1) * 1000) / span,
    most: Math.max(...arrivals.map(within)),
    p50: toPercentile(lateness, 0.5),
    p99: toPercentile(lateness, 0.99),
  }
}

/** A run keeps six for seeing a target recover. */
function toRamp(requests: number): number {
  return requests - 6
}

/** Does a test and waits for its end. */
async function runTest(
  origin: string,
  { endpointId, key }: RateLimitBenchData['runs'][number],
): Promise<Ended> {
  const headers = { 'api-key': key }
  const budget = `requests=${REQUESTS}&rate=${RATE}&payload_bytes=0`
  const about = `endpoint_id=${endpointId}`
  const started = await fetch(`${origin}/api/benchmark/rate_limiting_test?${about}&${budget}`, {
    method: 'POST',
    headers,
  })
  if (!started.ok) throw new Error(`The test is refused: ${await started.text()}`)
  for (let second = 0; second < 60; second += 1) {
    await sleep(second === 0 ? 24_000 : 1000)
    const answer = await fetch(
      `${origin}/api/benchmark/rate_limiting_result?${about}&extended=true`,
      {
        headers,
      },
    )
    const { result, extended } = (await answer.json()) as {
      readonly result: string
      readonly extended?: { readonly attempts?: number }
    }
    if (!/^(Queued|Running)/.test(result)) return { result, attempts: extended?.attempts ?? 0 }
  }
  throw new Error('The test does not end')
}

async function measureRound(
  origin: string,
  given: { readonly data: RateLimitBenchData; readonly run: RateLimitBenchData['runs'][number] },
): Promise<Round> {
  const { data, run } = given
  const urls = data.endpointIds.map((id) => `${origin}/api/endpoint_parameter?endpoint_id=${id}`)
  const read = () =>
    runLoadProcess<Reads>(['reads', `${READ_RATE}`, `${READ_SECONDS}`, run.key, ...urls])
  const quiet = await read()
  const offsets = toSendOffsets({ count: toRamp(REQUESTS), rate: RATE })
  const [besideFloor] = await Promise.all([
    sleep(3000).then(read),
    runLoadProcess(['floor', `http://${run.address}/ping`, offsets.join(',')]),
  ])
  const floor = await takeArrivals(run.address)
  const [withTest, ended] = await Promise.all([sleep(3000).then(read), runTest(origin, run)])
  const ours = await takeArrivals(run.address)
  return { quiet, floor, besideFloor, ours, withTest, ended }
}

function tellArrivals(name: string, { count, perSecond, most, p50, p99 }: Arrivals): string {
  const times = `late by p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`
  return `  ${name.padEnd(6)} ${count} arrivals, ${perSecond.toFixed(2)}/s, at most ${most} in a second, ${times}`
}

function tellReads(name: string, { count, p50, p99, ownP99 }: Reads): string {
  const times = `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`
  return `  reads ${name.padEnd(13)} ${count}, ${times}; the reader was late by p99 ${ownP99.toFixed(2)} ms`
}

function verdict(isMet: boolean): string {
  return isMet ? 'PASS' : 'MISSED'
}

function printTargets(rounds: readonly Round[]): void {
  const rates = rounds.map(({ ours }) => ours.perSecond)
  const offRate = Math.max(...rates.map((rate) => Math.abs(rate / RATE - 1)))
  const isWithin = rounds.every(({ ours }) => ours.count <= REQUESTS)
  const p99 = (of: 'quiet' | 'besideFloor' | 'withTest') =>
    toMedian(rounds.map((round) => round[of].p99))
  const quiet = p99('quiet')
  const ratio = (ms: number) => `x${(ms / quiet).toFixed(2)}`
  const isRate = isWithin && offRate <= MARK_RATE
  const isReads = p99('withTest') < quiet * MARK_READS
  console.log(
    `  rate off ${RATE}/s by ${(offRate * 100).toFixed(2)} % at the most: mark ${MARK_RATE * 100} %: ${verdict(isRate)}`,
  )
  console.log(
    `  p99 of reads, medians: quiet ${quiet.toFixed(2)} ms, beside the floor ${ratio(p99('besideFloor'))}, with a test ${ratio(p99('withTest'))}: mark x${MARK_READS}: ${verdict(isReads)}`,
  )
  if (!isRate || !isReads) process.exitCode = 1
}

async function compareReadsDuringTests(
  runtime: Runtime,
  folder: string,
  count: number,
): Promise<void> {
  const ports = JSON.parse(await startListening('node', ['rate-limit-target.ts', `${count}`]))
  const addresses = (ports as number[]).map((port) => `127.0.0.1:${port}`)
  const file = join(folder, `${runtime}.db`)
  const data = await createRateLimitBenchData({ file, addresses })
  const hosts = addresses.flatMap((address) => ['--test-host', address])
  const line = await startListening(runtime, [
    ...['../../adapters/cli/main.ts', 'serve', '--json', '--port', '0', '--log', 'warn'],
    ...['--database', file, '--requests-per-minute', '100000'],
    ...['--egress-allow', addresses.join(','), '--test-contact', 'ops@example.com', ...hosts],
  ])
  const { origin } = new URL(JSON.parse(line).url)
  console.log(`${runtime}: ${REQUESTS} requests at ${RATE}/s, ${READ_RATE} reads a second`)
  const rounds: Round[] = []
  for (const run of data.runs) {
    const round = await measureRound(origin, { data, run })
    rounds.push(round)
    console.log(tellReads('quiet', round.quiet))
    console.log(tellArrivals('floor', round.floor))
    console.log(tellReads('beside floor', round.besideFloor))
    console.log(tellArrivals('ours', round.ours))
    console.log(tellReads('with a test', round.withTest))
    const { result, attempts } = round.ended
    if (round.ours.count < toRamp(REQUESTS)) console.log(`  it stopped early: ${result}`)
    if (attempts !== 1) console.log(`  it took ${attempts} attempts: the rate is not that of one`)
  }
  printTargets(rounds)
}

const folder = await mkdtemp(join(tmpdir(), 'api-discovery-bench-'))
const rounds = process.argv.includes('--rounds')
  ? Number(process.argv[process.argv.indexOf('--rounds') + 1])
  : 2
try {
  const runtimes = process.argv.includes('--runtime') ? chosenRuntimes(process.argv) : ['node']
  for (const runtime of runtimes) {
    await compareReadsDuringTests(runtime as Runtime, folder, rounds)
    for (const child of children.splice(0)) child.kill()
  }
} finally {
  for (const child of children) child.kill()
  await rm(folder, { recursive: true, force: true })
}
