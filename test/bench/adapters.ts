import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { type Figures, load, toMedians } from './load.ts'
import { chosenRuntimes, RUNTIMES, type Runtime, startServer } from './servers.ts'

// Compares each adapter with the bare server of its runtime on the same small response. The verdict
// uses CPU time per request, which does not depend on other load.
//   node test/bench/adapters.ts [--runtime node|bun|deno]

const MARKS = { node: 0.95, bun: 0.9, deno: 0.9 } as const
const ROUNDS = 9
const SECONDS = 0.5
const SERVER = fileURLToPath(new URL('http-floor.ts', import.meta.url))

async function compareWithBareServer(runtime: Runtime, listener: string): Promise<void> {
  const servers = await Promise.all(
    ['bare', 'adapter'].map((kind) => startServer(runtime, [SERVER, `${kind}-${listener}`])),
  )
  try {
    const figures: [Figures[], Figures[]] = [[], []]
    for (let round = -2; round < ROUNDS; round += 1) {
      for (const [index, { url }] of servers.entries()) {
        const one = await load(url, { seconds: SECONDS })
        if (round >= 0) figures[index]?.push(one)
      }
    }
    const [bare, adapter] = figures
    printAdapterCost(`${runtime} ${listener}`, {
      bare: toMedians(bare),
      adapter: toMedians(adapter),
      mark: MARKS[runtime],
    })
  } finally {
    for (const { child } of servers) child.kill()
  }
}

function printAdapterCost(
  name: string,
  measured: { readonly bare: Figures; readonly adapter: Figures; readonly mark: number },
): void {
  const { bare, adapter, mark } = measured
  const cost = bare.cpuMicros / adapter.cpuMicros
  const speed = adapter.perSecond / bare.perSecond
  const show = ({ perSecond, cpuMicros }: Figures) =>
    `${cpuMicros.toFixed(1)} µs ${Math.round(perSecond)}/s`
  console.log(
    `${name.padEnd(12)} bare ${show(bare)} | adapter ${show(adapter)}` +
      ` | ${cost.toFixed(2)} by CPU, ${speed.toFixed(2)} by speed` +
      `  mark ${mark}: ${cost >= mark ? 'met' : 'missed'}`,
  )
}

console.log('Adapters: CPU of the server for one request, medians')
for (const runtime of chosenRuntimes(process.argv)) {
  for (const listener of RUNTIMES[runtime].listeners) await compareWithBareServer(runtime, listener)
}
