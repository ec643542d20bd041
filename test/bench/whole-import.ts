import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createWorkerIsolate } from '../../adapters/isolate/worker-isolate.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/index.ts'
import { generateLargeDescription } from './large-description.ts'
import { toMedian } from './load.ts'

// Compares the import of a large description into an SQLite file, like in the server (parsing in a
// thread), with `JSON.parse` of the same bytes, and measures the delay of the event loop.
//   node test/bench/whole-import.ts

const ROUNDS = 5
const MARK = 5
const STRETCH = 3

const bytes = new TextEncoder().encode(JSON.stringify(generateLargeDescription()))
const folder = await mkdtemp(join(tmpdir(), 'api-discovery-bench-'))
const floor: number[] = []
const whole: number[] = []
const gaps: number[] = []
const isolate = createWorkerIsolate({ maxWorkers: 1 })
try {
  for (let round = 0; round < ROUNDS; round += 1) {
    floor.push(await measureCpu(async () => JSON.parse(new TextDecoder().decode(bytes))))
    const file = join(folder, `${round}.db`)
    const app = createApiDiscovery({
      storage: await openSqlite({ file, writeInThread: true }),
      isolate,
    })
    const watch = watchLoop()
    whole.push(
      await measureCpu(() =>
        app.imports.importDescription({
          bytes,
          vendorName: 'Bench',
          createVendor: true,
          isPublic: true,
        }),
      ),
    )
    gaps.push(watch.stop())
    await app.close()
    if (round === 0) {
      const size = (await stat(file)).size / 1e6
      console.log(`${(bytes.length / 1e6).toFixed(1)} MB into a file of ${size.toFixed(0)} MB`)
    }
  }
} finally {
  await isolate.close()
  await rm(folder, { recursive: true, force: true })
}
const ratio = toMedian(whole) / toMedian(floor)
const verdict = ratio <= STRETCH ? 'met, stretch too' : ratio <= MARK ? 'met' : 'missed'
console.log(
  `CPU of all threads: JSON.parse ${toMedian(floor).toFixed(0)} ms,` +
    ` whole import ${toMedian(whole).toFixed(0)} ms (first ${whole[0]?.toFixed(0)} ms)` +
    `  ratio ${ratio.toFixed(2)}  mark ${MARK}: ${verdict}`,
)
console.log(
  `longest the event loop was kept: median ${toMedian(gaps).toFixed(0)} ms,` +
    ` worst ${Math.max(...gaps).toFixed(0)} ms  wanted: 50 ms`,
)

async function measureCpu(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** Longest delay of a 5 ms timer in milliseconds. */
function watchLoop(): { stop(): number } {
  let longest = 0
  let last = performance.now()
  const note = () => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }
  const timer = setInterval(note, 5)
  return {
    stop() {
      note()
      clearInterval(timer)
      return longest
    },
  }
}
